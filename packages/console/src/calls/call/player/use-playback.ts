import { type RefObject, useEffect, useState } from 'react'

/** State of an audio element. `length` is 0 until known; `broken` if it cannot be played. */
export function usePlayback(audio: RefObject<HTMLAudioElement | null>) {
  const [now, setNow] = useState({ isPlaying: false, at: 0, length: 0, broken: false })
  useEffect(() => {
    const element = audio.current
    if (!element) return
    let frame = 0
    const look = () => {
      const { paused, currentTime: at, duration, error } = element
      const length = Number.isFinite(duration) ? duration : 0
      setNow({ isPlaying: !paused, at, length, broken: error !== null })
    }
    const follow = () => {
      look()
      frame = element.paused ? 0 : requestAnimationFrame(follow)
    }
    const start = () => {
      cancelAnimationFrame(frame)
      follow()
    }
    for (const event of EVENTS) element.addEventListener(event, start)
    start()
    return () => {
      cancelAnimationFrame(frame)
      for (const event of EVENTS) element.removeEventListener(event, start)
      element.pause()
    }
  }, [audio])
  return now
}

const EVENTS = ['play', 'pause', 'ended', 'seeked', 'timeupdate', 'durationchange', 'error']

const JUMP = 15

/** The target of a jump, limited to the recording without its last second. */
export const jumpTarget = (at: number, by: 1 | -1, length: number) =>
  Math.max(0, Math.min(Math.max(0, length - 1), at + by * JUMP))

const two = (n: number) => String(n).padStart(2, '0')

/** mm:ss */
export const clock = (seconds: number) => {
  const s = Math.max(0, Math.floor(seconds))
  return `${two(Math.floor(s / 60))}:${two(s % 60)}`
}
