import { LOG_GROUP, type Lockable, type PageConfig, type SingleSignOn } from '@switchroom/contract'
import type { RedisOptions } from 'ioredis'
import { definedFields } from '../db/defined-fields.ts'
import type { DatabaseConfig } from '../db/open.ts'
import type { MailService } from '../outbound/mail-services.ts'
import type { StoresConfig } from '../stores/open.ts'
import { conflicts } from './conflicts.ts'
import { mysql, redis, replica } from './databases.ts'
import { Env } from './environment.ts'
import { backups, captures, recordings, telemetry, traces } from './kept.ts'
import { mailService, smtp } from './mail.ts'
import { type Messaging, readMessaging } from './messaging.ts'
import { isHosted, page } from './page-config.ts'

export type Config = StoresConfig & {
  development: boolean
  host: string
  port: number
  data: string
  admin_password: string | undefined
  log_level: string
  /** Undefined: generated on first start and kept in the data folder. */
  jwt_secret: string | undefined
  encryption_secret: string | undefined
  legacy_crypto: boolean
  /** How long a token is valid. Renewing it takes as long again. */
  token_seconds: number
  /** How long a session lasts at most, however often its token is renewed. */
  session_seconds: number
  lock_out: { tries: number; seconds: number; per_network: number }
  database: DatabaseConfig | undefined
  /** Database that lists are counted and searched in while it is up to date. */
  replica: DatabaseConfig | undefined
  redis: RedisOptions | undefined
  /** The prefix of the platform's sets in Redis. */
  cluster_id: string
  feature_servers: {
    /** The version in feature servers' URL paths. */
    version: string
    /** One address for all feature servers, in place of those in Redis. */
    service: string | undefined
  }
  backups: {
    /** The folder of scheduled backups; undefined: none are made. */
    to: string | undefined
    /** Every day at a local time, or this many hours after the last one. */
    schedule: { at: string } | { hours: number }
    keep: number
    recordings: boolean
    passphrase: { file: string } | { text: string | undefined }
    /** The secrets that are in the environment, and so in no backup, by name. */
    secrets: string[]
  }
  /** CloudWatch log groups that callers may name. */
  log_groups: string[]
  /** SMS carriers and their modules. */
  messaging: Messaging
  trusted_proxies: number
  rate_limit:
    | { by: 'caller' | 'system' | 'apikey' | 'ip'; minutes: number; max: number }
    | undefined
  admin_carrier: boolean
  min_gateway_netmask: number
  apply_limits: boolean
  weak_passwords: 'refuse' | 'allow'
  /** Most resources of each kind that an account may have; 0 is unlimited. */
  quotas: {
    phone_numbers: number
    applications: number
    users: number
    /** A day, by the account's own people and keys. */
    audit_entries: number
  }
  /** Seconds for which the server still answers after it was told to stop, while it reports that it is not ready. */
  drain_seconds: number
  /** True if agents may use the Model Context Protocol. */
  mcp: boolean
  /** Programs that people may connect. */
  programs: 'listed' | 'published' | 'any'
  /** Access to the metrics: open to everybody if neither is set. */
  metrics: { token: string | undefined; networks: string[] }
  /** Destination of this server's own traces. Undefined: it makes none. */
  tracing:
    | { endpoint: string; headers: Record<string, string>; service: string; ratio: number }
    | undefined
  /** Internal networks that outbound requests may reach. */
  allow_networks: string[]
  /** Version of the platform, whose rules apply to applications; undefined if not set. */
  platform_version: string | undefined
  /** The console's URL, for links in mails. */
  base_url: string | undefined
  smtp: { url: string; from: string } | undefined
  /** Used without `smtp`. */
  mail_service: MailService | undefined
  /** OAuth providers for sign-up and log-in. */
  oauth: {
    google: { issuer: string; client_id: string; client_secret: string } | undefined
    github: { url: string; api_url: string; client_id: string; client_secret: string } | undefined
  }
  /** Single sign-on settings that the environment sets, which the screen cannot change. */
  single_sign_on: Partial<Pick<SingleSignOn, Exclude<Lockable, 'client_secret'>>> & {
    client_secret?: string
  }
  /** DNS Made Easy, where records of SIP realms are created. Undefined: no DNS. */
  dns: { url: string; key: string; secret: string } | undefined
  /** Stripe, for the hosted variant. */
  stripe: { key: string; webhook_secret: string; url: string } | undefined
  page: PageConfig
}

/** Thrown with all configuration errors at once. Lines name variables, never values. */
export class BadConfig extends Error {
  override name = 'BadConfig'
}

/** Reads the environment. Throws `BadConfig`. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const { env, problems } = parse(environment)
  if (problems.size > 0)
    throw new BadConfig([...problems].map(([name, message]) => `${name}: ${message}`).join('\n'))
  return configOf(env)
}

/**
 * The configuration as far as it can be read, with all errors by variable. For diagnosis only: nothing may start with
 * it.
 */
export function examineConfig(environment: Record<string, string | undefined>) {
  const { env, problems } = parse(environment)
  const usable: Env = { ...env }
  for (const name of Env.keyof().options)
    if (problems.has(name))
      Object.assign(usable, { [name]: Env.shape[name].safeParse(undefined).data })
  return { config: configOf(usable), problems }
}

function parse(environment: Record<string, string | undefined>) {
  // an empty variable counts as unset, as with empty defaults in compose files
  const given = Object.fromEntries(Object.entries(environment).filter(([, v]) => v !== ''))
  const problems = new Map<string, string>()
  const values: Record<string, unknown> = {}
  // parsed one by one, so that conflicts are reported beside invalid values
  for (const [name, shape] of Object.entries(Env.shape)) {
    const parsed = shape.safeParse(given[name])
    if (parsed.success) values[name] = parsed.data
    else problems.set(name, parsed.error.issues[0]!.message)
  }
  // unreadable variables are missing: then this is only for `conflicts`, and nothing starts
  const env = values as Env
  for (const [name, message] of conflicts(env)) if (!problems.has(name)) problems.set(name, message)
  return { env, problems }
}

function configOf(env: Env): Config {
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
    session_seconds: Math.max(env.SWITCHROOM_SESSION_HOURS * 3600, env.JWT_EXPIRES_IN * 60),
    lock_out: {
      tries: env.LOGIN_ATTEMPTS_MAX_RETRIES,
      seconds: env.LOGIN_ATTEMPTS_TIME,
      per_network: env.SWITCHROOM_LOGIN_FAILURES_PER_NETWORK,
    },
    database: mysql(env),
    replica: replica(env),
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
    log_groups: [LOG_GROUP, ...env.SWITCHROOM_LOG_GROUPS],
    backups: backups(env),
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
    weak_passwords: env.SWITCHROOM_WEAK_PASSWORDS,
    quotas: {
      phone_numbers: env.SWITCHROOM_QUOTA_PHONE_NUMBERS,
      applications: env.SWITCHROOM_QUOTA_APPLICATIONS,
      users: env.SWITCHROOM_QUOTA_USERS,
      audit_entries: env.SWITCHROOM_QUOTA_AUDIT_ENTRIES,
    },
    drain_seconds: env.SWITCHROOM_DRAIN_SECONDS,
    mcp: env.SWITCHROOM_MCP,
    programs: env.SWITCHROOM_PROGRAMS,
    metrics: {
      token: env.SWITCHROOM_METRICS_TOKEN,
      networks: env.SWITCHROOM_METRICS_NETWORKS,
    },
    tracing: tracing(env),
    allow_networks: env.SWITCHROOM_ALLOW_NETWORKS,
    platform_version: env.SWITCHROOM_PLATFORM_VERSION,
    base_url: env.JAMBONZ_BASE_URL?.replace(/\/+$/, ''),
    smtp: smtp(env),
    mail_service: mailService(env),
    oauth: oauth(env),
    single_sign_on: singleSignOn(env),
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

function tracing(env: Env): Config['tracing'] {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT
  if (!endpoint) return undefined
  // as OpenTelemetry writes them: name=value, comma-separated, values escaped as in URLs
  const pairs = (env.OTEL_EXPORTER_OTLP_HEADERS ?? '').split(',').flatMap((pair) => {
    const at = pair.indexOf('=')
    return at > 0 ? [[pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]] : []
  })
  return {
    endpoint,
    headers: Object.fromEntries(pairs),
    service: env.OTEL_SERVICE_NAME,
    ratio: env.OTEL_TRACES_SAMPLER_ARG,
  }
}

function oauth(env: Env): Config['oauth'] {
  const withoutTrailingSlash = (url: string) => url.replace(/\/+$/, '')
  return {
    google:
      env.GOOGLE_CLIENT_ID && env.GOOGLE_OAUTH_CLIENT_SECRET
        ? {
            issuer: withoutTrailingSlash(env.SWITCHROOM_GOOGLE_ISSUER),
            client_id: env.GOOGLE_CLIENT_ID,
            client_secret: env.GOOGLE_OAUTH_CLIENT_SECRET,
          }
        : undefined,
    github:
      env.GITHUB_CLIENT_ID && env.GITHUB_CLIENT_SECRET
        ? {
            url: withoutTrailingSlash(env.SWITCHROOM_GITHUB_URL),
            api_url: withoutTrailingSlash(env.SWITCHROOM_GITHUB_API_URL),
            client_id: env.GITHUB_CLIENT_ID,
            client_secret: env.GITHUB_CLIENT_SECRET,
          }
        : undefined,
  }
}

function singleSignOn(env: Env): Config['single_sign_on'] {
  return definedFields({
    is_active: env.SWITCHROOM_SSO_ISSUER ? 1 : undefined,
    is_enforced: env.SWITCHROOM_SSO_ENFORCED,
    name: env.SWITCHROOM_SSO_NAME,
    issuer: env.SWITCHROOM_SSO_ISSUER,
    client_id: env.SWITCHROOM_SSO_CLIENT_ID,
    client_secret: env.SWITCHROOM_SSO_CLIENT_SECRET,
    scopes: env.SWITCHROOM_SSO_SCOPES,
    directory_claim: env.SWITCHROOM_SSO_DIRECTORY_CLAIM,
    rules: env.SWITCHROOM_SSO_RULES,
  })
}
