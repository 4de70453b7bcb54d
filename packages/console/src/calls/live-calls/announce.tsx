import { useEffect, useRef, useState } from 'react'

const PAUSE_MS = 10_000

/** Says what has changed to those who do not see it, but not at every change. */
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
