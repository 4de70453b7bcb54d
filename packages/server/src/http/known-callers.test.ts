import { setImmediate as nextTurn } from 'node:timers/promises'
import { api } from '@switchroom/contract'
import type { FastifyInstance } from 'fastify'
import { SignJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PROOF, type TestApp, testApp } from '../../test/app.ts'
import { recordStatements } from '../../test/statements.ts'
import { buildApp } from '../app.ts'
import { steadyNow } from '../db/clock.ts'
import { kindOf } from '../db/open.ts'
import { newWatch } from '../db/watched.ts'
import { Failure } from './failure.ts'
import { knownCallers } from './known-callers.ts'
import { memory } from './memory.ts'
import { endSessions } from './sessions.ts'
import { sessionKey } from './tokens.ts'

const recorded = recordStatements()
let t: TestApp
beforeEach(async () => {
  t = await testApp({}, undefined, recorded.tracing)
})
afterEach(() => t.close())

const path = '/Applications?page=1'
const status = async (who: string) => (await t.request(who, 'GET', path)).statusCode
const user = (who: string) => t.users[who]!
const change = (table: 'users' | 'accounts', set: object, sid: string) =>
  t.db
    .updateTable(table)
    .set(set)
    .where(table === 'users' ? 'user_sid' : 'account_sid', '=', sid)
    .execute()

/** An event that ends access, who has it before, and the status after. */
type End = {
  who: string
  status: number
  end: () => Promise<unknown>
  /** True for a request of the same caller, which waits for a read in progress. */
  waits?: boolean
}
const ENDS: Record<string, End> = {
  'the end of a session': {
    who: 'a1',
    status: 401,
    end: () =>
      t.db
        .updateTable('switchroom_sessions')
        .set({ ended_at: Date.now() })
        .where('user_sid', '=', user('a1'))
        .execute(),
  },
  'the end of all sessions of a user': {
    who: 'a1',
    status: 401,
    end: () => endSessions(t.ctx, user('a1')),
  },
  'a log-out': {
    who: 'a1',
    status: 401,
    end: () => t.request('a1', 'POST', '/logout'),
    waits: true,
  },
  'a row that is gone': {
    who: 'a1',
    status: 401,
    end: () => t.db.deleteFrom('switchroom_sessions').execute(),
  },
  'a deleted user': {
    who: 'a1',
    status: 401,
    end: () => t.as('admin')(api.users.remove, { params: { user_sid: user('a1') } }),
  },
  'a deactivated user': {
    who: 'a1',
    status: 401,
    end: () =>
      t.as('admin')(api.users.update, {
        params: { user_sid: user('a1') },
        body: { is_active: 0 },
      }),
  },
  'a user that moved': {
    who: 'a1',
    status: 401,
    end: () => change('users', { account_sid: t.sids.a2 }, user('a1')),
  },
  'another role': {
    who: 'admin',
    status: 401,
    end: () => change('users', { service_provider_sid: t.sids.sp1 }, user('admin')),
  },
  'a new password': {
    who: 'a1',
    status: 401,
    end: () =>
      t.as('admin')(api.users.update, {
        params: { user_sid: user('a1') },
        body: { initial_password: 'correct horse 2', proof: PROOF },
      }),
  },
  'a password that must be changed': {
    who: 'a1',
    status: 403,
    end: () =>
      t.db
        .updateTable('switchroom_sessions')
        .set({ force_change: 1 })
        .where('user_sid', '=', user('a1'))
        .execute(),
  },
  'a deactivated account': {
    who: 'a1',
    status: 401,
    end: () => change('accounts', { is_active: 0 }, t.sids.a1),
  },
  'a deactivated account, to its keys': {
    who: 'a1-key',
    status: 403,
    end: () => change('accounts', { is_active: 0 }, t.sids.a1),
  },
  'a deleted key': {
    who: 'a1-key',
    status: 401,
    end: () => t.db.deleteFrom('api_keys').execute(),
  },
  'a key that expires': {
    who: 'a1-key',
    status: 401,
    end: () => t.db.updateTable('api_keys').set({ expires_at: '2020-01-01 00:00:00' }).execute(),
  },
  'other networks of a key': {
    who: 'a1-key',
    status: 403,
    end: () =>
      t.db.updateTable('switchroom_api_keys').set({ networks: '["192.0.2.0/24"]' }).execute(),
  },
  'an authenticator app, to a token of a stock server': {
    who: 'a1-stock',
    status: 401,
    end: () =>
      t.db
        .insertInto('switchroom_totp')
        .values({ user_sid: user('a1'), sealed_secret: 'x', last_step: 0, created_at: '' })
        .execute(),
  },
  'a passkey, to a token of a stock server': {
    who: 'a1-stock',
    status: 401,
    end: () =>
      t.db
        .insertInto('switchroom_passkeys')
        .values({
          passkey_sid: 'x',
          user_sid: user('a1'),
          name: 'key',
          credential_hash: 'x',
          credential_id: 'x',
          public_key: 'key',
          counter: 0,
          transports: '',
          created_at: '',
          last_used_at: null,
        })
        .execute(),
  },
  'the allow-list of the platform': {
    who: 'a1',
    status: 401,
    end: () => t.ctx.live.remove(sessionKey(user('a1'))),
  },
}
const ends = Object.entries(ENDS).map(([what, one]) => ({ what, ...one }))

/** Beside a stock server, whose sessions are in the live state. */
async function beside() {
  t.ctx.live.isPlatforms = true
  await t.ctx.live.set(sessionKey(user('a1')), 'x', 3600)
  await t.ctx.live.set(sessionKey(user('admin')), 'x', 3600)
  const { a1: account_sid, sp1: service_provider_sid } = t.sids
  t.bearer['a1-stock'] = await new SignJWT({
    user_sid: user('a1'),
    scope: 'account',
    account_sid,
    service_provider_sid,
    permissions: [],
  })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode('test-secret'))
}

it.each(ends)('holds for the next request: $what', async ({ who, status: expected, end }) => {
  await beside()
  expect([await status(who), await status(who)]).toEqual([200, 200])
  await end()
  expect(await status(who)).toBe(expected)
})

it.each(ends)('holds after a request that began before: $what', async (one) => {
  await beside()
  // the first use of a key adds a row
  await status(one.who)
  t.ctx.memory.callers.forget()
  const { promise: ended, resolve: letGo } = Promise.withResolvers<void>()
  const { promise: hasRead, resolve: hold } = Promise.withResolvers<void>()
  const held = async () => {
    hold()
    await ended
  }
  const get = t.ctx.live.get.bind(t.ctx.live)
  const reading = vi.spyOn(t.ctx.live, 'get').mockImplementation(async (...keys) => {
    const found = await get(...keys)
    await held()
    return found
  })
  // SQLite in memory has one connection, which would be held as well
  if (kindOf(t.db) === 'mysql')
    recorded.after = async (sql) => void (/^select.*api_keys/.test(sql) && (await held()))
  const running = status(one.who)
  await Promise.race([hasRead, running])
  reading.mockRestore()
  recorded.after = undefined
  const ending = one.end()
  if (!one.waits) await ending
  letGo()
  await Promise.all([ending, running])
  expect(await status(one.who)).toBe(one.status)
})

describe('another process', () => {
  let other: FastifyInstance
  let later = 0
  beforeEach(async () => {
    later = 0
    // it does not hear the first one's writes
    const own = memory(newWatch(), { now: () => steadyNow() + later })
    other = await buildApp({ ...t.ctx, memory: own }, { loggerInstance: t.ctx.log })
  })
  afterEach(() => other.close())
  const statusThere = async (who: string) => {
    const authorization = `Bearer ${t.bearer[who]}`
    const url = `/api/v1${path}`
    return (await other.inject({ url, headers: { authorization } })).statusCode
  }

  it.each(ends)('knows after a second: $what', async ({ who, status: after, end }) => {
    await beside()
    expect([await statusThere(who), await statusThere(who)]).toEqual([200, 200])
    await end()
    later = 1_000
    expect(await statusThere(who)).toBe(after)
  })
})

describe('within a second', () => {
  beforeEach(() => {
    // however slow the machine
    t.ctx.memory.callers = memory(t.ctx.databaseUse, { now: () => 0 }).callers
  })
  const read = () => recorded.during(() => t.request('a1', 'GET', path))
  const ofCaller = (statements: string[]) =>
    statements.filter((sql) => /switchroom_sessions|api_keys/.test(sql))

  it('asks nothing of who calls, whatever else is written', async () => {
    expect(ofCaller(await read())).toHaveLength(1)
    expect(ofCaller(await read())).toEqual([])
    await t.request('a2', 'GET', path)
    await t.db.updateTable('password_settings').set({ min_password_length: 9 }).execute()
    await t.db.updateTable('switchroom_sessions').set({ last_seen_at: 1, last_ip: 'x' }).execute()
    await t.db.updateTable('api_keys').set({ last_used: null }).execute()
    expect(ofCaller(await read())).toEqual([])
  })

  it('still checks the time and the network on every request', async () => {
    const token = await t.keyOf('a1', { networks: ['127.0.0.1'] })
    const from = async (remoteAddress: string) => {
      const headers = { authorization: `Bearer ${token}` }
      return (await t.app.inject({ url: `/api/v1${path}`, headers, remoteAddress })).statusCode
    }
    expect([await from('127.0.0.1'), await from('192.0.2.1')]).toEqual([200, 403])
    expect(await from('127.0.0.1')).toBe(200)
    const soon = new Date(Math.ceil(Date.now() / 1000 + 3_600) * 1000)
    const expiring = await t.keyOf('a1', {}, soon.toISOString())
    expect(await status(expiring)).toBe(200)
    vi.spyOn(Date, 'now').mockReturnValue(soon.getTime())
    expect(await status(expiring)).toBe(401)
    vi.restoreAllMocks()
    expect(await status('a1')).toBe(200)
    t.clock.now = () => Date.now() + t.ctx.config.token_seconds * 1000 + 1
    expect(await status('a1')).toBe(401)
  })

  it('stores that it was seen once a minute', async () => {
    const seen = async () =>
      (
        await t.db
          .selectFrom('switchroom_sessions')
          .select(['last_seen_at'])
          .where('user_sid', '=', user('a1'))
          .executeTakeFirstOrThrow()
      ).last_seen_at
    await read()
    const first = Number(await seen())
    t.clock.now = () => first + 59_000
    await read()
    expect(Number(await seen())).toBe(first)
    t.clock.now = () => first + 61_000
    const [one, two] = [await read(), await read()]
    expect(Number(await seen())).toBe(first + 61_000)
    expect([ofCaller(one).length, ofCaller(two).length]).toEqual([1, 0])
  })

  it('keeps nothing of who is refused', async () => {
    await t.db.updateTable('accounts').set({ is_active: 0 }).execute()
    expect(await status('a1')).toBe(401)
    t.ctx.databaseUse.writes.clear()
    await t.db.updateTable('accounts').set({ is_active: 1 }).execute()
    expect(await status('a1')).toBe(200)
  })
})

describe('known callers', () => {
  it('share one read, but not its refusal', async () => {
    const callers = knownCallers<string>()
    let reads = 0
    const read = async () => {
      reads++
      await nextTurn()
      return `read ${reads}`
    }
    const both = [callers.get('x', read), callers.get('x', read)]
    expect(await Promise.all(both)).toEqual(['read 1', 'read 1'])
    const refused = async () => {
      await nextTurn()
      throw new Failure('unauthenticated', 'no')
    }
    const first = callers.get('y', refused)
    const second = callers.get('y', read)
    await expect(first).rejects.toThrow('no')
    expect(await second).toBe('read 2')
    const away = async () => {
      await nextTurn()
      throw new Failure('unavailable', 'away')
    }
    const third = callers.get('z', away)
    const fourth = callers.get('z', read)
    await expect(third).rejects.toThrow('away')
    // it has waited for the store once
    await expect(fourth).rejects.toThrow('away')
    expect(await callers.get('z', read)).toBe('read 3')
  })

  it('are a limited number', async () => {
    const callers = knownCallers<number>()
    for (let i = 0; i <= 2_000; i++) await callers.get(String(i), async () => i)
    expect(await callers.get('0', async () => -1)).toBe(-1)
    expect(await callers.get('2000', async () => -1)).toBe(2_000)
  })
})
