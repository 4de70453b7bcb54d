import { type RefObject, useCallback, useEffect, useRef } from 'react'
import type { Cursor } from '../cursor'
import { usePlayed } from '../player/use-played'
import { currentAt, type Start } from './follow'
import { rowAt } from './use-row-keys'

/**
 * Marks the row at the cursor, which what is heard moves, and scrolls to it with `isFollowing` and as the list is shown.
 * `starts` must not change with each render.
 */
export function useFollow(
  list: RefObject<HTMLOListElement | null>,
  starts: readonly Start[],
  recording: number | null,
  cursor: Cursor,
  { isFollowing, isShown = true }: { isFollowing: boolean; isShown?: boolean },
) {
  const { get, set, subscribe } = cursor
  const marked = useRef<Element>(undefined)
  const mark = useCallback(() => {
    const now = get()
    const index = now === undefined ? undefined : currentAt(starts, now)
    const next = index === undefined ? undefined : rowAt(list.current, index)
    if (next === marked.current) return
    marked.current?.removeAttribute('aria-current')
    next?.setAttribute('aria-current', 'true')
    marked.current = next
    if (isFollowing) next?.scrollIntoView({ block: 'nearest' })
  }, [get, list, starts, isFollowing])
  useEffect(() => {
    mark()
    return subscribe(mark)
  }, [mark, subscribe])

  const isHeard = useRef(false)
  const hear = useCallback(
    (now: number | undefined) => {
      // what was never heard has no part in where the cursor is
      if (now === undefined && !isHeard.current) return
      isHeard.current = now !== undefined
      set(now)
    },
    [set],
  )
  usePlayed(recording, hear)

  useEffect(() => {
    if (isShown) marked.current?.scrollIntoView({ block: 'nearest' })
  }, [isShown])
}
