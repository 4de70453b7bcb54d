import { createContext, useContext, useEffect, useSyncExternalStore } from 'react'
import { oneValue } from '../one-value'
import type { Peaks } from './peaks'

/** The recording of a call as its player has it, for what follows its position. */
export type Playing =
  | { status: 'idle' }
  | { status: 'loading' }
  | {
      status: 'ready'
      peaks: readonly [Peaks, Peaks] | undefined
      /** In seconds. */
      at: number
      length: number
      isPlaying: boolean
      seek: (to: number) => void
      play: () => void
    }

/** Changes with every frame while it plays. */
export const playbackStore = () => oneValue<Playing>()

export const PlaybackContext = createContext(playbackStore())

export const usePlaying = () => {
  const { subscribe, get } = useContext(PlaybackContext)
  return useSyncExternalStore(subscribe, get)
}

/** Renders again only when the recording starts or ends loading, not while it plays. */
export const usePlayingStatus = () => {
  const { subscribe, get } = useContext(PlaybackContext)
  return useSyncExternalStore(subscribe, () => get()?.status)
}

/** In seconds; undefined until the recording is loaded. */
export const useRecordedLength = () => {
  const { subscribe, get } = useContext(PlaybackContext)
  return useSyncExternalStore(subscribe, () => {
    const playing = get()
    return playing?.status === 'ready' && playing.length > 0 ? playing.length : undefined
  })
}

/** Tells what the player has, until it is gone; `isTold`: unless a part of the player tells it. */
export function usePublish(playing: Playing | undefined, isTold = true) {
  const store = useContext(PlaybackContext)
  useEffect(() => {
    if (isTold) store.set(playing)
  })
  useEffect(() => () => store.set(undefined), [store])
}
