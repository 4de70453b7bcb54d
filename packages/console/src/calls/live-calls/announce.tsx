import { useEffect, useRef, useState } from 'react'

const PAUSE_MS = 10_000

/** Announces changes to screen readers, at most every ten seconds. */
export function Announce({ text }: { text: string }) {
  const [announced, setAnnounced] = useState(text)
  const at = useRef(0)
  useEffect(() => {
    const wait = Math.max(0, at.current + PAUSE_MS - Date.now())
    const timer = setTimeout(() => {
      at.current = Date.now()
      setAnnounced(text)
    }, wait)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <p role="status" className="visually-hidden">
      {announced}
    </p>
  )
}
