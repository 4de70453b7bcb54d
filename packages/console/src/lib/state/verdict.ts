import type { JudgedKind, VerdictOfThing } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { query } from '../api'
import { thingVerdicts } from '../endpoints'
import { useCapabilities } from '../use-capabilities'

const REFRESH_MS = 30_000

/** The state of a thing: undefined while it is loaded, null if it cannot be. Only our server tells it. */
export function useVerdict(kind: JudgedKind, sid: string) {
  const isOurs = !!useCapabilities()
  const asked = useQuery({
    ...query(thingVerdicts.list, { query: { kind, sids: sid } }),
    meta: { background: true as const },
    refetchInterval: REFRESH_MS,
    enabled: isOurs,
  })
  const [verdict = asked.data || asked.error ? null : undefined]: (
    | VerdictOfThing
    | null
    | undefined
  )[] = asked.data ?? []
  return { isOurs, verdict, refetch: () => void asked.refetch() }
}
