import { HEALTH_PARTS, type HealthPart, type HealthState, systemHealth } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../lib/api'
import { LoadError } from '../../lib/load-error'
import { PageHeader } from '../../ui/page-header'
import { LoadingState } from '../../ui/states'
import { Status } from '../../ui/status'

const STATES = {
  ok: { tone: 'ok', text: 'OK' },
  degraded: { tone: 'warn', text: 'Degraded' },
  failing: { tone: 'bad', text: 'Failing' },
} as const satisfies Record<HealthState, object>

const REFRESH_MS = 5_000

/** The state of every part that this server depends on. */
export function SystemHealth() {
  const health = useQuery({ ...query(systemHealth.view, {}), refetchInterval: REFRESH_MS })
  return (
    <>
      <PageHeader title="System health" />
      {health.data ? (
        <Parts parts={health.data.parts} />
      ) : health.error ? (
        <LoadError error={health.error} retry={health.refetch} />
      ) : (
        <LoadingState text="Loading system health" />
      )}
    </>
  )
}

const Parts = ({ parts }: { parts: HealthPart[] }) => (
  <ul aria-label="Parts">
    {parts.map(({ part, state, sentence }) => (
      <li key={part}>
        {HEALTH_PARTS[part].label} <Status tone={STATES[state].tone}>{STATES[state].text}</Status>{' '}
        {sentence}
      </li>
    ))}
  </ul>
)
