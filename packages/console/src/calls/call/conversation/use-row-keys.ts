import { type FocusEvent, type KeyboardEvent, useState } from 'react'

const STEPS: Record<string, (from: number, last: number) => number> = {
  ArrowDown: (from, last) => Math.min(last, from + 1),
  ArrowUp: (from) => Math.max(0, from - 1),
  Home: () => 0,
  End: (_, last) => last,
}

/** The index of the row that an event comes from. */
const rowOf = ({ target }: { target: EventTarget }) =>
  Number(target instanceof Element && target.closest<HTMLElement>('[data-row]')?.dataset.row)

/**
 * Goes through the rows of a list by arrow keys, Home and End. The tab key stops at one of them, `stop`, of which `onStop`
 * tells.
 */
export function useRowKeys(
  count: number,
  onFocusRow: (index: number) => void,
  onStop?: (index: number) => void,
) {
  const [stop, setStop] = useState(0)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (!step || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    onFocusRow(step(rowOf(event), count - 1))
  }
  const onFocus = (event: FocusEvent) => {
    const row = rowOf(event)
    setStop(row)
    onStop?.(row)
  }
  // there may have been more rows
  return { stop: Math.min(stop, Math.max(0, count - 1)), keys: { onKeyDown, onFocus } }
}

/** The row of a list whose rows have `data-row`. */
export const rowAt = (list: Element | null, index: number) =>
  list?.querySelector<HTMLElement>(`[data-row="${index}"]`) ?? undefined

/** Scrolls to a row, and focuses it. */
export function showRow(list: Element | null, index: number) {
  const row = rowAt(list, index)
  if (!row) return
  row.scrollIntoView({ block: 'nearest' })
  row.focus({ preventScroll: true })
}
