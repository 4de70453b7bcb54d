import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PageConfig } from '@switchroom/contract'
import type { RedisOptions } from 'ioredis'
import { z } from 'zod'
import { conflicts } from './config-conflicts.ts'
import type { DatabaseConfig } from './db/open.ts'
import { type Messaging, readMessaging } from './messaging/config.ts'
import { parseNetwork } from './outbound/guard.ts'
import type { HomerOptions } from './stores/captures/homer.ts'
import type { EmbeddedOptions as CaptureOptions } from './stores/captures/store.ts'
import type { EmbeddedOptions } from './stores/traces/store.ts'

/** A flag of the platform's environment: 1 and true are on. */
const flag = z
  .string()
  .optional()
  .transform((v) => v === '1' || v?.toLowerCase() === 'true')
const int = (min: number, max: number, fallback: number) => {
  const error = `must be a whole number from ${min} to ${max}`
  return z.coerce.number({ error }).int(error).min(min, error).max(max, error).default(fallback)
}
const text = z.string().min(1).optional()
/** The lengths are argued for in docs/adr/015-secret-lengths.md. */
const secret = (length: number) =>
  z.string().min(length, `must have at least ${length} characters`).optional()

const listed = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
const Cidr = z.string().refine((network) => {
  try {
    return parseNetwork(network)
  } catch {
    return false
  }
}, 'a network in CIDR, such as 10.0.0.0/8')

/** `host:port`, `[::1]:port` or a port of this machine. */
const Address = z
  .string()
  .regex(/^(?:(?:\[[\da-fA-F:.]+\]|[^\s:[\]/]+):)?\d{1,5}$/, 'host:port')
  .transform((address) => {
    const at = address.lastIndexOf(':')
    const host = address.slice(0, Math.max(0, at)).replace(/^\[|\]$/g, '')
    return { host: host || '127.0.0.1', port: Number(address.slice(at + 1)) }
  })
  .refine(({ port }) => port <= 65_535, 'host:port')

/** Names and meaning are the platform's where it has the variable; ours begin with SWITCHROOM_ or are in the README. */
const Env = z.object({
  NODE_ENV: text,
  HTTP_HOST: z.string().default('127.0.0.1'),
  HTTP_PORT: int(0, 65_535, 3000),
  SWITCHROOM_DATA: z.string().default('./data'),
  SWITCHROOM_ADMIN_PASSWORD: text,
  SWITCHROOM_ALLOW_NETWORKS: z.string().default('').transform(listed).pipe(z.array(Cidr)),
  JAMBONES_LOGLEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info'),
  JWT_SECRET: secret(12),
  ENCRYPTION_SECRET: secret(8),
  LEGACY_CRYPTO: text,
  JWT_EXPIRES_IN: int(1, 525_600, 60),
  LOGIN_ATTEMPTS_MAX_RETRIES: int(1, 1_000, 6),
  LOGIN_ATTEMPTS_TIME: int(1, 604_800, 1800),
  JAMBONES_MYSQL_HOST: text,
  JAMBONES_MYSQL_PORT: int(1, 65_535, 3306),
  JAMBONES_MYSQL_USER: text,
  JAMBONES_MYSQL_PASSWORD: text,
  JAMBONES_MYSQL_DATABASE: text,
  JAMBONES_MYSQL_CONNECTION_LIMIT: int(1, 1_000, 10),
  JAMBONES_MYSQL_REJECT_UNAUTHORIZED: text,
  JAMBONES_MYSQL_SSL_CA_FILE: text,
  JAMBONES_MYSQL_SSL_CERT_FILE: text,
  JAMBONES_MYSQL_SSL_KEY_FILE: text,
  JAMBONES_REDIS_HOST: text,
  JAMBONES_REDIS_PORT: int(1, 65_535, 6379),
  JAMBONES_REDIS_USERNAME: text,
  JAMBONES_REDIS_PASSWORD: text,
  JAMBONES_REDIS_SENTINELS: text,
  JAMBONES_REDIS_SENTINEL_MASTER_NAME: text,
  JAMBONES_REDIS_SENTINEL_USERNAME: text,
  JAMBONES_REDIS_SENTINEL_PASSWORD: text,
  ENABLE_JAMBONES_REDIS_TLS: flag,
  JAMBONES_REDIS_TLS_CA_FILE: text,
  JAMBONES_REDIS_TLS_CERT_FILE: text,
  JAMBONES_REDIS_TLS_KEY_FILE: text,
  JAMBONES_CLUSTER_ID: z.string().default('default'),
  JAMBONES_API_VERSION: z.string().regex(/^\w+$/, 'a version, such as v1').default('v1'),
  K8S: flag,
  K8S_FEATURE_SERVER_SERVICE_NAME: text,
  K8S_FEATURE_SERVER_SERVICE_PORT: int(1, 65_535, 3000),
  JAMBONES_TIME_SERIES_HOST: z
    .string()
    .regex(/^(?:\[[\da-fA-F:.]+\]|[^\s:[\]/@?#]+)(?::\d{1,5})?$/, 'a host, or host:port')
    .optional(),
  SWITCHROOM_INGEST_INFLUX: Address.optional(),
  SWITCHROOM_TELEMETRY_DAYS: int(1, 3_650, 30),
  SWITCHROOM_TELEMETRY_MAX_GB: z.coerce.number().min(0.01).max(1_000_000).default(20),
  JAEGER_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  SWITCHROOM_INGEST_OTLP: Address.optional(),
  SWITCHROOM_INGEST_JAEGER: Address.optional(),
  SWITCHROOM_TRACES_MAX_GB: z.coerce.number().min(0.01).max(1_000_000).default(10),
  JAMBONZ_RECORD_WS_USERNAME: text,
  JAMBONZ_RECORD_WS_PASSWORD: text,
  JAMBONES_RECORD_WS_USERNAME: text,
  JAMBONES_RECORD_WS_PASSWORD: text,
  SWITCHROOM_RECORDINGS_DAYS: int(1, 36_500, 30),
  SWITCHROOM_RECORDINGS_MAX_GB: z.coerce.number().min(0.001).max(1_000_000).default(50),
  SWITCHROOM_RECORDINGS_AT_ONCE: int(1, 100_000, 1_000),
  HOMER_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  HOMER_USERNAME: text,
  HOMER_PASSWORD: text,
  SWITCHROOM_INGEST_HEP: Address.optional(),
  SWITCHROOM_INGEST_HEP_KEY: text,
  SWITCHROOM_CAPTURES_MAX_GB: z.coerce.number().min(0.01).max(1_000_000).default(10),
  JAMBONES_MESSAGING: text,
  JAMBONES_TRUST_PROXY: int(0, 100, 0),
  RATE_LIMIT_BY: z.enum(['system', 'apikey', 'ip']).optional(),
  RATE_LIMIT_WINDOWS_MINS: int(1, 1_440, 5),
  RATE_LIMIT_MAX_PER_WINDOW: int(1, 100_000_000, 6000),
  DISABLE_RATE_LIMITS: flag,
  JAMBONES_ADMIN_CARRIER: flag,
  JAMBONZ_MIN_GATEWAY_NETMASK: z.coerce.number().int().min(0).max(32).optional(),
  APPLY_JAMBONZ_DB_LIMITS: flag,
  JAMBONZ_BASE_URL: z.url().optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  SMTP_FROM: z.string().default('Switchroom <no-reply@localhost>'),
  API_BASE_URL: z.url().optional(),
  DISABLE_LCR: flag,
  DISABLE_JAEGER_TRACING: flag,
  DISABLE_CALL_RECORDING: flag,
  DISABLE_CUSTOM_SPEECH: flag,
  DISABLE_ADDITIONAL_SPEECH_VENDORS: flag,
  DISABLE_DEFAULT_TRUNK_ROUTING: flag,
  ENABLE_ACCOUNT_LIMITS_ALL: flag,
  ENABLE_FORGOT_PASSWORD: flag,
  ENABLE_HOSTED_SYSTEM: flag,
  JAMBONES_HOSTING: flag,
  GOOGLE_CLIENT_ID: text,
  GOOGLE_OAUTH_CLIENT_SECRET: text,
  SWITCHROOM_GOOGLE_ISSUER: z.url({ protocol: /^https?$/ }).default('https://accounts.google.com'),
  GITHUB_CLIENT_ID: text,
  GITHUB_CLIENT_SECRET: text,
  SWITCHROOM_GITHUB_URL: z.url({ protocol: /^https?$/ }).default('https://github.com'),
  SWITCHROOM_GITHUB_API_URL: z.url({ protocol: /^https?$/ }).default('https://api.github.com'),
  DME_API_KEY: text,
  DME_API_SECRET: text,
  DME_BASE_URL: z.url({ protocol: /^https?$/ }).default('https://api.dnsmadeeasy.com/V2.0'),
  SWITCHROOM_INVITE_ONLY: flag,
  SWITCHROOM_TERMS_URL: z.url({ protocol: /^https?$/ }).optional(),
  SWITCHROOM_PRIVACY_URL: z.url({ protocol: /^https?$/ }).optional(),
  AWS_REGION: text,
  DEFAULT_SERVICE_PROVIDER_SID: text,
  STRIPE_API_KEY: text,
  STRIPE_BASE_URL: z
    .url({ protocol: /^https?$/ })
    // the platform's API server has the version in it
    .transform((url) => url.replace(/\/(?:v1\/?)?$/, ''))
    .refine((url) => new URL(url).pathname === '/', 'an address without a path')
    .default('https://api.stripe.com'),
  STRIPE_WEBHOOK_SECRET: text,
  // a secret key pasted here would be shown to everybody
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .regex(/^pk_\w+$/, 'a publishable key, which begins with pk_')
    .optional(),
})
export type Env = z.infer<typeof Env>

export type Config = {
  development: boolean
  host: string
  port: number
  data: string
  admin_password: string | undefined
  log_level: string
  /** Undefined: made on first start and kept in the data folder. */
  jwt_secret: string | undefined
  encryption_secret: string | undefined
  legacy_crypto: boolean
  token_seconds: number
  lock_out: { tries: number; seconds: number }
  database: DatabaseConfig | undefined
  redis: RedisOptions | undefined
  /** The prefix of the platform's sets in Redis. */
  cluster_id: string
  feature_servers: {
    /** The part of their paths. */
    version: string
    /** The one address of all of them, in place of those in Redis. */
    service: string | undefined
  }
  /** Where call records and alerts are: an InfluxDB, or files of our own and for how long. */
  telemetry:
    | { kind: 'influx'; url: string }
    | {
        kind: 'embedded'
        folder: string
        days: number
        max_bytes: number
        /** Where the platform's components send to; undefined: nowhere. */
        listen: { host: string; port: number } | undefined
      }
  /** Where traces are: a Jaeger, or files of our own. */
  traces: { kind: 'jaeger'; url: string } | ({ kind: 'embedded' } & EmbeddedOptions)
  recordings: {
    /** For accounts without a bucket, and for what is on its way. */
    folder: string
    days: number
    max_bytes: number
    /** The most that may come in at the same time. */
    at_once: number
    /** What media servers sign in with; undefined: those of private networks need not. */
    credential: { username: string; password: string } | undefined
  }
  /** Where SIP is kept: in a Homer, or in files of our own. */
  captures: ({ kind: 'homer' } & HomerOptions) | ({ kind: 'embedded' } & CaptureOptions)
  /** Where the platform writes its logs, where that is CloudWatch. */
  aws_region: string | undefined
  /** SMS carriers, and how they are spoken to. */
  messaging: Messaging
  trusted_proxies: number
  rate_limit:
    | { by: 'caller' | 'system' | 'apikey' | 'ip'; minutes: number; max: number }
    | undefined
  admin_carrier: boolean
  min_gateway_netmask: number
  apply_limits: boolean
  /** Internal networks that outbound calls may reach. */
  allow_networks: string[]
  /** Where people reach the console, for links in mails. */
  base_url: string | undefined
  smtp: { url: string; from: string } | undefined
  /** Where people may sign up and in with an account they have elsewhere. */
  oauth: {
    google: { issuer: string; client_id: string; client_secret: string } | undefined
    github: { url: string; api_url: string; client_id: string; client_secret: string } | undefined
  }
  /** DNS Made Easy, where the names of realms are made; undefined: nowhere. */
  dns: { url: string; key: string; secret: string } | undefined
  /** The payment provider of the hosted variant. */
  stripe: { key: string; webhook_secret: string; url: string } | undefined
  page: PageConfig
}

/** Everything that is wrong with the environment, at once. Its lines name variables, never values. */
export class BadConfig extends Error {
  override name = 'BadConfig'
}

/** Reads the environment. Throws `BadConfig`. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  // a variable set to nothing is not set, as in a compose file with an empty default
  const given = Object.fromEntries(Object.entries(environment).filter(([, v]) => v !== ''))
  const problems = new Map<string, string>()
  const values: Record<string, unknown> = {}
  // each on its own, so that what does not fit together is found beside what is wrong in itself
  for (const [name, shape] of Object.entries(Env.shape)) {
    const parsed = shape.safeParse(given[name])
    if (parsed.success) values[name] = parsed.data
    else problems.set(name, parsed.error.issues[0]!.message)
  }
  const env = values as Env
  for (const [name, message] of conflicts(env)) if (!problems.has(name)) problems.set(name, message)
  if (problems.size > 0)
    throw new BadConfig([...problems].map(([name, message]) => `${name}: ${message}`).join('\n'))
  return {
    development: env.NODE_ENV === 'development',
    host: env.HTTP_HOST,
    port: env.HTTP_PORT,
    data: env.SWITCHROOM_DATA,
    admin_password: env.SWITCHROOM_ADMIN_PASSWORD,
    log_level: env.JAMBONES_LOGLEVEL,
    jwt_secret: env.JWT_SECRET,
    encryption_secret: env.ENCRYPTION_SECRET,
    legacy_crypto: env.LEGACY_CRYPTO !== undefined,
    token_seconds: env.JWT_EXPIRES_IN * 60,
    lock_out: { tries: env.LOGIN_ATTEMPTS_MAX_RETRIES, seconds: env.LOGIN_ATTEMPTS_TIME },
    database: mysql(env),
    redis: redis(env),
    cluster_id: env.JAMBONES_CLUSTER_ID,
    feature_servers: {
      version: env.JAMBONES_API_VERSION,
      service: env.K8S
        ? `http://${env.K8S_FEATURE_SERVER_SERVICE_NAME}:${env.K8S_FEATURE_SERVER_SERVICE_PORT}`
        : undefined,
    },
    telemetry: telemetry(env),
    traces: traces(env),
    recordings: recordings(env),
    captures: captures(env),
    aws_region: env.AWS_REGION,
    messaging: readMessaging(env.JAMBONES_MESSAGING),
    trusted_proxies: env.JAMBONES_TRUST_PROXY,
    rate_limit: env.DISABLE_RATE_LIMITS
      ? undefined
      : {
          by: env.RATE_LIMIT_BY ?? 'caller',
          minutes: env.RATE_LIMIT_WINDOWS_MINS,
          max: env.RATE_LIMIT_MAX_PER_WINDOW,
        },
    admin_carrier: env.JAMBONES_ADMIN_CARRIER,
    min_gateway_netmask: env.JAMBONZ_MIN_GATEWAY_NETMASK ?? 0,
    apply_limits: env.APPLY_JAMBONZ_DB_LIMITS,
    allow_networks: env.SWITCHROOM_ALLOW_NETWORKS,
    base_url: env.JAMBONZ_BASE_URL?.replace(/\/+$/, ''),
    smtp: env.SMTP_URL ? { url: env.SMTP_URL, from: env.SMTP_FROM } : undefined,
    oauth: oauth(env),
    dns:
      env.DME_API_KEY && env.DME_API_SECRET
        ? {
            url: env.DME_BASE_URL.replace(/\/+$/, ''),
            key: env.DME_API_KEY,
            secret: env.DME_API_SECRET,
          }
        : undefined,
    stripe:
      isHosted(env) && env.STRIPE_API_KEY && env.STRIPE_WEBHOOK_SECRET
        ? {
            key: env.STRIPE_API_KEY,
            webhook_secret: env.STRIPE_WEBHOOK_SECRET,
            url: env.STRIPE_BASE_URL,
          }
        : undefined,
    page: page(env),
  }
}

/** Both spellings are the platform's: the portal's, and the API server's. */
const isHosted = (env: Env) => env.ENABLE_HOSTED_SYSTEM || env.JAMBONES_HOSTING

const content = (file: string | undefined) => (file ? readFileSync(file, 'utf8') : undefined)

function mysql(env: Env): DatabaseConfig | undefined {
  if (!env.JAMBONES_MYSQL_HOST) return undefined
  const ca = content(env.JAMBONES_MYSQL_SSL_CA_FILE)
  const cert = content(env.JAMBONES_MYSQL_SSL_CERT_FILE)
  const key = content(env.JAMBONES_MYSQL_SSL_KEY_FILE)
  const strict = env.JAMBONES_MYSQL_REJECT_UNAUTHORIZED
  return {
    kind: 'mysql',
    host: env.JAMBONES_MYSQL_HOST,
    port: env.JAMBONES_MYSQL_PORT,
    user: env.JAMBONES_MYSQL_USER!,
    password: env.JAMBONES_MYSQL_PASSWORD ?? '',
    database: env.JAMBONES_MYSQL_DATABASE!,
    connectionLimit: env.JAMBONES_MYSQL_CONNECTION_LIMIT,
    ...((ca || cert || strict !== undefined) && {
      ssl: {
        ...(ca && { ca }),
        ...(cert && { cert }),
        ...(key && { key }),
        rejectUnauthorized: strict !== '0' && strict !== 'false',
      },
    }),
  }
}

function telemetry(env: Env): Config['telemetry'] {
  const host = env.JAMBONES_TIME_SERIES_HOST
  if (host) return { kind: 'influx', url: `http://${/:\d+$/.test(host) ? host : `${host}:8086`}` }
  return {
    kind: 'embedded',
    folder: join(env.SWITCHROOM_DATA, 'telemetry'),
    days: env.SWITCHROOM_TELEMETRY_DAYS,
    max_bytes: env.SWITCHROOM_TELEMETRY_MAX_GB * 1e9,
    listen: env.SWITCHROOM_INGEST_INFLUX,
  }
}

function traces(env: Env): Config['traces'] {
  if (env.JAEGER_BASE_URL) return { kind: 'jaeger', url: env.JAEGER_BASE_URL.replace(/\/+$/, '') }
  return {
    kind: 'embedded',
    folder: join(env.SWITCHROOM_DATA, 'traces'),
    days: env.SWITCHROOM_TELEMETRY_DAYS,
    max_bytes: env.SWITCHROOM_TRACES_MAX_GB * 1e9,
    listen: [env.SWITCHROOM_INGEST_OTLP, env.SWITCHROOM_INGEST_JAEGER].filter(
      (at) => at !== undefined,
    ),
  }
}

/** The platform has both spellings. */
export const recorder = (env: Env) => ({
  username: env.JAMBONZ_RECORD_WS_USERNAME ?? env.JAMBONES_RECORD_WS_USERNAME,
  password: env.JAMBONZ_RECORD_WS_PASSWORD ?? env.JAMBONES_RECORD_WS_PASSWORD,
})

function recordings(env: Env): Config['recordings'] {
  const { username, password } = recorder(env)
  return {
    folder: join(env.SWITCHROOM_DATA, 'recordings'),
    days: env.SWITCHROOM_RECORDINGS_DAYS,
    max_bytes: env.SWITCHROOM_RECORDINGS_MAX_GB * 1e9,
    at_once: env.SWITCHROOM_RECORDINGS_AT_ONCE,
    credential: username && password ? { username, password } : undefined,
  }
}

function captures(env: Env): Config['captures'] {
  if (env.HOMER_BASE_URL)
    return {
      kind: 'homer',
      url: env.HOMER_BASE_URL.replace(/\/+$/, ''),
      username: env.HOMER_USERNAME!,
      password: env.HOMER_PASSWORD!,
    }
  return {
    kind: 'embedded',
    folder: join(env.SWITCHROOM_DATA, 'captures'),
    days: env.SWITCHROOM_TELEMETRY_DAYS,
    max_bytes: env.SWITCHROOM_CAPTURES_MAX_GB * 1e9,
    listen: env.SWITCHROOM_INGEST_HEP,
    key: env.SWITCHROOM_INGEST_HEP_KEY,
  }
}

function oauth(env: Env): Config['oauth'] {
  const bare = (url: string) => url.replace(/\/+$/, '')
  return {
    google:
      env.GOOGLE_CLIENT_ID && env.GOOGLE_OAUTH_CLIENT_SECRET
        ? {
            issuer: bare(env.SWITCHROOM_GOOGLE_ISSUER),
            client_id: env.GOOGLE_CLIENT_ID,
            client_secret: env.GOOGLE_OAUTH_CLIENT_SECRET,
          }
        : undefined,
    github:
      env.GITHUB_CLIENT_ID && env.GITHUB_CLIENT_SECRET
        ? {
            url: bare(env.SWITCHROOM_GITHUB_URL),
            api_url: bare(env.SWITCHROOM_GITHUB_API_URL),
            client_id: env.GITHUB_CLIENT_ID,
            client_secret: env.GITHUB_CLIENT_SECRET,
          }
        : undefined,
  }
}

function redis(env: Env): RedisOptions | undefined {
  if (!env.JAMBONES_REDIS_HOST && !env.JAMBONES_REDIS_SENTINELS) return undefined
  const ca = content(env.JAMBONES_REDIS_TLS_CA_FILE)
  const cert = content(env.JAMBONES_REDIS_TLS_CERT_FILE)
  const key = content(env.JAMBONES_REDIS_TLS_KEY_FILE)
  const common: RedisOptions = {
    ...(env.JAMBONES_REDIS_USERNAME && { username: env.JAMBONES_REDIS_USERNAME }),
    ...(env.JAMBONES_REDIS_PASSWORD && { password: env.JAMBONES_REDIS_PASSWORD }),
    ...(env.ENABLE_JAMBONES_REDIS_TLS && {
      tls: { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) },
    }),
  }
  if (!env.JAMBONES_REDIS_SENTINELS)
    return { ...common, host: env.JAMBONES_REDIS_HOST!, port: env.JAMBONES_REDIS_PORT }
  return {
    ...common,
    name: env.JAMBONES_REDIS_SENTINEL_MASTER_NAME!,
    sentinels: env.JAMBONES_REDIS_SENTINELS.split(',').map((entry) => {
      const [host, port] = entry.trim().split(':')
      return { host: host!, port: Number(port ?? 26379) }
    }),
    ...(env.JAMBONES_REDIS_SENTINEL_USERNAME && {
      sentinelUsername: env.JAMBONES_REDIS_SENTINEL_USERNAME,
    }),
    ...(env.JAMBONES_REDIS_SENTINEL_PASSWORD && {
      sentinelPassword: env.JAMBONES_REDIS_SENTINEL_PASSWORD,
    }),
  }
}

function page(env: Env): PageConfig {
  return {
    ...(env.API_BASE_URL && { API_BASE_URL: env.API_BASE_URL.replace(/\/+$/, '') }),
    DISABLE_LCR: env.DISABLE_LCR,
    DISABLE_JAEGER_TRACING: env.DISABLE_JAEGER_TRACING,
    DISABLE_CALL_RECORDING: env.DISABLE_CALL_RECORDING,
    DISABLE_CUSTOM_SPEECH: env.DISABLE_CUSTOM_SPEECH,
    DISABLE_ADDITIONAL_SPEECH_VENDORS: env.DISABLE_ADDITIONAL_SPEECH_VENDORS,
    DISABLE_DEFAULT_TRUNK_ROUTING: env.DISABLE_DEFAULT_TRUNK_ROUTING,
    ENABLE_ACCOUNT_LIMITS_ALL: env.ENABLE_ACCOUNT_LIMITS_ALL,
    ENABLE_FORGOT_PASSWORD: env.ENABLE_FORGOT_PASSWORD,
    // the stock API server's name for it
    ENABLE_HOSTED_SYSTEM: isHosted(env),
    ...(env.GOOGLE_CLIENT_ID && { GOOGLE_CLIENT_ID: env.GOOGLE_CLIENT_ID }),
    ...(env.GITHUB_CLIENT_ID && { GITHUB_CLIENT_ID: env.GITHUB_CLIENT_ID }),
    INVITE_ONLY: env.SWITCHROOM_INVITE_ONLY,
    ...(env.SWITCHROOM_TERMS_URL && { TERMS_URL: env.SWITCHROOM_TERMS_URL }),
    ...(env.SWITCHROOM_PRIVACY_URL && { PRIVACY_URL: env.SWITCHROOM_PRIVACY_URL }),
    ADMIN_CARRIER: env.JAMBONES_ADMIN_CARRIER,
    ...(env.AWS_REGION && { AWS_REGION: env.AWS_REGION }),
    ...(env.DEFAULT_SERVICE_PROVIDER_SID && {
      DEFAULT_SERVICE_PROVIDER_SID: env.DEFAULT_SERVICE_PROVIDER_SID,
    }),
    ...(isHosted(env) &&
      env.STRIPE_PUBLISHABLE_KEY && { STRIPE_PUBLISHABLE_KEY: env.STRIPE_PUBLISHABLE_KEY }),
  }
}
