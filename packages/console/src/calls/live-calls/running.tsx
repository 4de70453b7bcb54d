import { elapsedText } from './elapsed-text'
import { useNow } from './use-live'

/** Time since, or until, a moment by the server's clock. */
export function Running({
  at,
  skew_ms,
  until = false,
}: {
  at: string
  skew_ms: number
  until?: boolean
}) {
  const ms = useNow() + skew_ms - Date.parse(at)
  return <span className="numbers">{elapsedText((until ? -ms : ms) / 1_000)}</span>
}
