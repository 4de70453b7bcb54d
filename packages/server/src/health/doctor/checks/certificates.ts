import { X509Certificate } from 'node:crypto'
import { t } from '@switchroom/contract'
import type { Config } from '../../../config/config.ts'
import { errorCode } from '../../../errors/members.ts'
import { sentenceOf } from '../../../parts/sentence.ts'
import {
  DAY_MS,
  type Endpoint,
  endpointsOf,
  expiryOf,
  NOW_DAYS,
  SOON_DAYS,
  UNREACHABLE,
} from '../../system-health/checks/certificates.ts'
import type { Check } from '../check.ts'
import { type Finding, ok, problem, warning } from '../finding.ts'

type Seen = { name: string; expires: number }

/** When the certificates expire that this server, its users and its own files depend on. */
export const certificates: Check = {
  name: 'certificates',
  async run({ config }) {
    const found = await Promise.all([
      ...[...endpointsOf(config), ...publicAddress(config)].map(look),
      lookAtDatabase(config),
    ])
    const all = [...found.flat(), ...filesOf(config)]
    if (all.length === 0) return undefined
    const wrong = all.flatMap((one) => ('expires' in one ? (expiryFinding(one) ?? []) : one))
    return wrong.length > 0
      ? wrong
      : ok(t('{all} valid for at least {SOON_DAYS} days.', { all: all.length, SOON_DAYS }))
  },
}

function publicAddress({ base_url }: Config): Endpoint[] {
  if (!base_url) return []
  const { protocol, hostname: host, port } = new URL(base_url)
  return protocol === 'https:'
    ? [{ name: 'JAMBONZ_BASE_URL', host, port: Number(port || 443) }]
    : []
}

async function look(endpoint: Endpoint): Promise<(Seen | Finding)[]> {
  const { name } = endpoint
  try {
    const expires = await expiryOf(endpoint)
    return expires === undefined ? [] : [{ name, expires }]
  } catch (e) {
    // a server that is away has a check of its own
    if (UNREACHABLE.test(errorCode(e) ?? '')) return []
    return [
      warning(
        t('{name}: the TLS handshake failed. {sentence}.', { name, sentence: sentenceOf(e) }),
        t('Make sure that the address is right and that the server there speaks TLS on this port.'),
      ),
    ]
  }
}

/** MySQL begins TLS within its own protocol. */
async function lookAtDatabase({ database }: Config): Promise<Seen[]> {
  if (database?.kind !== 'mysql' || !database.ssl) return []
  const { createConnection } = await import('mysql2')
  const { kind: _, connectionLimit: __, ...options } = database
  const connection = createConnection({
    ...options,
    // an expired certificate is what this looks for
    ssl: { ...database.ssl, rejectUnauthorized: false },
    connectTimeout: 4_000,
  })
  try {
    await new Promise<void>((resolve, reject) => {
      connection.once('error', reject)
      connection.connect((e) => (e ? reject(e) : resolve()))
    })
    const socket: unknown = Reflect.get(connection, 'stream')
    const { TLSSocket } = await import('node:tls')
    if (!(socket instanceof TLSSocket)) return []
    return [{ name: 'MySQL', expires: Date.parse(socket.getPeerCertificate().valid_to) }]
  } catch {
    // the check of the database says why
    return []
  } finally {
    connection.on('error', () => undefined)
    connection.destroy()
  }
}

/** Certificates that the environment names. Those that cannot be read are errors of the configuration. */
function filesOf({ database, redis }: Config): Seen[] {
  const ssl = database?.kind === 'mysql' ? database.ssl : undefined
  const tls = redis?.tls
  return Object.entries({
    JAMBONES_MYSQL_SSL_CA_FILE: ssl?.ca,
    JAMBONES_MYSQL_SSL_CERT_FILE: ssl?.cert,
    JAMBONES_REDIS_TLS_CA_FILE: tls?.ca,
    JAMBONES_REDIS_TLS_CERT_FILE: tls?.cert,
  }).flatMap(([name, pem]) =>
    typeof pem === 'string'
      ? [{ name, expires: Date.parse(new X509Certificate(pem).validTo) }]
      : [],
  )
}

function expiryFinding({ name, expires }: Seen): Finding | undefined {
  const days = Math.floor((expires - Date.now()) / DAY_MS)
  if (days >= SOON_DAYS) return undefined
  const when = new Date(expires).toISOString().slice(0, 10)
  const finding = days < NOW_DAYS ? problem : warning
  return finding(
    days < 0
      ? t('{name}: the certificate expired on {when}.', { name, when })
      : t('{name}: the certificate expires on {when}.', { name, when }),
    t('Renew it, and find out why that did not happen by itself.'),
  )
}
