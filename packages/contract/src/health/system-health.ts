import { z } from 'zod'
import { COSTS } from '../wire/costs.ts'
import { endpoints } from '../wire/endpoint.ts'
import { keysOf } from '../wire/records.ts'
import { HEALTH_PARTS, HEALTH_STATES, STORED } from './health-parts.ts'

/** `rows` is about right: what came twice counts twice for a while. */
const Stored = z.object({
  what: z.enum(STORED),
  rows: z.number(),
  bytes: z.number(),
  oldest_day: z.iso.date().nullable(),
})
export type Stored = z.infer<typeof Stored>

export const HealthPart = z.object({
  part: z.enum(keysOf(HEALTH_PARTS)),
  state: z.enum(HEALTH_STATES),
  /** When it went into this state. */
  since: z.iso.datetime(),
  /** What it reports now: the reason if it is not ok. */
  sentence: z.string().nullable(),
  /** The latest error, kept after the part has recovered. */
  last_error: z.object({ at: z.iso.datetime(), sentence: z.string() }).nullable(),
  checked_at: z.iso.datetime(),
  /** Only of a store that tells. */
  stored: z.array(Stored).optional(),
})
export type HealthPart = z.infer<typeof HealthPart>

export const SystemHealth = z.object({
  /** The worst state of all parts. */
  state: z.enum(HEALTH_STATES),
  version: z.string(),
  started_at: z.iso.datetime(),
  /** The host that answered, where several run beside each other. */
  host: z.string(),
  parts: z.array(HealthPart),
  /** How many of each an account may have; 0 is unlimited. */
  quotas: z.object({
    phone_numbers: z.number(),
    applications: z.number(),
    users: z.number(),
    audit_entries: z.number(),
  }),
})
export type SystemHealth = z.infer<typeof SystemHealth>

/** Costly requests of one tenant that run or wait. */
const TenantLoad = z.object({
  kind: z.enum(['administrators', 'service_provider', 'account', 'network']),
  /** Null of the administrators, and of the network of callers who are not logged in. */
  sid: z.string().nullable(),
  /** Null of the administrators, and of an account that was deleted meanwhile. */
  name: z.string().nullable(),
  running: z.number(),
  waiting: z.number(),
})
export type TenantLoad = z.infer<typeof TenantLoad>

/** Costly requests of one kind that run or wait on the server that answered. */
const Turns = z.object({
  work: z.enum(COSTS),
  running: z.number(),
  waiting: z.number(),
  limits: z.object({
    /** How many of one tenant run at once, and how many more may wait. */
    at_once: z.number(),
    waiting: z.number(),
    /** How many of all tenants run at once; null is unlimited. */
    at_once_in_all: z.number().nullable(),
  }),
  /** Those with the most waiting first. */
  tenants: z.array(TenantLoad),
  /** Number of further tenants, which are not listed. */
  others: z.number(),
})
export type Turns = z.infer<typeof Turns>

export const systemHealth = endpoints({
  view: {
    path: '/SystemHealth',
    access: 'admin',
    method: 'GET',
    summary: 'Get the state of every part that this server depends on',
    own: true,
    response: SystemHealth,
  },
  check: {
    path: '/SystemHealth/Check',
    access: 'admin',
    method: 'POST',
    summary: 'Check every part now that was not checked just now',
    own: true,
    allowViewOnly: true,
    response: SystemHealth,
  },
  turns: {
    path: '/SystemHealth/Turns',
    access: 'admin',
    method: 'GET',
    summary: 'Get who has costly requests running and waiting, and the limits',
    own: true,
    response: z.array(Turns),
  },
})
