import { z } from 'zod'
import { addressKind } from '../carriers/gateway-rules.ts'
import { CarrierSelection } from '../carriers/voip-carriers.ts'
import { FlagIn, Int, Sid, SidOrNull } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'
import { Integer, IntegerOrNull, StringOrNull } from '../wire/fields.ts'
import { t } from '../wire/text.ts'
import { STEP_KINDS, STEP_PROGRAMS, STEP_RESULTS } from './routing.ts'
import { PATTERN_MAX, ROUTING_RULES } from './routing-lint.ts'

const Step = z.object({
  kind: z.enum(STEP_KINDS),
  result: z.enum(STEP_RESULTS),
  reason: z.string(),
  program: z.enum(STEP_PROGRAMS).optional(),
  because: z.literal('plus').optional(),
})

const Finding = z.object({
  rule: z.enum(ROUTING_RULES),
  route: IntegerOrNull,
  message: z.string(),
  example: z.string(),
  fix: z
    .union([z.object({ pattern: z.string() }), z.object({ remove: z.literal(true) })])
    .optional(),
})

/** A number as dialed, including the plus. */
const Dialed = z.string().trim().max(64)

const DraftRoute = z.object({
  regex: z.string().max(PATTERN_MAX),
  priority: Int(0, 2_147_483_647),
  description: z.string().max(1024).nullable().default(null),
  lcr_carrier_set_entries: z
    .array(
      z.object({
        voip_carrier_sid: Sid,
        priority: Int(0, 2_147_483_647).default(0),
        workload: Int(0, 2_147_483_647).default(1),
      }),
    )
    .max(100)
    .default([]),
})

export const SIMULATED_ROUTES_MAX = 500

/** The routes of a full table, and the default route. */
const REPLAYED_ROUTES_MAX = 1_001
const REPLAYED_GATEWAYS_MAX = 1_000

export const OutboundSimulation = z
  .object({
    account_sid: Sid.optional(),
    service_provider_sid: Sid.optional(),
    /** Number to simulate. Without it, the routes are only checked for mistakes. */
    number: Dialed.default(''),
    /** The caller's number. */
    from: Dialed.optional(),
    /** The carrier that the application names. */
    trunk: z.string().trim().max(64).optional(),
    /** The carrier that a forwarded call came in on. */
    inbound_carrier_sid: Sid.optional(),
    /** Unsaved routes, used in place of the stored ones. */
    lcr: z.object({ routes: z.array(DraftRoute).max(SIMULATED_ROUTES_MAX) }).optional(),
  })
  .refine((b) => b.account_sid || b.service_provider_sid, {
    path: ['account_sid'],
    message: t('Choose an account or a service provider'),
  })

export const OutboundSimulationResult = z.object({
  outcome: z.enum(['routed', 'random', 'failed', 'none']),
  steps: z.array(Step),
  /** The routing table in use; null for a draft. */
  lcr_sid: StringOrNull,
  findings: z.array(Finding),
})

export const InboundSimulation = z.object({
  /** The account whose SIP realm is called; otherwise the platform's own address. */
  account_sid: Sid.optional(),
  source: z
    .string()
    .trim()
    .refine((a) => addressKind(a) === 'ip', t('Please provide a valid IP address')),
  number: Dialed.min(1),
  /** The user that the call authenticates as, with the password of a trunk of the account or its provider. */
  username: z.string().trim().max(64).optional(),
})

export const InboundSimulationResult = z.object({
  outcome: z.enum(['answered', 'failed']),
  steps: z.array(Step),
})

/** A routing table as it would be saved. Without a sid it is a new one, of the owner in the body. */
const DraftTable = z.object({
  lcr_sid: Sid.optional(),
  routes: z.array(DraftRoute).max(REPLAYED_ROUTES_MAX),
})

/** A carrier as it would be saved. Without a sid it is a new one, of the owner in the body. */
const DraftCarrier = z.object({
  voip_carrier_sid: Sid.optional(),
  name: z.string().trim().max(64).default(''),
  is_active: FlagIn.default(1),
  /** The account that owns a stored carrier from now on; omitted, it stays. */
  account_sid: SidOrNull.optional(),
  /** All of its SIP gateways; none at all for a carrier that is deleted. */
  sip_gateways: z
    .array(
      z.object({
        /** Sid of a stored gateway, which may be left out now because it does not answer. */
        sip_gateway_sid: Sid.optional(),
        outbound: FlagIn,
        is_active: FlagIn,
      }),
    )
    .max(REPLAYED_GATEWAYS_MAX)
    .default([]),
})

export const Replay = z
  .object({
    /** The owner of what is new. What is stored has its own. */
    account_sid: Sid.optional(),
    service_provider_sid: Sid.optional(),
    lcr: DraftTable.optional(),
    carrier: DraftCarrier.optional(),
    /** Stored carriers that are deactivated, and nothing else. */
    deactivated: CarrierSelection.optional(),
  })
  .refine((b) => b.lcr || b.carrier || b.deactivated, {
    path: ['lcr'],
    message: t('Enter a routing table or a carrier'),
  })
  .refine((b) => !b.deactivated || !(b.lcr || b.carrier), {
    path: ['deactivated'],
    message: t('Leave out the routing table and the other carrier'),
  })
  .refine(
    (b) =>
      b.deactivated ||
      b.lcr?.lcr_sid ||
      b.carrier?.voip_carrier_sid ||
      b.account_sid ||
      b.service_provider_sid,
    { path: ['account_sid'], message: t('Choose an account or a service provider') },
  )

/**
 * The carriers of a call, sorted: none if it would fail; several if the platform picks one at random. The sid and name of a
 * carrier that the caller cannot see are null.
 */
const Way = z.array(z.object({ voip_carrier_sid: StringOrNull, name: StringOrNull }))

export const REPLAY_CALLS_MAX = 100_000
export const REPLAY_CHANGES_MAX = 200

export const ReplayResult = z.object({
  /** Number of replayed calls of the last 24 hours. */
  calls: Integer,
  /** True if only the newest 100,000 calls were read. */
  capped: z.boolean(),
  /** Calls that find a carrier now but not with the draft. */
  lost: Integer,
  /** Calls that find no carrier now but do with the draft. */
  gained: Integer,
  /** Calls that would leave by another carrier. */
  rerouted: Integer,
  /** Ways that more or fewer calls would take, the largest difference first. */
  ways: z.array(z.object({ carriers: Way, before: Integer, after: Integer })),
  /** Lost calls first, then by the number of calls. */
  changes: z
    .array(
      z.object({
        account_sid: z.string(),
        account_name: z.string(),
        number: z.string(),
        calls: Integer,
        before: Way,
        after: Way,
      }),
    )
    .max(REPLAY_CHANGES_MAX),
  /** Number of all calls, shown or not. */
  changed_numbers: Integer,
  /** Calls that left by a carrier that today's routes do not give, so that an application named it: it stays. */
  named: Integer,
  /** The same where routes or carriers changed in the meantime, so that it is not known: replayed as today's routes give. */
  unexplained: Integer,
  /** True if it is not known which gateways are left out now. */
  avoided_unknown: z.boolean(),
  /** True if some calls have two routing tables, either of which the platform may use. */
  ambiguous: z.boolean(),
  /** Set if nothing was compared because a pattern takes too long to match, or there are too many routes. */
  too_slow: z.object({ pattern: StringOrNull }).nullable(),
})
export type ReplayResult = z.infer<typeof ReplayResult>

const simulation = { method: 'POST', access: 'account', own: true, allowViewOnly: true } as const

export const routeSimulations = endpoints({
  outbound: {
    ...simulation,
    path: '/RouteSimulations/Outbound',
    summary: 'Simulate an outbound call',
    costs: 'simulations',
    body: OutboundSimulation,
    response: OutboundSimulationResult,
  },
  inbound: {
    ...simulation,
    path: '/RouteSimulations/Inbound',
    summary: 'Simulate an inbound call',
    costs: 'simulations',
    body: InboundSimulation,
    response: InboundSimulationResult,
  },
  replay: {
    ...simulation,
    path: '/RouteSimulations/Replay',
    summary: 'Compare the routes of the last 24 hours’ outbound calls now and with a draft',
    body: Replay,
    maxBody: 1_048_576,
    costs: 'comparisons',
    response: ReplayResult,
  },
})
