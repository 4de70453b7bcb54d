import type { ConversationEntry } from '@switchroom/contract'
import { type RefObject, useContext, useEffect, useMemo } from 'react'
import { PlaybackContext } from '../player/playback-store'
import { currentAt, startsOf } from './follow'

/** Marks the entry that is being heard, and scrolls to it with `isFollowing`. */
export function useFollow(
  list: RefObject<HTMLOListElement | null>,
  entries: readonly ConversationEntry[],
  recording: number | null,
  isFollowing: boolean,
) {
  const { get, subscribe } = useContext(PlaybackContext)
  const starts = useMemo(() => startsOf(entries), [entries])
  useEffect(() => {
    if (recording === null) return
    let marked: Element | undefined
    const mark = (next: Element | undefined) => {
      if (next === marked) return
      marked?.removeAttribute('aria-current')
      next?.setAttribute('aria-current', 'true')
      marked = next
      if (isFollowing) next?.scrollIntoView({ block: 'nearest' })
    }
    // with every frame, so without rendering
    const look = () => {
      const playing = get()
      const isHeard = playing?.status === 'ready' && (playing.isPlaying || playing.at > 0)
      const index = isHeard ? currentAt(starts, recording + playing.at * 1_000) : undefined
      mark(index === undefined ? undefined : list.current?.children[index])
    }
    look()
    const leave = subscribe(look)
    return () => {
      leave()
      mark(undefined)
    }
  }, [list, starts, recording, isFollowing, get, subscribe])
}
