import { z } from 'zod'
import { Sid } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'
import { IntegerOrNull, StringOrNull } from '../wire/fields.ts'
import { keysOf } from '../wire/records.ts'
import { t } from '../wire/text.ts'
import { PROBE_OUTCOMES } from './probe-outcomes.ts'

const OUTCOMES = keysOf(PROBE_OUTCOMES)

export const PROBE_TRANSPORTS = ['udp', 'tcp', 'tls'] as const
export const PROBE_REASON_MAX = 200

export const GatewayProbe = z.object({
  sip_gateway_sid: z.string(),
  /** ISO 8601, UTC. */
  at: z.string(),
  outcome: z.enum(OUTCOMES),
  /** The SIP status; null without a response. */
  status: IntegerOrNull,
  /** The reason phrase, or why there was no response. */
  reason: StringOrNull,
  /** Time from the first request to the response, in milliseconds. */
  rtt_ms: IntegerOrNull,
  transport: z.enum(PROBE_TRANSPORTS),
  /** The destination of the request. */
  address: z.string(),
})
export type GatewayProbe = z.infer<typeof GatewayProbe>

export const PROBES_SHOWN = 50
export const PROBES_KEPT = 100
/** The shortest time between two probes of a gateway. */
export const PROBE_MIN_INTERVAL_SECONDS = 2

export const PROBE_OUTBOUND_ONLY = t('Only gateways for outbound calls can be probed.')
export const PROBE_TOO_SOON = t('This gateway is being probed or was probed just now.')

export const gatewayProbes = endpoints({
  probe: {
    path: '/SipGateways/:sip_gateway_sid/Probe',
    params: z.object({ sip_gateway_sid: Sid }),
    access: 'account',
    method: 'POST',
    summary: 'Send a SIP OPTIONS request to a gateway, from this server',
    own: true,
    response: GatewayProbe,
  },
  ofCarrier: {
    path: '/VoipCarriers/:voip_carrier_sid/Probes',
    params: z.object({ voip_carrier_sid: Sid }),
    access: 'account',
    method: 'GET',
    summary: 'List recent probes of a carrier’s gateways, newest first',
    own: true,
    response: z.array(GatewayProbe),
  },
})
