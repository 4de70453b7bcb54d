import { z } from 'zod'
import { COSTS } from '../wire/costs.ts'
import { endpoints } from '../wire/endpoint.ts'
import { NumberOrNull, StringOrNull } from '../wire/fields.ts'
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
  /** Time of the change to this state. */
  since: z.iso.datetime(),
  /** Current report: the reason if the part is not ok. */
  sentence: StringOrNull,
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
  /** Limits per account; 0 is unlimited. */
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
  sid: StringOrNull,
  /** Null of the administrators, and of an account that was deleted meanwhile. */
  name: StringOrNull,
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
    /** Requests of one tenant that run at once, and that may wait besides. */
    at_once: z.number(),
    waiting: z.number(),
    /** Requests of all tenants that run at once; null is unlimited. */
    at_once_in_all: NumberOrNull,
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
    summary: 'Check every part now, except those just checked',
    own: true,
    allowViewOnly: true,
    response: SystemHealth,
  },
  turns: {
    path: '/SystemHealth/Turns',
    access: 'admin',
    method: 'GET',
    summary: 'Get the costly requests that run and wait, by tenant, and their limits',
    own: true,
    response: z.array(Turns),
  },
})
