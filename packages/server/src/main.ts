import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { startAlerting } from './alert-destinations/start.ts'
import { buildApp } from './app.ts'
import { BadConfig, type Config, readConfig } from './config.ts'
import type { Context } from './context.ts'
import { openDb } from './db/open.ts'
import { prepareDatabase, WrongDatabase } from './db/prepare.ts'
import { seedAdministrator } from './db/seed.ts'
import { noState } from './live/state.ts'
import { tableLive } from './live/table.ts'
import { mailOf } from './mail.ts'
import { outbound } from './outbound/outbound.ts'
import { secretBox } from './secret-box.ts'
import { tokens } from './session/tokens.ts'
import { openStores } from './stores/open.ts'
import { startBilling } from './subscriptions/start.ts'
import { openPayments } from './subscriptions/stripe.ts'

/** Made once and kept beside the database, readable by its owner only. */
function keptSecret(config: Config, name: string): string {
  const file = join(config.data, name)
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (e) {
    if ((e as NodeJS.ErrnoException).code !== 'ENOENT') throw e
    const secret = randomBytes(32).toString('base64url')
    // never over one that another process has just made
    writeFileSync(file, secret, { mode: 0o600, flag: 'wx' })
    return secret
  }
}

/** Nothing of these ever reaches the log, whoever logs an object that has them. */
const REDACTED = [
  'authorization',
  'password',
  'token',
  'secret',
  'hashed_password',
  'webhook_secret',
  'sqlParameters',
  'parameters',
  'sql',
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`])

async function start() {
  const config = readConfig(process.env)
  const log = pino({
    level: config.log_level,
    redact: REDACTED,
  })
  const embedded = config.database === undefined
  if (embedded || !config.jwt_secret) mkdirSync(config.data, { recursive: true, mode: 0o700 })
  const db = openDb(config.database ?? { kind: 'sqlite', file: join(config.data, 'switchroom.db') })
  const { state, has } = await prepareDatabase(db)
  // asked on every start of a database of ours: a kill after its tables were made locks nobody out
  const first = state === 'adopted' ? undefined : await firstPassword(config, db)
  const jwt_secret = config.jwt_secret ?? keptSecret(config, 'jwt-secret')
  const live = config.redis
    ? (await import('./live/redis.ts')).redisLive(config.redis, (err) =>
        log.error({ err }, 'Redis'),
      )
    : tableLive(db)
  const platform = config.redis
    ? (await import('./live/redis-state.ts')).redisState(config.redis, config.cluster_id, (err) =>
        log.error({ err }, 'Redis'),
      )
    : noState
  const out = outbound(config.allow_networks)
  const ctx: Context = {
    config,
    db,
    has,
    live,
    state: platform,
    stores: await openStores(config, out),
    tokens: tokens(jwt_secret, config.token_seconds),
    box: secretBox({
      secret: config.encryption_secret ?? jwt_secret,
      legacy: config.legacy_crypto,
    }),
    mail: mailOf(config, log),
    outbound: out,
    payments: openPayments(config),
    log,
  }
  const app = await buildApp(ctx, { loggerInstance: log })
  const address = await app.listen({ port: config.port, host: config.host })
  config.base_url ??= address.replace('//0.0.0.0', '//localhost')
  announce(config.base_url, first)
  const alerting = startAlerting(ctx)
  const billing = startBilling(ctx)

  let stopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (stopping) process.exit(1)
      stopping = true
      // requests in flight are finished; the stores go last
      app
        .close()
        .then(() => alerting.stop())
        .then(() => billing.stop())
        .then(() => platform.close())
        .then(() => ctx.stores.close())
        .then(() => live.close())
        .then(() => db.destroy())
        .then(() => process.exit(0))
    })
}

type First = { name: string; password: string | undefined }

/** The administrator, where there is no user yet. */
async function firstPassword(config: Config, db: Context['db']): Promise<First | undefined> {
  const given = config.admin_password
  const password = given ?? randomBytes(12).toString('base64url')
  const made = await seedAdministrator(db, { password, forceChange: given === undefined })
  if (!made) return undefined
  return { name: 'admin', password: given ? undefined : password }
}

function announce(address: string, first: First | undefined) {
  const lines = [`Switchroom is at ${address}`]
  if (first)
    lines.push(
      first.password
        ? `Sign in as ${first.name} with the one-time password ${first.password}`
        : `Sign in as ${first.name} with the password of SWITCHROOM_ADMIN_PASSWORD`,
    )
  process.stdout.write(`${lines.join('\n')}\n`)
}

start().catch((e: unknown) => {
  if (e instanceof BadConfig || e instanceof WrongDatabase) {
    process.stderr.write(`Switchroom cannot start:\n${e.message}\n`)
    process.exit(2)
  }
  // connection errors name host and port, never a password
  const { message, code } = e as NodeJS.ErrnoException
  process.stderr.write(`Switchroom cannot start: ${code ? `${code} ` : ''}${message}\n`)
  process.exit(1)
})
