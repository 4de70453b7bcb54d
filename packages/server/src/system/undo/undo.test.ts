import {
  api,
  changeIn,
  PROGRESS_TYPE,
  UNDO_CHANGED,
  UNDO_EXPIRED,
  UNDO_HEADER,
  UNDO_INEXACT,
  UNDO_NOT_YOURS,
} from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { verify } from '../../audit/verify.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp({ APPLY_JAMBONZ_DB_LIMITS: '1' })
})
afterAll(() => t.close())

const hook = (url: string, password?: string) => ({
  url,
  method: 'POST' as const,
  ...(password && { username: 'u', password }),
})

/** Makes a change, and resolves to the undo that its response offers. */
async function change(who: string, method: 'PUT' | 'POST' | 'DELETE', path: string, body?: object) {
  const answer = await t.request(who, method, path, body)
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  return changeIn(answer.headers[UNDO_HEADER] as string | undefined)
}
const undo = (who: string, body: object | undefined) =>
  t.request(who, 'POST', '/AuditLog/Undo', body ?? {})
const newestEntry = async (sid: string) =>
  (await t.as('admin')(api.audit.list, { query: { page: 1, sid } })).data[0]!

let last = 15_550_001_000
const newNumber = async (who = 'a1', more: object = {}) => {
  const body = { number: String(++last), ...more }
  return (await t.as(who)(api.phoneNumbers.create, { body })).sid
}
const rows = async (sids: string[]) => {
  const stored = await t.db
    .selectFrom('phone_numbers')
    .leftJoin(
      'switchroom_phone_numbers as ours',
      'ours.phone_number_sid',
      'phone_numbers.phone_number_sid',
    )
    .selectAll('phone_numbers')
    .select('ours.description')
    .where('phone_numbers.phone_number_sid', 'in', sids)
    .orderBy('phone_numbers.number')
    .execute()
  return stored.map((row) => ({ ...row }))
}
const newApplication = async (who: string, name: string) =>
  (
    await t.as(who)(api.applications.create, {
      body: {
        name,
        call_hook: hook('https://a.example/c'),
        call_status_hook: hook('https://a.example/s'),
      },
    })
  ).sid

describe('what can be undone', () => {
  it('a deleted phone number comes back as it was, with its sid', async () => {
    const application_sid = await newApplication('a1', 'for numbers')
    const sid = await newNumber('a1', { application_sid, description: 'Front desk' })
    const before = await rows([sid])
    const deleted = await change('a1', 'DELETE', `/PhoneNumbers/${sid}`)
    expect(await rows([sid])).toEqual([])
    const answer = await undo('a1', deleted)
    expect(answer.json()).toEqual({
      action: 'delete',
      kind: 'phone_number',
      name: before[0]!.number,
      count: 1,
    })
    expect(await rows([sid])).toEqual(before)
    expect(await newestEntry(sid)).toMatchObject({
      action: 'create',
      undoes: deleted!.first,
      actor: 'a1',
      after: { description: 'Front desk' },
    })
    expect(await verify(t.db)).toMatchObject({ whole: true })
    await change('a1', 'DELETE', `/PhoneNumbers/${sid}`)
    await t.as('a1')(api.applications.remove, { params: { application_sid } })
  })

  it('an update, of each kind whose secrets have not changed', async () => {
    const application_sid = await newApplication('a1', 'before')
    const client = { username: 'desk', password: 'CANARY pass 1' }
    const client_sid = (await t.as('a1')(api.clients.create, { body: client })).sid
    const sealed = async () => {
      const row = t.db.selectFrom('clients').select('password').where('client_sid', '=', client_sid)
      return (await row.executeTakeFirstOrThrow()).password
    }
    const password = await sealed()
    const tenant = { tenant_fqdn: 'before.example.com', account_sid: t.sids.a1! }
    const ms_teams_tenant_sid = (await t.as('sp1')(api.msTeamsTenants.create, { body: tenant })).sid
    const number = await newNumber('sp1', { account_sid: t.sids.a1, description: 'before' })
    const cases = [
      {
        path: `/Applications/${application_sid}`,
        body: {
          name: 'after',
          call_hook: hook('https://b.example/c'),
          speech_synthesis_voice: 'x',
          record_all_calls: 1,
        },
      },
      { path: `/Clients/${client_sid}`, body: { allow_direct_app_calling: 0, is_active: 0 } },
      {
        path: `/MicrosoftTeamsTenants/${ms_teams_tenant_sid}`,
        body: { tenant_fqdn: 'after.example.com', application_sid },
      },
      {
        path: `/PhoneNumbers/${number}`,
        body: { account_sid: t.sids.a2, description: 'after' },
      },
    ]
    for (const { path, body } of cases) {
      const read = async () => (await t.request('sp1', 'GET', path)).json()
      const before = await read()
      const name = before.name ?? before.username ?? before.tenant_fqdn ?? before.number
      const made = await change('sp1', 'PUT', path, body)
      expect(made, path).toBeDefined()
      const after = await read()
      expect(after.version).not.toBe(before.version)
      const answer = await undo('sp1', made)
      expect(answer.json()).toMatchObject({ action: 'update', name, count: 1 })
      expect(await read()).toEqual(before)
      // once only: undoing has changed it since
      expect((await undo('sp1', made)).json(), path).toMatchObject({ code: 'changed' })
    }
    expect(await sealed()).toBe(password)
  })

  it('a deleted Microsoft Teams tenant', async () => {
    const body = { tenant_fqdn: 'gone.example.com', account_sid: t.sids.a1! }
    const { sid } = await t.as('sp1')(api.msTeamsTenants.create, { body })
    const path = `/MicrosoftTeamsTenants/${sid}`
    const before = (await t.request('sp1', 'GET', path)).json()
    expect((await undo('sp1', await change('sp1', 'DELETE', path))).statusCode).toBe(200)
    expect((await t.request('sp1', 'GET', path)).json()).toEqual(before)
  })

  it('a change of many numbers: each gets its own former values', async () => {
    const carrier = async (name: string) =>
      (await t.as('sp1')(api.voipCarriers.create, { body: { name } })).sid
    const [one, other] = [await carrier('one'), await carrier('other')]
    const application_sid = await newApplication('a1', 'of a1')
    const account_sid = t.sids.a1!
    const sids = [
      await newNumber('sp1', { account_sid, voip_carrier_sid: one, application_sid }),
      await newNumber('sp1', { account_sid: t.sids.a2, description: 'of a2' }),
      await newNumber('sp1', { voip_carrier_sid: one, description: 'of nobody' }),
      await newNumber('sp1', { account_sid, description: 'all the same' }),
    ]
    const before = await rows(sids)
    const select = { phone_number_sids: sids }
    const changes = [
      { select, account_sid, application_sid: null },
      { select, description: 'all the same' },
      { select, voip_carrier_sid: other, account_sid: t.sids.a2, description: '' },
    ]
    for (const body of changes) {
      const made = await change('sp1', 'PUT', '/PhoneNumbers', body)
      expect(await rows(sids)).not.toEqual(before)
      const answer = await undo('sp1', made)
      expect(answer.statusCode, answer.body).toBe(200)
      expect(await rows(sids)).toEqual(before)
    }
    const deleted = await change('sp1', 'POST', '/PhoneNumbers/Delete', { select })
    expect(await rows(sids)).toEqual([])
    expect((await undo('sp1', deleted)).json()).toMatchObject({ action: 'delete', count: 4 })
    expect(await rows(sids)).toEqual(before)
    expect(await verify(t.db)).toMatchObject({ whole: true })
  })

  it('a change of many SIP clients: each gets its own former switches', async () => {
    const client_sids: string[] = []
    for (const [i, is_active] of ([1, 0, 1] as const).entries()) {
      const body = { username: `many ${i}`.replace(' ', '-'), password: 'p', is_active }
      client_sids.push((await t.as('a1')(api.clients.create, { body })).sid)
    }
    const read = () =>
      t.db.selectFrom('clients').selectAll().where('client_sid', 'in', client_sids).execute()
    const before = await read()
    const body = { select: { client_sids }, is_active: 0, allow_direct_user_calling: 0 }
    const made = await change('a1', 'PUT', '/Clients', body)
    expect((await undo('a1', made)).json()).toMatchObject({ kind: 'client', count: 3 })
    expect(await read()).toEqual(before)
  })

  it('a thousand numbers, each with its own description, and no more', async () => {
    const sids = Array.from({ length: 1_001 }, () => crypto.randomUUID())
    for (let i = 0; i < sids.length; i += 500) {
      const batch = sids.slice(i, i + 500)
      await t.db
        .insertInto('phone_numbers')
        .values(
          batch.map((phone_number_sid, n) => ({
            phone_number_sid,
            number: `4930${100_000 + i + n}`,
            account_sid: t.sids.b1!,
          })),
        )
        .execute()
      await t.db
        .insertInto('switchroom_phone_numbers')
        .values(batch.map((sid, n) => ({ phone_number_sid: sid, description: `desk ${i + n}` })))
        .execute()
    }
    const thousand = { phone_number_sids: sids.slice(1) }
    const before = await rows(thousand.phone_number_sids)
    const body = { select: thousand, description: 'all' }
    const accept = PROGRESS_TYPE
    const answer = await t.request('sp2', 'PUT', '/PhoneNumbers', body, { accept })
    // progress was sent before the change was made
    expect(answer.headers[UNDO_HEADER]).toBeUndefined()
    const line = JSON.parse(answer.body.trim().split('\n').at(-1)!)
    expect(line.result).toEqual({ changed: 1_000 })
    const made = changeIn(line[UNDO_HEADER])
    expect(made!.last - made!.first).toBe(999)
    expect((await undo('sp2', made)).json()).toMatchObject({ count: 1_000 })
    expect(await rows(thousand.phone_number_sids)).toEqual(before)
    const all = { select: { matching: { filter: '4930' } }, description: 'all' }
    expect(await change('sp2', 'PUT', '/PhoneNumbers', all)).toBeUndefined()
  })
})

describe('what cannot be undone exactly', () => {
  /** Expects that an undo is neither offered nor done on request. */
  const expectNone = async (who: string, sid: string, made: unknown) => {
    expect(made).toBeUndefined()
    const { seq } = await newestEntry(sid)
    const answer = await undo(who, { first: seq, last: seq })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().msg).toBe(UNDO_INEXACT)
  }

  it('secrets, and what is masked with them', async () => {
    const { sid } = await t.as('a1')(api.applications.create, {
      body: {
        name: 'secrets',
        call_hook: hook('https://a.example/c', 'CANARY-1'),
        call_status_hook: hook('https://a.example/s'),
        env_vars: { KEY: 'CANARY-2' },
      },
    })
    const path = `/Applications/${sid}`
    for (const body of [
      { call_hook: hook('https://b.example/c', 'CANARY-1') },
      { call_status_hook: hook('https://u:CANARY-3@a.example/s') },
      { env_vars: { KEY: 'CANARY-4' } },
      { app_json: '[{"verb": "hangup"}]' },
      // another row of webhooks, which would have another sid again
      { messaging_hook: hook('https://a.example/m') },
    ])
      await expectNone('a1', sid, await change('a1', 'PUT', path, body))
    await expectNone('a1', sid, await change('a1', 'DELETE', path))
    const client = { username: 'secret', password: 'CANARY pass 1' }
    const { sid: client_sid } = await t.as('a1')(api.clients.create, { body: client })
    const clientPath = `/Clients/${client_sid}`
    const password = { is_active: 0, password: 'CANARY pass 2' }
    await expectNone('a1', client_sid, await change('a1', 'PUT', clientPath, password))
    await expectNone('a1', client_sid, await change('a1', 'DELETE', clientPath))
  })

  it('what has parts, and what was added', async () => {
    const made = await change('a1', 'POST', '/VoipCarriers', { name: 'trunk' })
    const [{ voip_carrier_sid: sid }] = (
      await t.request('a1', 'GET', '/VoipCarriers?filter=trunk')
    ).json()
    await expectNone('a1', sid, made)
    const path = `/VoipCarriers/${sid}`
    await expectNone('a1', sid, await change('a1', 'PUT', path, { description: 'x' }))
    await expectNone('a1', sid, await change('a1', 'DELETE', path))
    const number = await newNumber()
    const { seq } = await newestEntry(number)
    expect((await undo('a1', { first: seq, last: seq })).statusCode).toBe(400)
  })

  it('a part of a change, or more than one', async () => {
    const sids = [await newNumber(), await newNumber(), await newNumber()]
    const describe = (description: string) =>
      change('a1', 'PUT', '/PhoneNumbers', { select: { phone_number_sids: sids }, description })
    const { first, last } = (await describe('one'))!
    const { last: end } = (await describe('two'))!
    for (const body of [
      { first, last: last - 1 },
      { first: first + 1, last },
      { first, last: end },
      { first: first + 1, last: first + 1 },
    ])
      expect((await undo('a1', body)).statusCode).toBe(404)
    for (const body of [{}, { first }, { first: last, last: first }, { first: 1, last: 1_001 }])
      expect((await undo('a1', body)).statusCode).toBe(400)
  })
})

describe('who may undo, and when', () => {
  it('only who made the change; for others of the scope it is refused, beyond it unknown', async () => {
    const sid = await newNumber('a1')
    const made = await change('a1', 'DELETE', `/PhoneNumbers/${sid}`)
    for (const who of ['admin', 'sp1']) {
      const answer = await undo(who, made)
      expect(answer.statusCode, who).toBe(403)
      expect(answer.json().msg).toBe(UNDO_NOT_YOURS)
    }
    for (const who of ['a2', 'b1', 'sp2', 'a1-key'])
      expect((await undo(who, made)).statusCode, who).toBe(404)
    expect((await undo('a1-viewer', made)).statusCode).toBe(403)
    expect(await rows([sid])).toEqual([])
    expect((await undo('a1', made)).statusCode).toBe(200)
  })

  it('is not offered to API keys, which take none', async () => {
    const sid = await newNumber('a1')
    expect(await change('a1-key', 'DELETE', `/PhoneNumbers/${sid}`)).toBeUndefined()
  })

  it('for a minute', async () => {
    const sid = await newNumber('a1')
    const made = await change('a1', 'PUT', `/PhoneNumbers/${sid}`, { description: 'late' })
    const at = new Date(Date.now() - 61_000).toISOString()
    await t.db.updateTable('switchroom_audit').set({ at }).where('seq', '=', made!.first).execute()
    const answer = await undo('a1', made)
    expect(answer.json()).toMatchObject({ code: 'conflict', msg: UNDO_EXPIRED })
  })

  it('while nobody has changed it since, by the log or past it', async () => {
    const sids = [await newNumber('a1'), await newNumber('a1')]
    const [sid] = sids as [string]
    const describeBoth = (description: string) =>
      change('a1', 'PUT', '/PhoneNumbers', { select: { phone_number_sids: sids }, description })
    const made = await describeBoth('mine')
    await change('sp1', 'PUT', `/PhoneNumbers/${sid}`, { account_sid: t.sids.a2 })
    await change('sp1', 'PUT', `/PhoneNumbers/${sid}`, { account_sid: t.sids.a1 })
    const refused = await undo('a1', made)
    expect(refused.statusCode).toBe(409)
    expect(refused.json().msg).toBe(UNDO_CHANGED)
    expect((await rows(sids)).map((n) => n.description)).toEqual(['mine', 'mine'])

    const again = await describeBoth('again')
    await t.db
      .updateTable('switchroom_phone_numbers')
      .set({ description: 'by a stock server' })
      .where('phone_number_sid', '=', sid)
      .execute()
    const { length } = await t.db.selectFrom('switchroom_audit').select('seq').execute()
    expect((await undo('a1', again)).statusCode).toBe(409)
    expect((await rows(sids)).map((n) => n.description).sort()).toEqual([
      'again',
      'by a stock server',
    ])
    expect(await t.db.selectFrom('switchroom_audit').select('seq').execute()).toHaveLength(length)
  })

  it('once, however many ask at the same time', async () => {
    const sid = await newNumber('a1')
    const made = await change('a1', 'DELETE', `/PhoneNumbers/${sid}`)
    const answers = await Promise.all(Array.from({ length: 5 }, () => undo('a1', made)))
    expect(answers.filter((a) => a.statusCode === 200)).toHaveLength(1)
    expect(answers.filter((a) => a.statusCode === 409)).toHaveLength(4)
    expect(await rows([sid])).toHaveLength(1)
  })
})

describe('the rules of an ordinary write', () => {
  const refusal = async (who: string, made: object | undefined) => {
    const answer = await undo(who, made)
    expect(answer.statusCode).toBeGreaterThanOrEqual(400)
    return answer.json().msg
  }

  it('a number that was added again', async () => {
    const sid = await newNumber('a1')
    const { number } = (await rows([sid]))[0]!
    const made = await change('a1', 'DELETE', `/PhoneNumbers/${sid}`)
    await t.as('a1')(api.phoneNumbers.create, { body: { number } })
    expect(await refusal('a1', made)).toBe(`${number} is already in use.`)
  })

  it('a carrier or application that is gone', async () => {
    const voip_carrier_sid = (
      await t.as('a1')(api.voipCarriers.create, { body: { name: 'brief' } })
    ).sid
    const application_sid = await newApplication('a1', 'brief')
    const withBoth = await newNumber('a1', { voip_carrier_sid, application_sid })
    const { number } = (await rows([withBoth]))[0]!
    const made = await change('a1', 'DELETE', `/PhoneNumbers/${withBoth}`)
    await t.as('a1')(api.applications.remove, { params: { application_sid } })
    expect(await refusal('a1', made)).toBe(`${number} can no longer use its former application.`)
    await t.as('a1')(api.voipCarriers.remove, { params: { voip_carrier_sid } })
    expect(await refusal('a1', made)).toBe(`${number} can no longer use its former carrier.`)
    expect(await rows([withBoth])).toEqual([])
  })

  it('the limits of an account', async () => {
    const sid = await newNumber('a1')
    const made = await change('a1', 'DELETE', `/PhoneNumbers/${sid}`)
    const { n } = await t.db
      .selectFrom('phone_numbers')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('account_sid', '=', t.sids.a1!)
      .executeTakeFirstOrThrow()
    const full = Array.from({ length: 200 - Number(n) }, (_, i) => ({
      phone_number_sid: crypto.randomUUID(),
      number: `4989${i}`,
      account_sid: t.sids.a1!,
    }))
    await t.db.insertInto('phone_numbers').values(full).execute()
    expect(await refusal('a1', made)).toContain('exceeded limits')
  })

  it('a name that was taken meanwhile', async () => {
    const hook = { url: 'https://example.com/hook' }
    const body = { name: 'first', call_hook: hook, call_status_hook: hook }
    const { sid } = await t.as('a2')(api.applications.create, { body })
    const made = await change('a2', 'PUT', `/Applications/${sid}`, { name: 'second' })
    await t.as('a2')(api.applications.create, { body })
    expect(await refusal('a2', made)).toBe(
      'The name you have entered is already in use on another one of your applications.',
    )
  })
})
