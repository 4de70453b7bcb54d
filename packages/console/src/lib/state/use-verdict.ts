import type { JudgedKind, VerdictOfThing } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { useCapabilities } from '../use-capabilities'
import { verdictsOf } from './verdict-query'

/** The state of a thing: undefined while it is loaded, null if it cannot be. Only our server tells it. */
export function useVerdict(kind: JudgedKind, sid: string) {
  const isOurs = !!useCapabilities()
  const { data, error, refetch } = useQuery({ ...verdictsOf(kind, [sid]), enabled: isOurs })
  const verdict: VerdictOfThing | null | undefined = data?.[0] ?? (data || error ? null : undefined)
  return { isOurs, verdict, refetch: () => void refetch() }
}
