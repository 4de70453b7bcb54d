import { useCallback, useState } from 'react'

/** The visible part of the time axis, both ends between 0 and 1. */
export type View = { from: number; to: number }

/** Zooming in further would pass nanosecond resolution. */
const MIN_WIDTH = 1e-6
const WHOLE: View = { from: 0, to: 1 }

/** Zooms by a factor around a point, which keeps its place on screen. */
export function zoomed({ from, to }: View, by: number, around: number): View {
  const width = Math.min(1, Math.max(MIN_WIDTH, (to - from) / by))
  const share = (around - from) / (to - from)
  return panned({ from: around - share * width, to: around - share * width + width }, 0)
}

/** Moves by a share of the whole, without leaving it. */
export function panned({ from, to }: View, by: number): View {
  const width = to - from
  const start = Math.min(1 - width, Math.max(0, from + by))
  return { from: start, to: start + width }
}

/** The visible part of the time axis as state. */
export function useView() {
  const [view, setView] = useState(WHOLE)
  const zoom = useCallback(
    (by: number, around?: number) =>
      setView((now) => zoomed(now, by, around ?? (now.from + now.to) / 2)),
    [],
  )
  const move = useCallback(
    (by: number) => setView((now) => panned(now, by * (now.to - now.from))),
    [],
  )
  const show = useCallback((next: View) => setView(panned(next, 0)), [])
  return { view, zoom, move, show, fit: useCallback(() => setView(WHOLE), []) }
}
