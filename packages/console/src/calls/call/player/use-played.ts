import { useContext, useEffect } from 'react'
import { PlaybackContext } from './playback-store'

/**
 * Tells what time is heard, on the clock of `start`, when the recording begins: with every frame while it plays, so without
 * rendering. Undefined before it is played. `show` is to be the same function as long as it shows the same.
 */
export function usePlayed(
  start: number | null | undefined,
  show: (now: number | undefined) => void,
) {
  const { get, subscribe } = useContext(PlaybackContext)
  useEffect(() => {
    if (start === null || start === undefined) return
    const look = () => {
      const playing = get()
      const isHeard = playing?.status === 'ready' && (playing.isPlaying || playing.at > 0)
      show(isHeard ? start + playing.at * 1_000 : undefined)
    }
    look()
    const leave = subscribe(look)
    return () => {
      leave()
      show(undefined)
    }
  }, [start, show, get, subscribe])
}
