import { lasted } from './lasted'
import { useNow } from './use-live'

/** How long something has lasted by the server's clock, or how long it will. */
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
  return <span className="numbers">{lasted((until ? -ms : ms) / 1_000)}</span>
}
