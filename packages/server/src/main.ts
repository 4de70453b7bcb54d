import { createServer } from 'node:net'
import { startAlerting } from './alerts/alert-destinations/start.ts'
import { startEvents } from './alerts/events/start.ts'
import { buildApp } from './app.ts'
import { startSealing } from './audit/seal.ts'
import { startBilling } from './billing/start.ts'
import { type Config, readConfig } from './config/config.ts'
import { keptSecret } from './config/kept-secret.ts'
import {
  followWords,
  keptWords,
  lateVersions,
  wordsPolicy,
} from './conversations/transcript-settings/kept-words.ts'
import { newWatch, type Watch } from './db/watched.ts'
import { startBackups } from './health/backups/start.ts'
import { watchParts } from './health/system-health/checks/start.ts'
import { hooks } from './hooks.ts'
import type { Context } from './http/context.ts'
import { forgettingOnAllowList } from './http/known-callers.ts'
import { memory } from './http/memory.ts'
import { tokens } from './http/tokens.ts'
import { noState } from './live/state.ts'
import { tableLive } from './live/table.ts'
import { mailOf } from './outbound/mail.ts'
import { outbound } from './outbound/outbound.ts'
import { openPayments } from './outbound/stripe.ts'
import { passwordThreads } from './secrets/password-threads.ts'
import { secretBox } from './secrets/secret-box.ts'
import { startSessionPurge } from './session/sessions/start.ts'
import { providerModules } from './sms-modules/modules.ts'
import { createAdministrator } from './start/create-administrator.ts'
import { keepPrivate, refuseUnwritable } from './start/data-folder.ts'
import { startDatabase } from './start/database.ts'
import { cannotStart } from './start/errors.ts'
import { giveBackWhenQuiet } from './start/give-back.ts'
import { openLogAndHealth, redisErrors } from './start/log.ts'
import { logProcessEvents } from './start/process-events.ts'
import { lostSecret, reportSecret } from './start/secret.ts'
import { stopOnSignals } from './start/shutdown.ts'
import { startTracing } from './start/tracing.ts'
import { openStores } from './stores/open.ts'
import { startLatestCalls } from './system/latest-calls/start.ts'
import { startWebhookLog } from './tenants/webhook-log/start.ts'

async function start(config: Config) {
  const { log, health } = openLogAndHealth(config.log_level)
  logProcessEvents(log)
  keepPrivate(config.data, log)
  refuseUnwritable(config)
  const tracing = await startTracing(config, health)
  const databaseUse: Watch = { ...newWatch(), ...(tracing && { statement: tracing.statement }) }
  const { db, bulk, slow, has, state } = await startDatabase(config, databaseUse)
  const lost = await lostSecret(config, db, state)
  const jwt_secret = config.jwt_secret ?? keptSecret(config.data, 'jwt-secret')
  if (config.redis) await (await import('./start/redis.ts')).checkRedis(config.redis)
  const onRedisError = redisErrors(log)
  const others =
    config.redis &&
    (await import('./start/other-processes.ts')).followOthers(
      config.redis,
      config,
      databaseUse,
      onRedisError,
    )
  const { replica, heard } = others ?? {}
  const remembered = memory(databaseUse, { passwords: passwordThreads(), slow, replica, heard })
  // a small file is quick to count, and would only fill memory
  if (!slow || slow.isLarge()) (await import('./start/count-ahead.ts')).countAhead(db, remembered)
  const store = config.redis
    ? (await import('./live/redis.ts')).redisLive(config.redis, onRedisError)
    : tableLive(db)
  const live = forgettingOnAllowList(store, remembered.callers.forget)
  const platform = config.redis
    ? (await import('./live/redis-state.ts')).redisState(
        config.redis,
        config.cluster_id,
        onRedisError,
      )
    : noState
  const out = outbound(config.allow_networks)
  const box = secretBox({
    secret: config.encryption_secret ?? jwt_secret,
    legacy: config.legacy_crypto,
  })
  const versionsOf = lateVersions({ db, box })
  const ctx: Context = {
    config,
    db,
    bulk,
    databaseUse,
    replica,
    schemaHas: has,
    live,
    state: platform,
    stores: await openStores(config, out, await wordsPolicy(db, box), versionsOf),
    words: keptWords({ db, box }, () => ctx.stores),
    versionsOf,
    tokens: tokens(jwt_secret, config.token_seconds),
    box,
    mail: mailOf(config, log, health),
    outbound: out,
    modules: providerModules(),
    payments: openPayments(config.stripe),
    memory: remembered,
    health,
    tracing,
    ...hooks,
    log,
  }
  watchParts(ctx)
  reportSecret(ctx, lost)
  const app = await buildApp(ctx, { loggerInstance: log })
  await app.ready()
  // the first administrator's password is printed only once, so nothing may fail after it
  await refuseTakenPort(config)
  // runs on every start of our own database: a crash after its tables were created locks nobody out
  if (state !== 'adopted') await createAdministrator(config, db)
  const address = await app.listen({ port: config.port, host: config.host })
  config.base_url ??= address.replace('//0.0.0.0', '//localhost')
  const alerting = startAlerting(ctx)
  const events = startEvents(ctx)
  const latestCalls = startLatestCalls(ctx)
  const webhookLog = startWebhookLog(ctx)
  const billing = startBilling(ctx)
  const sessionPurge = startSessionPurge(ctx)
  const sealing = startSealing(ctx)
  const backups = startBackups(ctx)
  const { startTranscribing } = await import('./conversations/transcriptions/watch.ts')
  const transcribing = startTranscribing(ctx)
  const { startModelSessions } = await import('./conversations/model-sessions/start.ts')
  const modelSessions = startModelSessions(ctx)
  const { startScoring } = await import('./runs/scores/watch.ts')
  const scoring = startScoring(ctx)
  const { startReportMails } = await import('./calls/customer-reports/start.ts')
  const reportMails = startReportMails(ctx)
  const words = followWords(ctx)
  health.start()
  void giveBackWhenQuiet()

  const background = {
    'alert delivery': alerting.stop,
    events: events.stop,
    'latest calls': latestCalls.stop,
    billing: billing.stop,
    'session purge': sessionPurge.stop,
    'audit log': sealing.stop,
    backups: backups.stop,
    transcriptions: transcribing.stop,
    'model sessions': modelSessions.stop,
    scores: scoring.stop,
    'monthly reports': reportMails.stop,
  }
  const drain = {
    seconds: config.drain_seconds,
    begin() {
      health.draining = true
      // other processes take over; `close` below waits for work in progress
      for (const stop of Object.values(background)) void stop()
    },
  }
  // requests and background work are finished first; the stores close last. Supervisors commonly kill after 10 seconds.
  stopOnSignals(
    app.server,
    drain,
    [
      { limit_ms: 5_500, close: { requests: () => app.close(), ...background } },
      {
        limit_ms: 1_500,
        close: { 'health checks': health.stop, passwords: remembered.passwords.close },
      },
      {
        limit_ms: 1_500,
        close: {
          'platform state': platform.close,
          'words of calls': words.stop,
          stores: ctx.stores.close,
          'webhook log': webhookLog.stop,
        },
      },
      {
        limit_ms: 1_000,
        close: { 'live state': live.close, ...(others && { 'other processes': others.close }) },
      },
      {
        limit_ms: 1_000,
        close: {
          database: () => db.destroy(),
          ...(slow && { 'slow reads': slow.close }),
          tracing: async () => tracing?.close(),
        },
      },
    ],
    log,
  )
  // a reader of this line may stop the server, which needs the lines above
  process.stdout.write(`Switchroom is at ${config.base_url}\n`)
}

/** Throws the same error that listening would throw. */
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
  cannotStart(e, config)
}
