import { z } from 'zod'
import { addressKind } from '../carriers/gateway-rules.ts'
import { Int, Sid } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'
import { STEP_KINDS, STEP_RESULTS } from './routing.ts'
import { PATTERN_MAX, ROUTING_RULES } from './routing-lint.ts'

const Step = z.object({
  kind: z.enum(STEP_KINDS),
  result: z.enum(STEP_RESULTS),
  reason: z.string(),
})

const Finding = z.object({
  rule: z.enum(ROUTING_RULES),
  route: z.number().int().nullable(),
  message: z.string(),
  example: z.string(),
  fix: z
    .union([z.object({ pattern: z.string() }), z.object({ remove: z.literal(true) })])
    .optional(),
})

/** As dialed, including the plus. */
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

export const OutboundSimulation = z
  .object({
    account_sid: Sid.optional(),
    service_provider_sid: Sid.optional(),
    /** Without a number the routes are only checked for mistakes. */
    number: Dialed.default(''),
    /** Unsaved routes, used in place of the stored ones. */
    lcr: z.object({ routes: z.array(DraftRoute).max(SIMULATED_ROUTES_MAX) }).optional(),
  })
  .refine((b) => b.account_sid || b.service_provider_sid, {
    path: ['account_sid'],
    message: 'Choose an account or a service provider',
  })

export const OutboundSimulationResult = z.object({
  outcome: z.enum(['routed', 'random', 'failed', 'none']),
  steps: z.array(Step),
  /** The routing table in use; null for a draft. */
  lcr_sid: z.string().nullable(),
  findings: z.array(Finding),
})

export const InboundSimulation = z.object({
  /** The account whose SIP realm is called; otherwise the platform's own address. */
  account_sid: Sid.optional(),
  source: z
    .string()
    .trim()
    .refine((a) => addressKind(a) === 'ip', 'Please provide a valid IP address'),
  number: Dialed.min(1),
})

export const InboundSimulationResult = z.object({
  outcome: z.enum(['answered', 'failed']),
  steps: z.array(Step),
})

const simulation = { method: 'POST', access: 'account', own: true, allowViewOnly: true } as const

export const routeSimulations = endpoints({
  outbound: {
    ...simulation,
    path: '/RouteSimulations/Outbound',
    summary: 'Simulate an outbound call',
    body: OutboundSimulation,
    response: OutboundSimulationResult,
  },
  inbound: {
    ...simulation,
    path: '/RouteSimulations/Inbound',
    summary: 'Simulate an inbound call',
    body: InboundSimulation,
    response: InboundSimulationResult,
  },
})
