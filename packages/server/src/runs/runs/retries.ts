import { errorCode, errorText } from '../../errors/members.ts'

/** Between attempts. They pass on the run's clock only. */
export const PAUSES_MS = [500, 1_000, 2_000, 4_000, 6_000]
const MOST = 5

const CONNECTION =
  /^(?:ECONNREFUSED|ETIMEDOUT|ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|UND_ERR_CONNECT_TIMEOUT)$/

/** A failed attempt: what was thrown, or a status. */
export type Failed = { error: unknown } | { status: number }

/** How often a failed request is sent again, and after which failures: `#rc=3&rp=ct,5xx` in its URL. */
export function retriesOf(url: string, unsaid = 0) {
  const hash = new URLSearchParams(url.split('#')[1] ?? '')
  const asked = Number.parseInt(hash.get('rc') ?? '', 10)
  const count = Math.min(MOST, Math.abs(asked || unsaid))
  const on = (hash.get('rp') ?? 'ct').split(',').map((word) => word.trim())
  return {
    count,
    retries: (failed: Failed) => on.includes('all') || on.includes(kindOf(failed)),
  }
}

function kindOf(failed: Failed): string {
  if ('status' in failed) return `${Math.floor(failed.status / 100)}xx`
  for (let e = failed.error; e instanceof Error; e = e.cause)
    if (CONNECTION.test(errorCode(e) ?? '')) return 'ct'
  // the platform's own time limit for headers has another name, which `rt` does not match
  return errorText(failed.error, 'name') === 'AbortError' ? 'ct' : ''
}

/** A URL as it is sent: without its hash. */
export const withoutHash = (url: string) => url.split('#')[0]!
