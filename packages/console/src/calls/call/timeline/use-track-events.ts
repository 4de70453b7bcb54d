import { type RefObject, useEffect, useEffectEvent } from 'react'
import type { useView } from '../tracing/view'
import type { Range } from './track'

type Props = {
  range: Range
  /** A time as a share of the whole axis. */
  around: (at: number) => number
  onPoint: (at: number, isClick: boolean) => void
} & Pick<ReturnType<typeof useView>, 'zoom' | 'move'>

/**
 * The pointer leads the cursor, and a click sets it. With Ctrl the wheel zooms around the pointer; with Shift, or
 * sideways, it moves along the axis. All of it is in the buttons and sliders too.
 */
export function useTrackEvents(
  box: RefObject<HTMLElement | null>,
  { range: { from, to }, around, onPoint, zoom, move }: Props,
) {
  const timeAt = (e: MouseEvent) => {
    const track = e.target instanceof Element && e.target.closest('[data-track]')
    if (!track) return undefined
    const { left, width } = track.getBoundingClientRect()
    return from + Math.min(1, Math.max(0, (e.clientX - left) / width)) * (to - from)
  }
  const onPointer = useEffectEvent((e: MouseEvent) => {
    const at = timeAt(e)
    if (at !== undefined) onPoint(at, e.type === 'click')
  })
  const onWheel = useEffectEvent((e: WheelEvent) => {
    if (e.ctrlKey) {
      const at = timeAt(e)
      if (at === undefined) return
      e.preventDefault()
      zoom(Math.exp(-e.deltaY / 300), around(at))
    } else if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) {
      e.preventDefault()
      move((e.deltaX || e.deltaY) / 1_000)
    }
  })
  useEffect(() => {
    const element = box.current
    if (!element) return
    element.addEventListener('pointermove', onPointer, { passive: true })
    element.addEventListener('click', onPointer)
    // not passive, so that it can keep the page from zooming
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => {
      element.removeEventListener('pointermove', onPointer)
      element.removeEventListener('click', onPointer)
      element.removeEventListener('wheel', onWheel)
    }
  }, [box])
}
