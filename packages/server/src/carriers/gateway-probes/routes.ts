import {
  type api,
  PROBE_MIN_INTERVAL_SECONDS,
  PROBE_OUTBOUND_ONLY,
  PROBE_TOO_SOON,
  t,
} from '@switchroom/contract'
import { Failure, found, invalidField } from '../../http/failure.ts'
import type { Handlers } from '../../http/serve.ts'
import type { Live } from '../../live/live.ts'
import * as gateways from '../sip-gateways/queries.ts'
import { refuseToAccounts } from '../voip-carriers/reserved.ts'
import { LIMIT_MS, probe } from './probe.ts'
import * as probes from './queries.ts'

/** Expires by itself when this process dies during a probe. */
const RUNNING_SECONDS = LIMIT_MS / 1000 + 3

/** Allows one probe per gateway at a time, over all processes. Throws 429. */
async function claimProbe(live: Live, key: string) {
  const [running] = await live.get(key)
  // incremented only when unset, so that retries do not extend it
  if (running || (await live.increment(key, RUNNING_SECONDS)) > 1)
    throw new Failure('too_many', PROBE_TOO_SOON, { retry_after: PROBE_MIN_INTERVAL_SECONDS })
}

export const gatewayProbeRoutes: Handlers<typeof api.gatewayProbes> = {
  async probe({ params: { sip_gateway_sid }, scope, ctx: { db, live, outbound, ...ctx } }) {
    refuseToAccounts(ctx, scope)
    const gateway = found(await gateways.findOwn(db, scope, sip_gateway_sid), t('SIP gateway'))
    if (!gateway.outbound) throw invalidField('sip_gateway_sid', PROBE_OUTBOUND_ONLY)
    const key = `switchroom:gateway-probe:${sip_gateway_sid}`
    await claimProbe(live, key)
    const result = { sip_gateway_sid, ...(await probe(gateway, outbound.guard)) }
    // nothing was sent, so the next probe need not wait
    if (result.outcome === 'blocked') await live.remove(key)
    else await live.set(key, '1', PROBE_MIN_INTERVAL_SECONDS)
    await probes.insert(db, result)
    return result
  },

  ofCarrier: async ({ params, scope, ctx }) =>
    found(await probes.ofCarrier(ctx.db, scope, params.voip_carrier_sid), t('carrier')),
}
