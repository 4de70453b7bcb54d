import type { JudgedKind } from '@switchroom/contract'
import { query } from '../api'
import { thingVerdicts } from '../endpoints'

const REFRESH_MS = 30_000

/** State of resources. It is shown beside them, so its failure is not reported elsewhere. */
export const verdictsOf = (kind: JudgedKind, sids: readonly string[]) => ({
  ...query(thingVerdicts.list, { query: { kind, sids: sids.join() } }),
  meta: { background: true as const },
  refetchInterval: REFRESH_MS,
})
