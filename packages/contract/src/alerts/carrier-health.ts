import { z } from 'zod'
import { GatewayProbe } from '../carriers/gateway-probes.ts'
import { Sid, sidsIn } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'
import { Integer, IntegerOrNull, NumberOrNull, StringOrNull } from '../wire/fields.ts'
import { keysOf } from '../wire/records.ts'
import { t } from '../wire/text.ts'
import { CARRIER_REGISTRATIONS, THING_STATES } from './thing-states.ts'

const Finding = z.object({
  state: z.enum(keysOf(THING_STATES)),
  since: StringOrNull,
  reason: z.string(),
  mend: StringOrNull,
  failure_sid: StringOrNull,
  direction: z.enum(['inbound', 'outbound']).nullable(),
})
/** The one state of a thing. */
export const StateOfThing = Finding.extend({ findings: z.array(Finding) })

/** Numbers per clock hour. Index 0 is the hour that begins at `start`. */
export const CarrierHours = z.object({
  start: z.string(),
  calls: z.array(Integer),
  answered: z.array(Integer),
  /** Calls that were not answered. Those with an unknown outcome are in neither. */
  not_answered: z.array(Integer),
  /**
   * Mean seconds from the attempt to the answer, which includes ringing: longer than the post-dial delay. Null
   * without answered calls. With InfluxDB it is the mean of a random sample of each hour.
   */
  seconds_to_answer: z.array(NumberOrNull),
})
export type CarrierHours = z.infer<typeof CarrierHours>

const Counts = z.object({
  calls: Integer,
  answered: Integer,
  not_answered: Integer,
})

const Registration = z.object({
  state: z.enum(CARRIER_REGISTRATIONS),
  reason: StringOrNull,
})

export const CarrierHealth = StateOfThing.extend({
  voip_carrier_sid: z.string(),
  /** Inbound calls in progress: the platform does not record the carrier of outbound ones. Null if unknown. */
  inbound_calls_now: IntegerOrNull,
  /** The last 24 clock hours. */
  hours: CarrierHours,
  /** Their totals. */
  day: Counts.extend({ seconds_to_answer: NumberOrNull }),
  /** The seven days before. */
  baseline: Counts,
  /** Null for a carrier that does not register. */
  registration: Registration.nullable(),
  /** The latest probe of any outbound gateway. */
  last_probe: GatewayProbe.nullable(),
})
export type CarrierHealth = z.infer<typeof CarrierHealth>

/** A call that a carrier did not complete. */
export const CarrierFailure = z.object({
  at: z.string(),
  call_sid: StringOrNull,
  sip_status: NumberOrNull,
  reason: StringOrNull,
})

export const CarrierHealthView = CarrierHealth.extend({
  gateways: z.array(StateOfThing.extend({ sip_gateway_sid: z.string(), address: z.string() })),
  /** The last 30 days, the current hour included. */
  strip: CarrierHours.pick({ start: true, calls: true, answered: true }),
  /** The latest unanswered call of the last seven days. */
  last_failure: CarrierFailure.nullable(),
})
export type CarrierHealthView = z.infer<typeof CarrierHealthView>

export const CarrierTrouble = StateOfThing.extend({
  voip_carrier_sid: z.string(),
  name: z.string(),
})

export type CarrierTrouble = z.infer<typeof CarrierTrouble>

export const CarrierTroubles = z.object({
  /** Carriers whose state is known, and those with too few calls to tell. Without calls or signs of trouble, a carrier is in neither. */
  judged: Integer,
  unjudged: Integer,
  /** True if there are more carriers: only 100 are checked, those with a sign of trouble first. */
  capped: z.boolean(),
  /** Carriers that need somebody, the most urgent first. */
  data: z.array(CarrierTrouble),
})
export type CarrierTroubles = z.infer<typeof CarrierTroubles>

/** The most carriers of one request. */
export const HEALTH_MAX = 100

const sids = t('Enter 1 to {most} carriers, separated by commas', { most: HEALTH_MAX })

export const carrierHealth = endpoints({
  list: {
    path: '/CarrierHealth',
    access: 'account',
    method: 'GET',
    summary:
      'Get the health of carriers: calls, registration and probes. Unknown ones are left out',
    own: true,
    costs: 'figures',
    query: z.object({
      voip_carrier_sids: sidsIn(HEALTH_MAX, sids),
    }),
    response: z.array(CarrierHealth),
  },
  view: {
    path: '/VoipCarriers/:voip_carrier_sid/Health',
    params: z.object({ voip_carrier_sid: Sid }),
    access: 'account',
    method: 'GET',
    summary: 'Get the health of a carrier, with its last 30 days by the hour',
    own: true,
    costs: 'figures',
    response: CarrierHealthView,
  },
  troubles: {
    path: '/CarrierTroubles',
    access: 'account',
    method: 'GET',
    summary: 'List carriers that fail, are degraded or not registered, or whose probes fail',
    own: true,
    costs: 'figures',
    query: z.object({ account_sid: Sid.optional(), service_provider_sid: Sid.optional() }),
    response: CarrierTroubles,
  },
})
