import { useCallback, useEffect, useRef, useState } from 'react'
import { messageOf } from '../lib/failure'

export type Playback =
  | { state: 'loading'; of: string }
  | { state: 'ready'; of: string; url: string; broken?: boolean }
  | { state: 'failed'; of: string; reason: string }

/** The audio of the last request. Late responses of earlier ones are dropped, and replaced URLs revoked. */
export function useSpeechSample() {
  const [heard, setHeard] = useState<Playback>()
  const last = useRef<{ requests: number; url?: string }>({ requests: 0 })
  useEffect(() => {
    const { current } = last
    return () => {
      current.requests++
      if (current.url) URL.revokeObjectURL(current.url)
    }
  }, [])
  const begin = useCallback(() => {
    const { current } = last
    if (current.url) URL.revokeObjectURL(current.url)
    return ++current.requests
  }, [])
  const load = useCallback(
    async (of: string, sound: () => Promise<Blob>) => {
      const { current } = last
      const mine = begin()
      setHeard({ state: 'loading', of })
      try {
        const blob = await sound()
        if (mine !== current.requests) return
        current.url = URL.createObjectURL(blob)
        setHeard({ state: 'ready', of, url: current.url })
      } catch (error) {
        if (mine === current.requests) setHeard({ state: 'failed', of, reason: messageOf(error) })
      }
    },
    [begin],
  )
  const stop = useCallback(() => {
    begin()
    setHeard(undefined)
  }, [begin])
  const broken = () => setHeard((h) => (h?.state === 'ready' ? { ...h, broken: true } : h))
  return { heard, load, stop, broken }
}
