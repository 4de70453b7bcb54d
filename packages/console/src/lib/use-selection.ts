import { type ChangeEvent, useRef, useState } from 'react'

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

/**
 * Selected rows by key, across pages. Other `filters` clear the selection, since selected rows might no
 * longer be listed.
 */
export function useSelection(visible: readonly string[], filters: string) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [all, setAll] = useState(false)
  const [before, setBefore] = useState(filters)
  const last = useRef<string>(undefined)
  const choose = (next: ReadonlySet<string>) => {
    setChosen(next)
    setAll(false)
  }
  const clear = () => choose(new Set())
  if (before !== filters) {
    setBefore(filters)
    clear()
  }
  const wholePage = visible.length > 0 && visible.every((key) => chosen.has(key))
  return {
    keys: [...chosen],
    /** True if all rows that match the filters are selected. */
    all,
    wholePage,
    selectAll: () => setAll(true),
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
