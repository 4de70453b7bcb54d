import { type ChangeEvent, useEffect, useRef, useState } from 'react'

/** Toggles a row; with shift, the range from the row toggled before. */
export function toggled(
  chosen: ReadonlySet<string>,
  visible: readonly string[],
  { key, on, from = key }: { key: string; on: boolean; from?: string | undefined },
): Set<string> {
  const [first, last] = [visible.indexOf(from), visible.indexOf(key)].sort((a, b) => a - b)
  const keys = first === -1 ? [key] : visible.slice(first, last! + 1)
  return withSelection(chosen, keys, on)
}

const withSelection = (chosen: ReadonlySet<string>, keys: readonly string[], on: boolean) =>
  on ? new Set([...chosen, ...keys]) : new Set([...chosen].filter((key) => !keys.includes(key)))

const NONE = { filters: '', chosen: new Set() as ReadonlySet<string>, all: false }

/**
 * Selected rows by key, across pages. Other `filters` clear the selection, since selected rows might no
 * longer be listed.
 */
export function useSelection(visible: readonly string[], filters: string) {
  const [selected, setSelected] = useState(NONE)
  const { chosen, all } = selected.filters === filters ? selected : NONE
  const last = useRef<string>(undefined)
  const choose = (next: ReadonlySet<string>) => setSelected({ filters, chosen: next, all: false })
  const clear = () => setSelected(NONE)
  // also for whoever comes back to them
  useEffect(() => setSelected((old) => (old.filters === filters ? old : NONE)), [filters])
  const wholePage = visible.length > 0 && visible.every((key) => chosen.has(key))
  return {
    keys: [...chosen],
    /** True if all rows that match the filters are selected. */
    all,
    wholePage,
    selectAll: () => setSelected({ filters, chosen, all: true }),
    clear,
    /** Props of the checkbox for the whole page. */
    pageBox: {
      checked: wholePage,
      // until they have loaded
      disabled: visible.length === 0,
      onChange: ({ target }: ChangeEvent<HTMLInputElement>) =>
        choose(withSelection(chosen, visible, target.checked)),
    },
    /** Props of the checkbox of one row. */
    boxOf: (key: string) => ({
      checked: chosen.has(key),
      onChange: ({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
        const shift = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey
        const from = shift ? last.current : undefined
        choose(toggled(chosen, visible, { key, on: target.checked, from }))
        last.current = key
      },
    }),
  }
}
