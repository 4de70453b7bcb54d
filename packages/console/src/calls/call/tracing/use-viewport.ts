import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import type { useView, View } from './view'

/**
 * The scroll position and height of the rows. With Ctrl the wheel zooms the time axis around the pointer; with
 * Shift, or sideways, it moves along it.
 */
export function useViewport(
  box: RefObject<HTMLDivElement | null>,
  axis: RefObject<HTMLElement | null>,
  { view, zoom, move }: { view: View } & Pick<ReturnType<typeof useView>, 'zoom' | 'move'>,
) {
  const [viewport, setViewport] = useState({ top: 0, height: 600 })
  const onWheel = useEffectEvent((e: WheelEvent) => {
    if (e.ctrlKey) {
      e.preventDefault()
      const { left, width } = axis.current!.getBoundingClientRect()
      const share = Math.min(1, Math.max(0, (e.clientX - left) / width))
      zoom(Math.exp(-e.deltaY / 300), view.from + share * (view.to - view.from))
    } else if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) {
      e.preventDefault()
      move((e.deltaX || e.deltaY) / 1_000)
    }
  })

  useEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => setViewport({ top: element.scrollTop, height: element.clientHeight })
    measure()
    element.addEventListener('scroll', measure, { passive: true })
    // not passive, so that it can keep the page from zooming
    element.addEventListener('wheel', onWheel, { passive: false })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => {
      element.removeEventListener('scroll', measure)
      element.removeEventListener('wheel', onWheel)
      observer.disconnect()
    }
  }, [box])
  return viewport
}
