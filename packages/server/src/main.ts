import { createServer } from 'node:net'
import pino from 'pino'
import { startAlerting } from './alert-destinations/start.ts'
import { buildApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import type { Context } from './context.ts'
import { firstPassword } from './first-password.ts'
import { keptSecret } from './kept-secret.ts'
import { noState } from './live/state.ts'
import { tableLive } from './live/table.ts'
import { mailOf } from './mail.ts'
import { providerModules } from './messaging/modules.ts'
import { outbound } from './outbound/outbound.ts'
import { secretBox } from './secret-box.ts'
import { tokens } from './session/tokens.ts'
import { stopOnSignals } from './shutdown.ts'
import { startDatabase } from './start-database.ts'
import { exitBecause } from './start-errors.ts'
import { openStores } from './stores/open.ts'
import { startBilling } from './subscriptions/start.ts'
import { openPayments } from './subscriptions/stripe.ts'

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

async function start(config: Config) {
  const log = pino({
    level: config.log_level,
    redact: REDACTED,
  })
  const { db, has, state } = await startDatabase(config)
  const jwt_secret = config.jwt_secret ?? keptSecret(config.data, 'jwt-secret')
  if (config.redis) await (await import('./start-redis.ts')).checkRedis(config.redis)
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
    modules: providerModules(),
    payments: openPayments(config),
    log,
  }
  const app = await buildApp(ctx, { loggerInstance: log })
  await app.ready()
  // the password of the first administrator is said once, so nothing may fail after it
  await refuseTakenPort(config)
  // asked on every start of a database of ours: a kill after its tables were made locks nobody out
  if (state !== 'adopted') await firstPassword(config, db)
  const address = await app.listen({ port: config.port, host: config.host })
  config.base_url ??= address.replace('//0.0.0.0', '//localhost')
  process.stdout.write(`Switchroom is at ${config.base_url}\n`)
  const alerting = startAlerting(ctx)
  const billing = startBilling(ctx)

  // requests in flight are finished; the stores go last
  stopOnSignals(app.server, async () => {
    await app.close()
    await alerting.stop()
    await billing.stop()
    await platform.close()
    await ctx.stores.close()
    await live.close()
    await db.destroy()
  })
}

/** Throws what listening would throw. */
const refuseTakenPort = ({ host, port }: Config) =>
  new Promise<void>((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(port, host, () => probe.close(() => resolve()))
  })

let config: Config | undefined
try {
  config = readConfig(process.env)
  await start(config)
} catch (e) {
  exitBecause(e, config)
}
