import type { KeyboardEvent } from 'react'
import type { Row } from './spans'

const PAGE = 10

/** Keyboard control of the tree and its time axis. */
export function useKeys({
  rows,
  at,
  select,
  toggle,
  zoom,
  move,
  fit,
}: {
  rows: readonly Row[]
  at: number
  select: (index: number) => void
  toggle: (id: string, open: boolean) => void
  zoom: (by: number) => void
  move: (by: number) => void
  fit: () => void
}) {
  const { span, level, open } = rows[at]!
  const isParent = span.children.length > 0
  const keys: Record<string, () => void> = {
    ArrowDown: () => select(at + 1),
    ArrowUp: () => select(at - 1),
    Home: () => select(0),
    End: () => select(rows.length - 1),
    PageDown: () => select(at + PAGE),
    PageUp: () => select(at - PAGE),
    ArrowRight: () => {
      if (isParent && !open) toggle(span.id, true)
      else if (isParent) select(at + 1)
    },
    ArrowLeft: () => {
      if (isParent && open) return toggle(span.id, false)
      const parent = rows.slice(0, at).findLastIndex((row) => row.level < level)
      if (parent >= 0) select(parent)
    },
    Enter: () => isParent && toggle(span.id, !open),
    '+': () => zoom(2),
    '=': () => zoom(2),
    '-': () => zoom(0.5),
    '0': fit,
    '<': () => move(-0.25),
    '>': () => move(0.25),
  }
  return (e: KeyboardEvent) => {
    const act = keys[e.key]
    if (!act || e.ctrlKey || e.metaKey || e.altKey) return
    e.preventDefault()
    act()
  }
}
