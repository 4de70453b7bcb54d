import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type ApiKeyKind,
  call,
  type Endpoint,
  type Sent,
  type TokenClaims,
  type Transport,
} from '@switchroom/contract'
import { Redis } from 'ioredis'
import type { InsertObject } from 'kysely'
import { recordRefusal } from '../../../scripts/record-said.ts'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config/config.ts'
import {
  keptWords,
  lateVersions,
  wordsPolicy,
} from '../src/conversations/transcript-settings/kept-words.ts'
import { type Tables, timestamp } from '../src/db/open.ts'
import { newWatch } from '../src/db/watched.ts'
import { watchParts } from '../src/health/system-health/checks/start.ts'
import { hooks } from '../src/hooks.ts'
import type { Context } from '../src/http/context.ts'
import { forgettingOnAllowList } from '../src/http/known-callers.ts'
import { memory } from '../src/http/memory.ts'
import { endSessions } from '../src/http/sessions.ts'
import { sessionKey, tokens } from '../src/http/tokens.ts'
import { redisLive } from '../src/live/redis.ts'
import { redisState } from '../src/live/redis-state.ts'
import { noState } from '../src/live/state.ts'
import { tableLive } from '../src/live/table.ts'
import type { Message } from '../src/outbound/mail.ts'
import { type Outbound, outbound } from '../src/outbound/outbound.ts'
import { openPayments } from '../src/outbound/stripe.ts'
import { secretBox } from '../src/secrets/secret-box.ts'
import { providerModules } from '../src/sms-modules/modules.ts'
import { openLogAndHealth } from '../src/start/log.ts'
import { openStores } from '../src/stores/open.ts'
import * as apiKeys from '../src/tenants/api-keys/queries.ts'
import type { Tracing } from '../src/tracing/tracing.ts'
import { testDatabase } from './database.ts'
import { checkAgainstDescription } from './description.ts'
import { canShare, sharedApp } from './shared-app.ts'

/** Password of every caller here. */
export const PROOF = { password: 'own password 1' }
const OWN_PASSWORD_HASH =
  '$argon2i$v=19$m=65536,t=3,p=4$SocXboTTO2qRj5LTMoyibA$ds197VK6ELk2ywYOwdZJSLkjx9+WbAadDBO6/mENv2s'

/** One logical database per worker, emptied. */
async function emptyRedis(url: string) {
  const { hostname: host, port } = new URL(url)
  const options = { host, port: Number(port), db: Number(process.env.VITEST_POOL_ID ?? 0) }
  const redis = new Redis(options)
  await redis.flushdb()
  redis.disconnect()
  return options
}

type Owner = { account_sid?: string; service_provider_sid?: string }

/**
 * A complete server on a fresh database: two providers, three accounts (a1 and a2 of sp1, b1 of sp2) and a
 * caller of every kind. Live state is in a table, or in Redis if one is given.
 */
export async function testApp(
  environment: Record<string, string> = {},
  /** Replaces outbound access by one that reaches stand-ins. */
  out?: Outbound,
  tracing?: Tracing,
  /**
   * `onFile`: SQLite in a file as on a server; in memory it has a single connection. `isChecked`: whether each response
   * is compared with the description of the API, which takes longer than most. `ownApp`: an app that no other test uses, to
   * listen, to add to or to close.
   */
  { onFile = false, isChecked = true, ownApp = false } = {},
) {
  const databaseUse = { ...newWatch(), ...(tracing && { statement: tracing.statement }) }
  const data = mkdtempSync(join(tmpdir(), 'switchroom-test-'))
  const file = onFile ? join(data, 'switchroom.db') : undefined
  const { db, bulk, has, close } = await testDatabase(undefined, databaseUse, file)
  const config = readConfig({
    DISABLE_RATE_LIMITS: '1',
    JAMBONZ_BASE_URL: 'http://console.test',
    SWITCHROOM_DATA: data,
    ...environment,
  })
  const lines: string[] = []
  const { log, health } = openLogAndHealth('debug', {
    write: (line: string) => void lines.push(line),
  })
  const mails: Message[] = []
  const redis = process.env.TEST_REDIS_URL && (await emptyRedis(process.env.TEST_REDIS_URL))
  const remembered = memory(databaseUse)
  const live = forgettingOnAllowList(
    redis ? redisLive(redis, () => {}) : tableLive(db),
    remembered.callers.forget,
  )
  const state = redis ? redisState(redis, config.cluster_id, () => {}) : { ...noState }
  const clock = { now: () => Date.now() }
  const outboundAccess = out ?? outbound(config.allow_networks)
  const box = secretBox({ secret: 'test-secret', legacy: false })
  const versionsOf = lateVersions({ db, box })
  const ctx: Context = {
    config,
    db,
    bulk,
    databaseUse,
    schemaHas: has,
    live,
    state,
    // its threads start on first use
    stores: await openStores(config, outboundAccess, await wordsPolicy(db, box), versionsOf),
    words: keptWords({ db, box }, () => ctx.stores),
    versionsOf,
    tokens: tokens('test-secret', config.token_seconds, () => clock.now()),
    box,
    mail: async (message) => void mails.push(message),
    outbound: outboundAccess,
    modules: providerModules(2_000),
    payments: openPayments(config.stripe),
    memory: remembered,
    health,
    tracing,
    ...hooks,
    log,
  }

  const [sp1, sp2, a1, a2, b1] = Array.from({ length: 5 }, () => randomUUID()) as [
    string,
    string,
    string,
    string,
    string,
  ]
  const account = (account_sid: string, service_provider_sid: string, name: string) => ({
    account_sid,
    service_provider_sid,
    name,
    webhook_secret: `wh_secret_${name}`,
  })

  const owners = {
    admin: {},
    sp1: { service_provider_sid: sp1 },
    sp2: { service_provider_sid: sp2 },
    a1: { service_provider_sid: sp1, account_sid: a1 },
    a2: { service_provider_sid: sp1, account_sid: a2 },
    b1: { service_provider_sid: sp2, account_sid: b1 },
  } satisfies Record<string, Owner>
  type Caller = keyof typeof owners
  const callerNames = Object.keys(owners) as Caller[]

  // collected, because a statement for each would take longer than most tests
  const rows = {
    users: [] as InsertObject<Tables, 'users'>[],
    sessions: [] as InsertObject<Tables, 'switchroom_sessions'>[],
    keys: [] as apiKeys.NewKey[],
  }
  const addUser = (name: string, owner: Owner) => {
    const user_sid = randomUUID()
    const { account_sid = null, service_provider_sid = null } = owner
    rows.users.push({
      user_sid,
      name,
      email: `${name}@example.com`,
      provider: 'local',
      hashed_password: OWN_PASSWORD_HASH,
      account_sid,
      service_provider_sid,
    })
    return user_sid
  }
  const scopeOf = (owner: Owner): TokenClaims['scope'] =>
    owner.account_sid ? 'account' : owner.service_provider_sid ? 'service_provider' : 'admin'
  const claims = (
    user_sid: string,
    name: string,
    owner: Owner,
    more: Partial<TokenClaims> = {},
  ) => ({
    scope: scopeOf(owner),
    user_sid,
    name,
    permissions: [],
    is_view_only: false,
    force_change: false,
    ...owner,
    ...more,
  })

  /** Begins a session as `beginSession` does. */
  const begin = async ({ user_sid, ...claims }: Omit<TokenClaims, 'iat' | 'exp'>) => {
    const session_sid = randomUUID()
    const began_at = ctx.tokens.now()
    const until = began_at + config.session_seconds * 1000
    const signed = await ctx.tokens.sign({ user_sid, ...claims }, { session_sid, until })
    rows.sessions.push({
      session_sid,
      user_sid,
      method: 'password',
      began_at,
      ip: '127.0.0.1',
      user_agent: 'test',
      last_seen_at: began_at,
      last_ip: '127.0.0.1',
      ends_at: signed.expires_at,
      ended_at: null,
      force_change: 0,
    })
    if (live.isPlatforms)
      await live.set(sessionKey(user_sid), signed.token, ctx.tokens.lifetime_seconds)
    return signed.token
  }
  type Limits = { view_only?: 0 | 1; kinds?: ApiKeyKind[]; networks?: string[] }
  const keyFor = (owner: Owner, expires_at: string | null, limits: Limits) => ({
    api_key_sid: randomUUID(),
    token: randomUUID(),
    account_sid: owner.account_sid ?? null,
    service_provider_sid: owner.account_sid ? null : (owner.service_provider_sid ?? null),
    expires_at,
    name: null,
    created_by: null,
    view_only: 0 as const,
    kinds: null,
    networks: null,
    ...limits,
  })
  const addKey = (owner: Owner, expires_at: string | null = null) => {
    const key = keyFor(owner, expires_at, {})
    rows.keys.push(key)
    return key.token
  }

  const bearer: Record<string, string> = {}
  const users: Record<string, string> = {}
  for (const name of callerNames) {
    const viewer = `${name}-viewer`
    users[name] = addUser(name, owners[name])
    users[viewer] = addUser(viewer, owners[name])
    bearer[name] = await begin(claims(users[name], name, owners[name]))
    const readsOnly = { is_view_only: true, permissions: ['VIEW_ONLY' as const] }
    bearer[viewer] = await begin(claims(users[viewer], viewer, owners[name], readsOnly))
    bearer[`${name}-key`] = addKey(owners[name])
  }
  // a caller that no longer exists
  users.gone = addUser('gone', owners.a1)
  bearer.revoked = await begin(claims(users.gone, 'gone', owners.a1))
  users.late = addUser('late', owners.admin)
  clock.now = () => Date.now() - config.token_seconds * 1000 - 5_000
  bearer.expired = await begin(claims(users.late, 'late', owners.admin))
  clock.now = () => Date.now()
  bearer['expired-key'] = addKey({}, timestamp(new Date(Date.now() - 60_000)))
  bearer['deleted-key'] = randomUUID()
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('service_providers')
      .values([
        { service_provider_sid: sp1, name: 'one' },
        { service_provider_sid: sp2, name: 'two' },
      ])
      .execute()
    await tx
      .insertInto('accounts')
      .values([account(a1, sp1, 'a1'), account(a2, sp1, 'a2'), account(b1, sp2, 'b1')])
      .execute()
    await tx.insertInto('users').values(rows.users).execute()
    await tx.insertInto('switchroom_sessions').values(rows.sessions).execute()
    await apiKeys.insert(tx, ...rows.keys)
  })
  await endSessions(ctx, users.gone)

  watchParts(ctx)
  const isShared = !ownApp && !tracing && canShare(environment)
  const { app, close: closeApp } = await (isShared ? sharedApp : appOf)({ ctx, isChecked })
  /** Sends a request as this caller, below the API's base path. */
  const request = async (
    who: string,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => {
    const answer = await app.inject({
      method: method as 'GET',
      url: `/api/v1${path}`,
      headers: {
        ...(who && { authorization: `Bearer ${bearer[who] ?? who}` }),
        ...(typeof body === 'string' && { 'content-type': 'text/csv' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: body as object }),
    })
    if (answer.statusCode >= 400) recordRefusal(answer.body)
    // a 500 is a bug whose cause is only in the log
    if (answer.statusCode === 500) console.error(lines.findLast((l) => l.includes('"stack"')))
    return answer
  }
  const as = (who: string) => {
    const via: Transport = async (method, url, body, headers) => {
      const r = await request(who, method, url, body, headers)
      return {
        status: r.statusCode,
        json: () => r.json(),
        sound: async () => ({
          type: String(r.headers['content-type']),
          bytes: new Uint8Array(r.rawPayload),
        }),
      }
    }
    return <E extends Endpoint>(e: E, sent: Sent<E>) => call(via, e, sent)
  }
  return {
    app,
    ctx,
    /** The token of another API key of this caller's. */
    keyOf: async (name: Caller, limits: Limits, expires_at: string | null = null) => {
      const key = keyFor(owners[name], expires_at, limits)
      await apiKeys.insert(db, key)
      return key.token
    },
    db,
    /** The Redis that platform components write to, if there is one. */
    redis: redis || undefined,
    as,
    request,
    /** The log lines. */
    lines,
    /** The sent emails. */
    mails,
    bearer,
    /** The time that tokens are signed and checked at. */
    clock,
    users,
    sids: { sp1, sp2, a1, a2, b1 },
    close: async () => {
      await closeApp()
      await health.stop()
      await state.close()
      await ctx.stores.close()
      rmSync(data, { recursive: true, force: true })
      await live.close()
      await close()
    },
  }
}

async function appOf({ ctx, isChecked }: { ctx: Context; isChecked: boolean }) {
  const app = await buildApp(ctx, { loggerInstance: ctx.log })
  if (isChecked) checkAgainstDescription(app)
  return { app, close: () => app.close() }
}

export type TestApp = Awaited<ReturnType<typeof testApp>>
