import { z } from 'zod'
import { SipLadder } from '../calls/captures.ts'
import { DoctorReport } from '../health/doctor.ts'
import { Sid } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'
import { Integer, NumberOrNull, StringOrNull } from '../wire/fields.ts'
import { t } from '../wire/text.ts'

/**
 * The steps to a first call, in the order of the list. A service provider has all but `realm` and `client`; an account
 * has those that are its own business. `platform` is the administrators'.
 */
export const STEPS = [
  'platform',
  'provider',
  'carrier',
  'realm',
  'client',
  'application',
  'number',
  'sbc',
  'calls',
  'traces',
  'sip',
  'recordings',
  'call',
] as const
export type Step = (typeof STEPS)[number]

/** Why a step is open. */
export const OPEN_REASONS = [
  /** The server has a database of its own, which no component of the platform reads. */
  'alone',
  /** The service provider has the name that the first start gave it. */
  'unnamed',
  'no_carrier',
  'no_gateway',
  'no_realm',
  'no_client',
  'no_application',
  /** There is one, but the account's SIP clients do not reach it. */
  'not_for_clients',
  'no_number',
  /** No phone number has an application. */
  'unrouted',
  'no_sbc',
  /** Neither does this server listen for them, nor does it read them elsewhere. */
  'off',
  /** No account records its calls. */
  'not_recording',
  'no_call',
  /** The latest calls have none. */
  'missing',
  'unanswered',
  /** The store cannot be read. */
  'unavailable',
] as const
export type OpenReason = (typeof OPEN_REASONS)[number]

/** An address where components send call data. */
const Door = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('off') }),
  /** This server listens; `host` is what it is bound to. */
  z.object({ kind: z.literal('here'), host: z.string(), port: Integer }),
  /** Another server that this one reads from. */
  z.object({ kind: z.literal('elsewhere') }),
])
export type Door = z.infer<typeof Door>

const LatestCall = z.object({
  account_sid: StringOrNull,
  call_sid: StringOrNull,
  attempted_at: z.string(),
  sip_status: NumberOrNull,
  termination_reason: StringOrNull,
})

export const GettingStarted = z.object({
  /** `open` is null for a step that is done. */
  steps: z.array(z.object({ step: z.enum(STEPS), open: z.enum(OPEN_REASONS).nullable() })),
  carrier: z.object({ voip_carrier_sid: z.string(), name: z.string() }).nullable(),
  application: z.object({ application_sid: z.string(), name: z.string() }).nullable(),
  /** The one to call: routed, if any is. */
  number: z.object({ phone_number_sid: z.string(), number: z.string() }).nullable(),
  /** Whose sample application, SIP client and realm: the caller's, or the provider's first. */
  account: z
    .object({ account_sid: z.string(), name: z.string(), sip_realm: StringOrNull })
    .nullable(),
  /** The platform's signalling addresses, for the carrier's allow-list. */
  sbcs: z.array(z.object({ ipv4: z.string(), port: Integer })),
  /** Administrators only: others do not run the components. */
  doors: z
    .object({
      calls: Door,
      traces: Door,
      sip: Door,
      /** The database that SBCs and feature servers read their configuration from. */
      database: Door,
    })
    .nullable(),
  latest_call: LatestCall.nullable(),
})
export type GettingStarted = z.infer<typeof GettingStarted>

/** A call that is going on, or has just ended. */
export const FirstCall = z.object({
  from: StringOrNull,
  to: StringOrNull,
  is_answered: z.boolean(),
  has_ended: z.boolean(),
  /** Once there is a record. */
  call_sid: StringOrNull,
  account_sid: StringOrNull,
  /** Null until SIP of the call has come in. */
  ladder: SipLadder.nullable(),
})
export type FirstCall = z.infer<typeof FirstCall>

/** The environment variables by which a server is connected to a platform. */
export const PLATFORM_VARIABLES = {
  mysql_host: 'JAMBONES_MYSQL_HOST',
  mysql_port: 'JAMBONES_MYSQL_PORT',
  mysql_user: 'JAMBONES_MYSQL_USER',
  mysql_password: 'JAMBONES_MYSQL_PASSWORD',
  mysql_database: 'JAMBONES_MYSQL_DATABASE',
  redis_host: 'JAMBONES_REDIS_HOST',
  redis_port: 'JAMBONES_REDIS_PORT',
  redis_password: 'JAMBONES_REDIS_PASSWORD',
  jwt_secret: 'JWT_SECRET',
  encryption_secret: 'ENCRYPTION_SECRET',
} as const

const Host = z.string().trim().min(1, t('Required')).max(255)
const Port = z.int().min(1).max(65_535)
const Secret = z.string().max(1_000)
/** How a platform is reached. */
export const PlatformConnection = z.object({
  mysql_host: Host,
  mysql_port: Port,
  mysql_user: z.string().min(1, t('Required')).max(80),
  mysql_password: Secret,
  mysql_database: z.string().min(1, t('Required')).max(64),
  redis_host: Host,
  redis_port: Port,
  redis_password: Secret.optional(),
  /** Secret of the platform's API server. Also used for encryption if there is no other secret. */
  jwt_secret: z.string().min(1, t('Required')).max(1_000),
  encryption_secret: Secret.optional(),
})
export type PlatformConnection = z.infer<typeof PlatformConnection>

export const ALREADY_CONNECTED = t('This server is on the platform’s database already')
export const SERVICE_PROVIDER_NEEDED = t('Select a service provider')
/** Administrators name the provider; others have one. */
const owner = { service_provider_sid: Sid.optional() }

export const gettingStarted = endpoints({
  view: {
    path: '/GettingStarted',
    access: 'account',
    method: 'GET',
    own: true,
    costs: 'searches',
    summary: 'List the steps to a first call, and which are done',
    query: z.object(owner),
    response: GettingStarted,
  },
  call: {
    path: '/GettingStarted/Call',
    access: 'account',
    method: 'GET',
    own: true,
    summary: 'Get the newest call that began after a time, with its SIP so far',
    query: z.object({ ...owner, since: z.iso.datetime() }),
    response: z.object({ call: FirstCall.nullable() }),
  },
  connect: {
    path: '/GettingStarted/Connection',
    access: 'admin',
    method: 'POST',
    own: true,
    idempotent: true,
    summary: 'Check whether this server could run on a platform’s MySQL and Redis; changes nothing',
    body: PlatformConnection,
    response: DoctorReport,
  },
})
