import { type HealthPart, t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { apiBase } from '../../lib/config'
import { isRecord } from '../../lib/records'

const INTERVAL_MS = 3_000

type Readiness = { failing: string[]; degraded: string[] }

const names = (value: unknown) =>
  Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []

async function fetchReadiness(): Promise<Readiness> {
  const answer = await fetch(apiBase.replace(/\/(?:api\/)?v1$/, '/ready'))
  const body: unknown = await answer.json()
  return isRecord(body)
    ? { failing: names(body.failing), degraded: names(body.degraded) }
    : { failing: [], degraded: [] }
}

/**
 * Readiness that the server tells everyone: names and states. While it cannot check sessions, such as without Redis,
 * it tells nobody more than that.
 */
export const useReadiness = (isNeeded: boolean) =>
  useQuery({
    queryKey: ['ready'],
    queryFn: fetchReadiness,
    enabled: isNeeded,
    refetchInterval: INTERVAL_MS,
    retry: false,
    staleTime: 0,
    meta: { background: true },
  }).data

/** The parts as they were last seen, with the states that everyone may know. */
export function merged(
  parts: readonly HealthPart[],
  { failing, degraded }: Readiness,
): HealthPart[] {
  return parts.map((part) => {
    const state = failing.includes(part.part)
      ? 'failing'
      : degraded.includes(part.part)
        ? 'degraded'
        : undefined
    if (state === undefined || state === part.state) return part
    const at = new Date().toISOString()
    return {
      ...part,
      state,
      since: at,
      checked_at: at,
      sentence: t('Details follow once this server can check your session again.'),
    }
  })
}
