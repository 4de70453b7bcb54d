import { PROBE_FAILURES, type ProbeOutcome } from '../carriers/probe-outcomes.ts'
import { t } from '../wire/text.ts'
import { noticeFinding, probeFinding } from './carrier-verdict.ts'
import { type ThingVerdict, verdictOf } from './thing-states.ts'

/** Facts from which the state of a gateway is derived. */
export type GatewayFacts = {
  is_active: boolean
  outbound: boolean
  /** The latest of the last day, and since when its result is of its kind. */
  probe: { address: string; outcome: ProbeOutcome; since: string } | null
  /** The platform's notice about the gateway. */
  notice: { message: string; since: string } | null
}

/** The state of a gateway. Call records do not name it, so probes and the platform’s notices alone tell. */
export function gatewayVerdict({ is_active, outbound, probe, notice }: GatewayFacts): ThingVerdict {
  if (!is_active)
    return verdictOf([], { state: 'inactive', reason: t('The gateway is turned off.') })
  if (notice) return verdictOf([noticeFinding(notice)])
  if (!outbound)
    return verdictOf([], {
      state: 'not_known',
      reason: t('The gateway is for inbound calls only, which probes cannot test.'),
    })
  if (!probe) return verdictOf([], { state: 'not_known', reason: t('Not probed in 24 h.') })
  if (!PROBE_FAILURES.includes(probe.outcome))
    return verdictOf([], { state: 'ok', reason: t('The gateway answers probes.') })
  return verdictOf([probeFinding(probe)])
}
