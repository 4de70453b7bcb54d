import { api, changeIn, type ImportProgress, UNDO_HEADER } from '@switchroom/contract'
import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { kindOf } from '../src/db/open.ts'
import { refuseOverAuditQuota, refuseOverQuota } from '../src/http/limits.ts'
import type { Scope } from '../src/http/scope.ts'
import { addUser, changeUser, providerActor } from '../src/users/provisioning/provision.ts'
import { type TestApp, testApp } from './app.ts'
import { recordStatements } from './statements.ts'

// Quotas of an account by SWITCHROOM_QUOTA_…, however and by whomever a resource is added.

const statements = recordStatements()
let t: TestApp
beforeAll(async () => {
  t = await testApp({}, undefined, statements.tracing)
})
afterAll(() => t.close())
beforeEach(async () => {
  t.ctx.config.quotas = { phone_numbers: 0, applications: 0, users: 0, audit_entries: 0 }
  statements.after = undefined
  await t.db.deleteFrom('phone_numbers').execute()
  await t.db.deleteFrom('applications').execute()
})

const exceeded = (most: number, what: string, count: number, more = 1) => ({
  status: 422,
  message: `Each account has a quota of ${most} ${what}. This one has ${count}, and this would add ${more}.`,
})
const hook = { url: 'https://example.com/hook' }
const series = <T>(length: number, of: (i: number) => T) => Array.from({ length }, (_, i) => of(i))

async function imported(who: string, path: string, csv: string) {
  const answer = await t.request(who, 'POST', path, csv)
  const last = JSON.parse(answer.body.trim().split('\n').at(-1)!) as ImportProgress
  return 'verdict' in last ? last.verdict.added : 'msg' in last ? last.msg : last
}

async function owned(table: 'phone_numbers' | 'applications' | 'users', account_sid: string) {
  const { n } = await t.db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('account_sid', '=', account_sid)
    .executeTakeFirstOrThrow()
  return Number(n)
}

let last = 15_550_001_000
const newNumber = async (who: string, account_sid: string | undefined, more: object = {}) => {
  const number = String(++last)
  return (await t.as(who)(api.phoneNumbers.create, { body: { number, account_sid, ...more } })).sid
}
const newApplication = async (who: string, account_sid = t.sids.a1) => {
  const body = { name: `ivr ${++last}`, account_sid, call_hook: hook, call_status_hook: hook }
  return (await t.as(who)(api.applications.create, { body })).sid
}
const newUser = async (who: string, owner: object = { account_sid: t.sids.a1 }) => {
  const name = `user${++last}`
  const body = { name, email: `${name}@example.com`, initial_password: 'correct horse 1', ...owner }
  return (await t.as(who)(api.users.create, { body })).user_sid
}

it('ask the database nothing while none is set', async () => {
  const begun = await statements.during(async () => {
    await newNumber('a1', t.sids.a1)
    await newApplication('a1')
    await newUser('a1')
  })
  expect(begun.filter((sql) => /count\(\*\)|switchroom_lock_turns/.test(sql))).toEqual([])
})

it('are on System health', async () => {
  const quotas = { phone_numbers: 1_000, applications: 0, users: 50, audit_entries: 20_000 }
  t.ctx.config.quotas = quotas
  expect(await t.as('admin')(api.systemHealth.view, {})).toMatchObject({ quotas })
})

it.each(['phone_numbers', 'applications', 'users'] as const)(
  'count %s by an index',
  async (table) => {
    t.ctx.config.quotas[table] = 1_000
    const count = (
      await statements.during(() => refuseOverQuota(t.ctx, t.db, table, [t.sids.b1]))
    ).at(-1)!
    const plan = kindOf(t.db) === 'mysql' ? 'explain' : 'explain query plan'
    const { rows } = await t.db.executeQuery(CompiledQuery.raw(`${plan} ${count}`, [t.sids.b1]))
    expect(JSON.stringify(rows)).toMatch(/using (covering )?index/i)
  },
)

describe('of audit entries a day', () => {
  const entries = async (account_sid: string) => {
    const rows = await t.db
      .selectFrom('switchroom_audit')
      .select('at')
      .where('account_sid', '=', account_sid)
      .execute()
    return rows.length
  }

  it('hold for the account’s own users and keys, and spare its provider and its neighbour', async () => {
    await newNumber('a1', t.sids.a1)
    t.ctx.config.quotas.audit_entries = (await entries(t.sids.a1)) + 1
    const changed = await newNumber('a1', t.sids.a1)
    const { token } = await t.as('admin')(api.apiKeys.create, { body: { account_sid: t.sids.a1 } })
    const refused = await t.request('a1', 'DELETE', `/PhoneNumbers/${changed}`)
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toMatchObject({
      code: 'too_many',
      msg: `This account has used its quota of ${t.ctx.config.quotas.audit_entries} changes a day. It can change more after midnight UTC.`,
    })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(86_400)
    const byKey = await t.app.inject({
      method: 'DELETE',
      url: `/v1/PhoneNumbers/${changed}`,
      headers: { authorization: `Bearer ${token}` },
    })
    expect(byKey.statusCode).toBe(429)
    expect((await t.request('a1', 'GET', `/PhoneNumbers/${changed}`)).statusCode).toBe(200)
    await newNumber('a2', t.sids.a2)
    await t.as('sp1')(api.phoneNumbers.remove, { params: { phone_number_sid: changed } })
  })

  it('leave what is one’s own, and begin again with the next day', async () => {
    await newNumber('a1', t.sids.a1)
    t.ctx.config.quotas.audit_entries = 1
    const own = await t.request('a1', 'PUT', '/Preferences', { theme: 'dark' })
    expect(own.statusCode).toBeLessThan(300)
    const user = `/Users/${t.users.a1}`
    expect((await t.request('a1', 'PUT', user, { name: 'another' })).statusCode).toBe(429)
    const password = { old_password: 'own password 1', new_password: 'correct horse 7' }
    expect((await t.request('a1', 'PUT', user, password)).statusCode).toBe(204)
    const scope = { role: 'account', account_sid: t.sids.a1 } as Scope
    const today = Date.now()
    await expect(refuseOverAuditQuota(t.ctx, scope, today)).rejects.toMatchObject({
      code: 'too_many',
    })
    await refuseOverAuditQuota(t.ctx, scope, today + 86_400_000)
  })

  it('read one entry, by index', async () => {
    t.ctx.config.quotas.audit_entries = 5
    const [asked] = await statements.during(() =>
      refuseOverAuditQuota(t.ctx, { role: 'account', account_sid: t.sids.b1 } as Scope),
    )
    const plan = kindOf(t.db) === 'mysql' ? 'explain' : 'explain query plan'
    const values = [t.sids.b1, 'call', 1, 4]
    const { rows } = await t.db.executeQuery(CompiledQuery.raw(`${plan} ${asked}`, values))
    expect(JSON.stringify(rows)).toMatch(/using (covering )?index/i)
    expect(JSON.stringify(rows)).not.toMatch(/filesort|temp b-tree/i)
  })
})

describe('of phone numbers', () => {
  beforeEach(() => {
    t.ctx.config.quotas.phone_numbers = 3
  })

  it.each(['a1', 'sp1', 'admin'])('hold when %s adds them', async (who) => {
    for (const _ of series(3, String)) await newNumber(who, t.sids.a1)
    await expect(newNumber(who, t.sids.a1)).rejects.toMatchObject(exceeded(3, 'phone numbers', 3))
    await newNumber('a2', t.sids.a2)
    if (who !== 'a1') for (const _ of series(4, String)) await newNumber(who, undefined)
    expect(await owned('phone_numbers', t.sids.a1)).toBe(3)
  })

  it('hold for those added at once, and spare the others', async () => {
    const { sid: voip_carrier_sid } = await t.as('a1')(api.voipCarriers.create, {
      body: { name: `trunk ${++last}` },
    })
    for (const more of [{}, { voip_carrier_sid }]) {
      await t.db.deleteFrom('phone_numbers').execute()
      const tries = await Promise.allSettled([
        ...series(6, () => newNumber('a1', t.sids.a1, more)),
        newNumber('a2', t.sids.a2),
      ])
      const statuses = tries.map(({ status }) => status)
      expect(statuses.slice(0, 6).filter((status) => status === 'fulfilled')).toHaveLength(3)
      expect(statuses.at(-1)).toBe('fulfilled')
      expect(await owned('phone_numbers', t.sids.a1)).toBe(3)
    }
  })

  it('hold for a file, of which nothing is imported then', async () => {
    const path = '/PhoneNumbers/Import'
    const lines = (n: number) => `number\n${series(n, () => ++last).join('\n')}`
    const { message } = exceeded(3, 'phone numbers', 0, 4)
    expect(await imported('a1', `${path}?dry_run=1`, lines(4))).toBe(message)
    expect(await imported('a1', path, lines(4))).toBe(message)
    expect(await imported('a1', path, lines(3))).toBe(3)
    const ofBoth = `number,account\n${++last},${t.sids.a2}\n${++last},${t.sids.a1}`
    expect(await imported('sp1', path, ofBoth)).toBe(exceeded(3, 'phone numbers', 3).message)
    expect(await owned('phone_numbers', t.sids.a2)).toBe(0)
  })

  it('hold for those that move to the account, one or many', async () => {
    const { a1, a2 } = t.sids
    const [first, ...others] = await Promise.all(series(3, () => newNumber('sp1', a2)))
    for (const _ of series(2, String)) await newNumber('sp1', a1)
    const move = (account_sid: string, phone_number_sids: string[]) =>
      t.as('sp1')(api.phoneNumbers.updateMany, {
        body: { select: { phone_number_sids }, account_sid },
      })
    const moveOne = (phone_number_sid: string) =>
      t.as('sp1')(api.phoneNumbers.update, {
        params: { phone_number_sid },
        body: { account_sid: a1 },
      })
    await expect(move(a1, others)).rejects.toMatchObject(exceeded(3, 'phone numbers', 2, 2))
    await moveOne(first!)
    await expect(moveOne(others[0]!)).rejects.toMatchObject(exceeded(3, 'phone numbers', 3))
    // a resource that the account has already is no addition
    await move(a1, [first!])
    await move(a2, [first!])
    expect([await owned('phone_numbers', a1), await owned('phone_numbers', a2)]).toEqual([2, 3])
  })

  it('hold for those that come back by undo', async () => {
    const sid = await newNumber('sp1', t.sids.a1)
    const gone = await t.request('sp1', 'DELETE', `/PhoneNumbers/${sid}`)
    for (const _ of series(3, String)) await newNumber('sp1', t.sids.a1)
    const undo = changeIn(gone.headers[UNDO_HEADER] as string | undefined)
    const answer = await t.request('sp1', 'POST', '/AuditLog/Undo', undo ?? {})
    expect([answer.statusCode, answer.json().msg]).toEqual(
      Object.values(exceeded(3, 'phone numbers', 3)),
    )
  })

  it('leave alone what an account has beyond them', async () => {
    t.ctx.config.quotas.phone_numbers = 0
    const sids = await Promise.all(series(5, () => newNumber('a1', t.sids.a1)))
    t.ctx.config.quotas.phone_numbers = 3
    const params = { phone_number_sid: sids[0]! }
    await t.as('a1')(api.phoneNumbers.update, { params, body: { description: 'front desk' } })
    await expect(newNumber('a1', t.sids.a1)).rejects.toMatchObject(exceeded(3, 'phone numbers', 5))
    expect(await owned('phone_numbers', t.sids.a1)).toBe(5)
  })
})

describe('of applications', () => {
  beforeEach(() => {
    t.ctx.config.quotas.applications = 1
  })

  it.each(['a1', 'sp1', 'admin'])('hold when %s adds them', async (who) => {
    await newApplication(who)
    await expect(newApplication(who)).rejects.toMatchObject(exceeded(1, 'applications', 1))
    await newApplication('a2', t.sids.a2)
  })

  it('hold for two that are added at once', async () => {
    const begun = (what: RegExp) => statements.begun.filter((sql) => what.test(sql)).length
    const counts = /count\(\*\) as n from .applications/
    // the first has counted: the second has too, or waits for it
    const both = () => Math.max(begun(counts), begun(/switchroom_lock_turns/))
    let other: Promise<string> | undefined
    const addOther = () => (other ??= newApplication('sp1'))
    // added with the first, it would share its transaction
    if (kindOf(t.db) === 'mysql')
      statements.after = async (sql) => {
        if (!counts.test(sql)) return
        addOther().catch(() => undefined)
        await expect.poll(both).toBeGreaterThan(1)
      }
    let tries: PromiseSettledResult<string>[] = []
    await statements.during(async () => {
      const first = newApplication('a1')
      if (kindOf(t.db) === 'mysql') await Promise.allSettled([first])
      tries = await Promise.allSettled([first, addOther()])
    })
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    // one waits for the other, and the database need not undo any
    expect(begun(counts)).toBe(2)
    expect(await owned('applications', t.sids.a1)).toBe(1)
  })

  it('hold for those that share a transaction', async () => {
    const tries = await Promise.allSettled(series(4, () => newApplication('a1')))
    const refusals = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(refusals).toEqual(
      series(3, () => expect.objectContaining(exceeded(1, 'applications', 1))),
    )
    expect(await owned('applications', t.sids.a1)).toBe(1)
  })

  it('hold for a file', async () => {
    const lines = (n: number) =>
      `name,call_hook,call_status_hook\n${series(n, () => `ivr ${++last},${hook.url},${hook.url}`).join('\n')}`
    expect(await imported('a1', '/Applications/Import', lines(2))).toBe(
      exceeded(1, 'applications', 0, 2).message,
    )
    expect(await imported('a1', '/Applications/Import', lines(1))).toBe(1)
  })

  it('hold for one that moves to the account', async () => {
    await newApplication('sp1')
    const application_sid = await newApplication('sp1', t.sids.a2)
    const move = t.as('sp1')(api.applications.update, {
      params: { application_sid },
      body: { account_sid: t.sids.a1 },
    })
    await expect(move).rejects.toMatchObject(exceeded(1, 'applications', 1))
  })
})

describe('of users', () => {
  let before: number
  beforeEach(async () => {
    before = await owned('users', t.sids.a1)
    t.ctx.config.quotas.users = before + 1
  })

  it.each(['a1', 'sp1', 'admin'])('hold when %s adds them', async (who) => {
    await newUser(who)
    await expect(newUser(who)).rejects.toMatchObject(exceeded(before + 1, 'users', before + 1))
    await newUser('sp1', { service_provider_sid: t.sids.sp1 })
  })

  it('hold for a file', async () => {
    const lines = (n: number) =>
      `name,email,password\n${series(n, () => `user${++last},user${last}@example.com,correct horse 1`).join('\n')}`
    expect(await imported('a1', '/Users/Import', lines(2))).toBe(
      exceeded(before + 1, 'users', before, 2).message,
    )
    expect(await imported('a1', '/Users/Import', lines(1))).toBe(1)
  })

  it('hold for one that moves to the account', async () => {
    await newUser('sp1')
    const user_sid = await newUser('sp1', { service_provider_sid: t.sids.sp1 })
    const move = t.as('sp1')(api.users.update, {
      params: { user_sid },
      body: { account_sid: t.sids.a1 },
    })
    await expect(move).rejects.toMatchObject(exceeded(before + 1, 'users', before + 1))
  })

  it('hold for those that a directory or single sign-on adds or moves', async () => {
    const meta = { ip: '192.0.2.1', user_agent: 'test', request_id: 'request', version: undefined }
    const actor = providerActor(t.ctx, meta as never, 'Directory', t.sids.sp1)
    const access = (account_sid: string) => ({
      account_sid,
      service_provider_sid: t.sids.sp1,
      is_view_only: false,
    })
    const add = (account_sid: string) => {
      const name = `user${++last}`
      const person = {
        name,
        email: `${name}@example.com`,
        is_active: 1,
        email_validated: 1,
      } as const
      const identity = {
        directory_sid: null,
        external_id: null,
        subject_digest: null,
        issuer: null,
        subject: null,
        details: '{}',
      }
      return addUser(actor, { ...person, ...access(account_sid) }, identity)
    }
    await add(t.sids.a1)
    const full = exceeded(before + 1, 'users', before + 1)
    const { message } = full
    await expect(add(t.sids.a1)).rejects.toMatchObject({ code: 'conflict', message })
    t.ctx.config.quotas.users = 0
    const elsewhere = await add(t.sids.a2)
    t.ctx.config.quotas.users = before + 1
    await expect(changeUser(actor, elsewhere, { access: access(t.sids.a1) })).rejects.toMatchObject(
      { code: 'conflict', message },
    )
    await changeUser(actor, elsewhere, { access: access(t.sids.a2), name: 'same account' })
  })
})
