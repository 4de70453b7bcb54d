import { type RefObject, useCallback, useRef } from 'react'
import { usePlayed } from '../player/use-played'
import { currentAt, type Start } from './follow'

/** Marks the row that is being heard, and scrolls to it with `isFollowing`. `starts` must not change with each render. */
export function useFollow(
  list: RefObject<HTMLOListElement | null>,
  starts: readonly Start[],
  recording: number | null,
  isFollowing: boolean,
) {
  const marked = useRef<Element>(undefined)
  const mark = useCallback(
    (now: number | undefined) => {
      const index = now === undefined ? undefined : currentAt(starts, now)
      const next = index === undefined ? undefined : list.current?.children[index]
      if (next === marked.current) return
      marked.current?.removeAttribute('aria-current')
      next?.setAttribute('aria-current', 'true')
      marked.current = next
      if (isFollowing) next?.scrollIntoView({ block: 'nearest' })
    },
    [list, starts, isFollowing],
  )
  usePlayed(recording, mark)
}
