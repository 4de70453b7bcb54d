import { AccessRulesIn, t } from '@switchroom/contract'
import { z } from 'zod'
import { parseNetwork } from '../outbound/guard.ts'

/** A flag of the platform's environment: 1 or true. */
const flag = z
  .string()
  .optional()
  .transform((v) => v === '1' || v?.toLowerCase() === 'true')
const whole = (min: number, max: number) => {
  const error = t('must be a whole number from {min} to {max}', { min, max })
  return z.coerce.number({ error }).int(error).min(min, error).max(max, error)
}
const int = (min: number, max: number, fallback: number) => whole(min, max).default(fallback)
const text = z.string().min(1).optional()
/** docs/adr/015-secret-lengths.md explains the lengths. */
const secret = (length: number) =>
  z.string().min(length, t('must have at least {length} characters', { length })).optional()

const splitList = (text: string) =>
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
}, t('a CIDR network, such as 10.0.0.0/8'))

/** The value of a variable that holds JSON; undefined for anything else. */
function jsonOrNothing(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

function isUnescapable(text: string) {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** `host:port`, `[::1]:port`, or a local port. */
const Address = z
  .string()
  .regex(/^(?:(?:\[[\da-fA-F:.]+\]|[^\s:[\]/]+):)?\d{1,5}$/, 'host:port')
  .transform((address) => {
    const at = address.lastIndexOf(':')
    const host = address.slice(0, Math.max(0, at)).replace(/^\[|\]$/g, '')
    return { host: host || '127.0.0.1', port: Number(address.slice(at + 1)) }
  })
  .refine(({ port }) => port <= 65_535, 'host:port')

/** Environment variables. The platform's variables keep their names and meaning. `guide/` explains each. */
export const Env = z.object({
  NODE_ENV: text,
  HTTP_HOST: z.string().default('127.0.0.1'),
  HTTP_PORT: int(0, 65_535, 3000),
  SWITCHROOM_DATA: z.string().default('./data'),
  SWITCHROOM_ADMIN_PASSWORD: text,
  SWITCHROOM_DRAIN_SECONDS: int(0, 300, 0),
  SWITCHROOM_MCP: flag,
  SWITCHROOM_PROGRAMS: z.enum(['listed', 'published', 'any']).default('listed'),
  SWITCHROOM_METRICS_TOKEN: secret(16),
  SWITCHROOM_METRICS_NETWORKS: z.string().default('').transform(splitList).pipe(z.array(Cidr)),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .refine(isUnescapable, t('values must be escaped as in URLs'))
    .optional(),
  OTEL_SERVICE_NAME: z.string().default('switchroom'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  SWITCHROOM_PLATFORM_VERSION: z
    .string()
    .regex(/^\d{1,4}\.\d{1,4}\.\d{1,4}$/, t('a version, such as {example}', { example: '10.3.0' }))
    .optional(),
  SWITCHROOM_ALLOW_NETWORKS: z.string().default('').transform(splitList).pipe(z.array(Cidr)),
  JAMBONES_LOGLEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info'),
  JWT_SECRET: secret(12),
  ENCRYPTION_SECRET: secret(8),
  LEGACY_CRYPTO: text,
  JWT_EXPIRES_IN: int(1, 525_600, 60),
  SWITCHROOM_SESSION_HOURS: int(1, 8_760, 24),
  LOGIN_ATTEMPTS_MAX_RETRIES: int(1, 1_000, 6),
  LOGIN_ATTEMPTS_TIME: int(1, 604_800, 1800),
  SWITCHROOM_LOGIN_FAILURES_PER_NETWORK: int(1, 1_000_000, 100),
  JAMBONES_MYSQL_HOST: text,
  JAMBONES_MYSQL_PORT: int(1, 65_535, 3306),
  JAMBONES_MYSQL_USER: text,
  JAMBONES_MYSQL_PASSWORD: text,
  JAMBONES_MYSQL_DATABASE: text,
  JAMBONES_MYSQL_CONNECTION_LIMIT: int(1, 1_000, 10),
  JAMBONES_MYSQL_WRITE_HOST: text,
  JAMBONES_MYSQL_WRITE_PORT: int(1, 65_535, 3306),
  JAMBONES_MYSQL_WRITE_USER: text,
  JAMBONES_MYSQL_WRITE_PASSWORD: text,
  JAMBONES_MYSQL_WRITE_DATABASE: text,
  JAMBONES_MYSQL_WRITE_CONNECTION_LIMIT: whole(1, 1_000).optional(),
  SWITCHROOM_MYSQL_REPLICA_HOST: text,
  SWITCHROOM_MYSQL_REPLICA_PORT: int(1, 65_535, 3306),
  SWITCHROOM_MYSQL_REPLICA_USER: text,
  SWITCHROOM_MYSQL_REPLICA_PASSWORD: text,
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
  JAMBONES_REDIS_SENTINEL_SERVER_PASSWORD: text,
  ENABLE_JAMBONES_REDIS_TLS: flag,
  JAMBONES_REDIS_TLS_CA_FILE: text,
  JAMBONES_REDIS_TLS_CERT_FILE: text,
  JAMBONES_REDIS_TLS_KEY_FILE: text,
  JAMBONES_CLUSTER_ID: z.string().default('default'),
  JAMBONES_API_VERSION: z.string().regex(/^\w+$/, t('a version, such as v1')).default('v1'),
  K8S: flag,
  K8S_FEATURE_SERVER_SERVICE_NAME: text,
  K8S_FEATURE_SERVER_SERVICE_PORT: int(1, 65_535, 3000),
  JAMBONES_TIME_SERIES_HOST: z
    .string()
    .regex(/^(?:\[[\da-fA-F:.]+\]|[^\s:[\]/@?#]+)(?::\d{1,5})?$/, t('a host, or host:port'))
    .optional(),
  SWITCHROOM_INGEST_INFLUX: Address.optional(),
  SWITCHROOM_TELEMETRY_DAYS: int(1, 3_650, 30),
  SWITCHROOM_TELEMETRY_MAX_GB: z.coerce.number().min(0.01).max(1_000_000).default(20),
  SWITCHROOM_CLICKHOUSE_URL: z.url({ protocol: /^https?$/ }).optional(),
  SWITCHROOM_CLICKHOUSE_USER: text,
  SWITCHROOM_CLICKHOUSE_PASSWORD: text,
  SWITCHROOM_CLICKHOUSE_DATABASE: z
    .string()
    .regex(/^[A-Za-z_]\w{0,62}$/, t('a name of letters, digits and _'))
    .default('switchroom'),
  SWITCHROOM_CLICKHOUSE_CLUSTER: z
    .string()
    .regex(/^\w{1,63}$/, t('a name of letters, digits and _'))
    .optional(),
  SWITCHROOM_CLICKHOUSE_CA_FILE: text,
  SWITCHROOM_CLICKHOUSE_SPOOL_MAX_GB: z.coerce.number().min(0.01).max(1_000_000).default(2),
  SWITCHROOM_BACKUP_TO: text,
  SWITCHROOM_BACKUP_AT: z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, t('a time of day, such as 03:00'))
    .optional(),
  SWITCHROOM_BACKUP_EVERY_HOURS: z.coerce
    .number()
    .int(t('must be a whole number'))
    .min(1)
    .max(744)
    .optional(),
  SWITCHROOM_BACKUP_KEEP: int(1, 10_000, 7),
  SWITCHROOM_BACKUP_RECORDINGS: flag,
  SWITCHROOM_BACKUP_PASSPHRASE: secret(12),
  SWITCHROOM_BACKUP_PASSPHRASE_FILE: text,
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
  SWITCHROOM_WEAK_PASSWORDS: z.enum(['refuse', 'allow']).default('refuse'),
  SWITCHROOM_QUOTA_PHONE_NUMBERS: int(0, 1_000_000_000, 0),
  SWITCHROOM_QUOTA_APPLICATIONS: int(0, 1_000_000_000, 0),
  SWITCHROOM_QUOTA_USERS: int(0, 1_000_000_000, 0),
  SWITCHROOM_QUOTA_AUDIT_ENTRIES: int(0, 1_000_000_000, 0),
  JAMBONZ_BASE_URL: z.url().optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  SMTP_FROM: text,
  CUSTOM_EMAIL_VENDOR_URL: z.url({ protocol: /^https?$/ }).optional(),
  CUSTOM_EMAIL_VENDOR_USERNAME: text,
  CUSTOM_EMAIL_VENDOR_PASSWORD: text,
  MAILGUN_API_KEY: text,
  MAILGUN_DOMAIN: z.hostname().optional(),
  MAILGUN_URL: z.url({ protocol: /^https?$/ }).default('https://api.mailgun.net'),
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
  SWITCHROOM_SSO_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  SWITCHROOM_SSO_CLIENT_ID: text,
  SWITCHROOM_SSO_CLIENT_SECRET: text,
  SWITCHROOM_SSO_NAME: z.string().min(1).max(64).optional(),
  SWITCHROOM_SSO_SCOPES: text,
  SWITCHROOM_SSO_DIRECTORY_CLAIM: text,
  SWITCHROOM_SSO_RULES: z
    .string()
    .transform(jsonOrNothing)
    .pipe(z.array(z.unknown(), t('must be a JSON array of access rules')))
    .pipe(AccessRulesIn)
    .optional(),
  SWITCHROOM_SSO_ENFORCED: z
    .enum(['0', '1', 'false', 'true'])
    .transform((v): 0 | 1 => (v === '1' || v === 'true' ? 1 : 0))
    .optional(),
  DME_API_KEY: text,
  DME_API_SECRET: text,
  DME_BASE_URL: z.url({ protocol: /^https?$/ }).default('https://api.dnsmadeeasy.com/V2.0'),
  SWITCHROOM_INVITE_ONLY: flag,
  SWITCHROOM_TERMS_URL: z.url({ protocol: /^https?$/ }).optional(),
  SWITCHROOM_PRIVACY_URL: z.url({ protocol: /^https?$/ }).optional(),
  AWS_REGION: text,
  SWITCHROOM_LOG_GROUPS: z
    .string()
    .default('')
    .transform(splitList)
    .pipe(z.array(z.string().regex(/^[\w./#-]{1,512}$/, t('names of CloudWatch log groups')))),
  DEFAULT_SERVICE_PROVIDER_SID: text,
  STRIPE_API_KEY: text,
  STRIPE_BASE_URL: z
    .url({ protocol: /^https?$/ })
    // the platform's API server includes the version
    .transform((url) => url.replace(/\/(?:v1\/?)?$/, ''))
    .refine((url) => new URL(url).pathname === '/', t('an address without a path'))
    .default('https://api.stripe.com'),
  STRIPE_WEBHOOK_SECRET: text,
  // a secret key set here by mistake would be public
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .regex(/^pk_\w+$/, t('a publishable key, which begins with pk_'))
    .optional(),
})
export type Env = z.infer<typeof Env>

/** The platform has both spellings. */
export const recorder = (env: Env) => ({
  username: env.JAMBONZ_RECORD_WS_USERNAME ?? env.JAMBONES_RECORD_WS_USERNAME,
  password: env.JAMBONZ_RECORD_WS_PASSWORD ?? env.JAMBONES_RECORD_WS_PASSWORD,
})
