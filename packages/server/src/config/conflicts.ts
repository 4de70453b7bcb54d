import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { t } from '@switchroom/contract'
import { fileReason } from './cannot-start.ts'
import { type Env, recorder } from './environment.ts'

type Problem = [name: keyof Env, message: string]

const required = (name: keyof Env, beside: keyof Env): Problem => [
  name,
  t('is required when {beside} is set', { beside }),
]
const withoutEffect = (name: keyof Env, beside: keyof Env): Problem => [
  name,
  t('has no effect when {beside} is set. Remove one of them', { beside }),
]

/** Problems between variables: missing, contradictory or pointing to unusable files. Never throws. */
export function* conflicts(env: Env): Generator<Problem> {
  if (env.JAMBONES_MYSQL_HOST) {
    // a generated secret could not decrypt data that the platform's components wrote
    for (const name of ['JAMBONES_MYSQL_USER', 'JAMBONES_MYSQL_DATABASE', 'JWT_SECRET'] as const)
      if (!env[name]) yield required(name, 'JAMBONES_MYSQL_HOST')
  }
  // only Redis reports the writes of other processes
  if (
    env.SWITCHROOM_MYSQL_REPLICA_HOST &&
    !env.JAMBONES_REDIS_HOST &&
    !env.JAMBONES_REDIS_SENTINELS
  )
    yield required('JAMBONES_REDIS_HOST', 'SWITCHROOM_MYSQL_REPLICA_HOST')
  for (const [name, beside] of NEEDS) if (env[beside] && !env[name]) yield required(name, beside)
  for (const [name, beside] of EXCLUDES)
    if (env[beside] && env[name]) yield withoutEffect(name, beside)
  const { username, password } = recorder(env)
  if (username && !password)
    yield required('JAMBONZ_RECORD_WS_PASSWORD', 'JAMBONZ_RECORD_WS_USERNAME')
  if (password && !username)
    yield required('JAMBONZ_RECORD_WS_USERNAME', 'JAMBONZ_RECORD_WS_PASSWORD')
  if (env.SWITCHROOM_INGEST_HEP_KEY && !env.SWITCHROOM_INGEST_HEP)
    yield ['SWITCHROOM_INGEST_HEP_KEY', t('has no effect without SWITCHROOM_INGEST_HEP')]
  if (env.SWITCHROOM_BACKUP_TO && !env.SWITCHROOM_BACKUP_PASSPHRASE_FILE)
    if (!env.SWITCHROOM_BACKUP_PASSPHRASE)
      yield required('SWITCHROOM_BACKUP_PASSPHRASE_FILE', 'SWITCHROOM_BACKUP_TO')
  if (env.SWITCHROOM_BACKUP_PASSPHRASE_FILE && !env.SWITCHROOM_BACKUP_PASSPHRASE)
    yield* passphraseFile(env.SWITCHROOM_BACKUP_PASSPHRASE_FILE)
  yield* samePorts(env)
  yield* files(env)
}

/** The first is required when the second is set. */
const NEEDS = [
  ['JAMBONES_MYSQL_HOST', 'SWITCHROOM_MYSQL_REPLICA_HOST'],
  ['JAMBONES_MYSQL_HOST', 'JAMBONES_MYSQL_WRITE_HOST'],
  ['JAMBONES_MYSQL_WRITE_HOST', 'JAMBONES_MYSQL_WRITE_USER'],
  ['JAMBONES_MYSQL_WRITE_HOST', 'JAMBONES_MYSQL_WRITE_PASSWORD'],
  ['JAMBONES_MYSQL_WRITE_HOST', 'JAMBONES_MYSQL_WRITE_DATABASE'],
  ['K8S_FEATURE_SERVER_SERVICE_NAME', 'K8S'],
  ['SWITCHROOM_CLICKHOUSE_URL', 'SWITCHROOM_CLICKHOUSE_USER'],
  ['SWITCHROOM_CLICKHOUSE_URL', 'SWITCHROOM_CLICKHOUSE_CLUSTER'],
  ['HOMER_USERNAME', 'HOMER_BASE_URL'],
  ['HOMER_PASSWORD', 'HOMER_BASE_URL'],
  // payments need both: one to pay, one to receive events
  ['STRIPE_WEBHOOK_SECRET', 'STRIPE_API_KEY'],
  ['STRIPE_PUBLISHABLE_KEY', 'STRIPE_API_KEY'],
  ['JAMBONES_REDIS_SENTINEL_MASTER_NAME', 'JAMBONES_REDIS_SENTINELS'],
  ['GOOGLE_OAUTH_CLIENT_SECRET', 'GOOGLE_CLIENT_ID'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_OAUTH_CLIENT_SECRET'],
  ['GITHUB_CLIENT_SECRET', 'GITHUB_CLIENT_ID'],
  ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
  ['SWITCHROOM_SSO_CLIENT_ID', 'SWITCHROOM_SSO_ISSUER'],
  ['MAILGUN_DOMAIN', 'MAILGUN_API_KEY'],
  ['MAILGUN_API_KEY', 'MAILGUN_DOMAIN'],
  ['CUSTOM_EMAIL_VENDOR_URL', 'CUSTOM_EMAIL_VENDOR_USERNAME'],
  ['CUSTOM_EMAIL_VENDOR_USERNAME', 'CUSTOM_EMAIL_VENDOR_PASSWORD'],
  ['DME_API_SECRET', 'DME_API_KEY'],
  ['DME_API_KEY', 'DME_API_SECRET'],
] as const

/** The first has no effect when the second is set. */
const EXCLUDES = [
  ['SWITCHROOM_INGEST_INFLUX', 'JAMBONES_TIME_SERIES_HOST'],
  ['JAMBONES_TIME_SERIES_HOST', 'SWITCHROOM_CLICKHOUSE_URL'],
  ['SWITCHROOM_INGEST_OTLP', 'JAEGER_BASE_URL'],
  ['SWITCHROOM_INGEST_JAEGER', 'JAEGER_BASE_URL'],
  ['SWITCHROOM_INGEST_HEP', 'HOMER_BASE_URL'],
  ['SWITCHROOM_BACKUP_AT', 'SWITCHROOM_BACKUP_EVERY_HOURS'],
  ['SWITCHROOM_BACKUP_PASSPHRASE', 'SWITCHROOM_BACKUP_PASSPHRASE_FILE'],
] as const

function* passphraseFile(file: string): Generator<Problem> {
  const name = 'SWITCHROOM_BACKUP_PASSPHRASE_FILE'
  try {
    if (readFileSync(file, 'utf8').trim().length < 12)
      yield [name, t('the passphrase in it must have at least 12 characters')]
  } catch (e) {
    yield [
      name,
      t('the file {file} cannot be read ({reason})', { file: `"${file}"`, reason: fileReason(e) }),
    ]
  }
}

const ANY = ['0.0.0.0', '::']

function* samePorts(env: Env): Generator<Problem> {
  const taken: [name: string, host: string, port: number][] = [
    ['HTTP_PORT', env.HTTP_HOST, env.HTTP_PORT],
  ]
  for (const name of [
    'SWITCHROOM_INGEST_INFLUX',
    'SWITCHROOM_INGEST_OTLP',
    'SWITCHROOM_INGEST_JAEGER',
    'SWITCHROOM_INGEST_HEP',
  ] as const) {
    const at = env[name]
    if (!at || at.port === 0) continue
    const other = taken.find(
      ([, host, port]) =>
        port === at.port && (host === at.host || ANY.includes(host) || ANY.includes(at.host)),
    )
    if (other) yield [name, t('uses the same port as {other}', { other: other[0] })]
    taken.push([name, at.host, at.port])
  }
}

const TLS = [
  {
    ca: 'JAMBONES_MYSQL_SSL_CA_FILE',
    cert: 'JAMBONES_MYSQL_SSL_CERT_FILE',
    key: 'JAMBONES_MYSQL_SSL_KEY_FILE',
  },
  {
    ca: 'JAMBONES_REDIS_TLS_CA_FILE',
    cert: 'JAMBONES_REDIS_TLS_CERT_FILE',
    key: 'JAMBONES_REDIS_TLS_KEY_FILE',
  },
] as const

function* files(env: Env): Generator<Problem> {
  for (const names of TLS) {
    const problems = Object.values(names).flatMap((name): Problem[] => {
      const problem = env[name] === undefined ? undefined : pemProblem(name, env[name])
      return problem ? [[name, problem]] : []
    })
    yield* problems
    const { cert, key } = { cert: env[names.cert], key: env[names.key] }
    if (key && !cert) yield required(names.cert, names.key)
    if (cert && !key) yield required(names.key, names.cert)
    if (cert && key && problems.length === 0 && !isKeyOf(cert, key))
      yield [names.key, t('is not the key of the certificate in {cert}', { cert: names.cert })]
  }
}

function pemProblem(name: string, file: string): string | undefined {
  // the variable may hold the key itself, which must not be printed
  const shown = file.length < 512 && !/-----|[\r\n]/.test(file) ? `"${file}"` : t('it names')
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (e) {
    return t('the file {file} cannot be read ({reason})', { file: shown, reason: fileReason(e) })
  }
  const isKey = name.endsWith('KEY_FILE')
  try {
    if (isKey) createPrivateKey(text)
    else new X509Certificate(text)
    return undefined
  } catch {
    return isKey
      ? t('the file {file} holds no private key without a passphrase in PEM format', {
          file: shown,
        })
      : t('the file {file} holds no certificate in PEM format', { file: shown })
  }
}

function isKeyOf(cert: string, key: string) {
  try {
    createSecureContext({ cert: readFileSync(cert), key: readFileSync(key) })
    return true
  } catch {
    return false
  }
}
