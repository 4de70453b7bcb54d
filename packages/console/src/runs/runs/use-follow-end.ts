import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** Less than this below the view still counts as its end, in pixels. */
const NEAR = 120
/** Share of the view that is kept for the question when it stands below the list. */
const ABOVE_QUESTION = 0.4

/** Keeps the end of a growing list in view if the user has scrolled there. `side` is beside or below the list. */
export function useFollowEnd(
  list: RefObject<HTMLElement | null>,
  side: RefObject<HTMLElement | null>,
  length: number,
) {
  const wasAtEnd = useRef(true)
  useEffect(() => {
    const look = () => {
      const { bottom = 0 } = list.current?.getBoundingClientRect() ?? {}
      wasAtEnd.current = bottom < innerHeight + NEAR
    }
    look()
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [list])
  const first = useRef(length)
  useLayoutEffect(() => {
    if (length === first.current || !wasAtEnd.current || !list.current) return
    const { bottom } = list.current.getBoundingClientRect()
    const isBelow = side.current && side.current.getBoundingClientRect().top >= bottom
    scrollBy({ top: bottom - innerHeight * (isBelow ? ABOVE_QUESTION : 1) + (isBelow ? 0 : NEAR) })
  }, [list, side, length])
}
