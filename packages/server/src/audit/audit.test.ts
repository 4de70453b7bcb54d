import { randomUUID } from 'node:crypto'
import {
  type AuditKind,
  api,
  changeIn,
  MASK,
  MASK_CHANGED,
  UNDO_HEADER,
} from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROOF, type TestApp, testApp } from '../../test/app.ts'
import { nextMillisecond } from '../../test/next-millisecond.ts'
import { linkHash } from './record.ts'
import { verify } from './verify.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const log = async (who: string, query: object = {}) =>
  (await t.as(who)(api.audit.list, { query: { page: 1, ...query } })).data

describe('the audit log', () => {
  it('has one entry per change, with actor, fields and address', async () => {
    const { sid } = await t.as('sp1')(api.voipCarriers.create, {
      body: {
        name: 'trunk',
        register_username: 'u',
        register_password: 'CANARY-1',
        register_sip_realm: 'r.example.com',
        requires_register: 1,
        sip_gateways: [{ ipv4: '203.0.113.9', inbound: 1, outbound: 1 }],
      },
    })
    const change = (body: object) =>
      t.as('sp1')(api.voipCarriers.update, { params: { voip_carrier_sid: sid }, body })
    await change({ description: 'to the north' })
    await change({ register_password: 'CANARY-2' })
    await change({ description: 'to the north' })
    await t.as('admin-key')(api.voipCarriers.remove, { params: { voip_carrier_sid: sid } })

    const [deleted, secret, updated, created, ...rest] = await log('sp1', { sid })
    expect(rest).toEqual([])
    expect(created).toMatchObject({
      action: 'create',
      kind: 'voip_carrier',
      name: 'trunk',
      actor: 'sp1',
      actor_scope: 'service_provider',
      user_sid: t.users.sp1,
      ip: '127.0.0.1',
      service_provider_sid: t.sids.sp1,
      account_sid: null,
      before: null,
      after: { name: 'trunk', register_password: MASK },
    })
    expect(updated).toMatchObject({
      action: 'update',
      before: { description: null },
      after: { description: 'to the north' },
    })
    expect(Object.keys(updated!.after!)).toEqual(['description'])
    expect(secret).toMatchObject({
      before: { register_password: MASK },
      after: { register_password: MASK_CHANGED },
    })
    // one by its position, within scope
    expect(await log('sp1', { seq: updated!.seq })).toEqual([updated])
    expect(await log('sp2', { seq: updated!.seq })).toEqual([])
    expect(deleted).toMatchObject({
      action: 'delete',
      user_sid: null,
      actor: 'API key',
      // done by an admin, whose address is not the provider's business
      ip: null,
      after: null,
    })
    expect(deleted!.api_key_sid).not.toBeNull()
    expect((await log('admin', { sid }))[0]!.ip).toBe('127.0.0.1')
    expect(
      JSON.stringify(await t.db.selectFrom('switchroom_audit').selectAll().execute()),
    ).not.toContain('CANARY')
  })

  it('has none for a refused change', async () => {
    const before = (await log('admin')).length
    const refused = await t.request('a1', 'POST', '/VoipCarriers', { name: '' })
    expect(refused.statusCode).toBe(400)
    await t.request('sp2', 'DELETE', `/ServiceProviders/${t.sids.sp2}`)
    expect(await log('admin')).toHaveLength(before)
  })

  it('shows each caller only its own entries', async () => {
    const { sid } = await t.as('a1')(api.phoneNumbers.create, { body: { number: '15083084809' } })
    for (const who of ['admin', 'sp1', 'a1', 'a1-viewer', 'a1-key'])
      expect(await log(who, { sid }), who).toHaveLength(1)
    for (const who of ['sp2', 'a2', 'b1']) expect(await log(who, { sid }), who).toEqual([])
    const csv = await t.request('a2', 'GET', `/AuditLog/Export?sid=${sid}`)
    expect(csv.body.trim().split('\r\n')).toHaveLength(1)
  })

  it('is filtered by kind, action, user, day and text', async () => {
    const of = async (query: object) => (await log('admin', query)).length
    expect(await of({ kind: 'phone_number', action: 'create' })).toBe(1)
    expect(await of({ kind: 'phone_number', action: 'delete' })).toBe(0)
    expect(await of({ user_sid: t.users.a1 })).toBe(1)
    const [entry] = await log('admin', { kind: 'phone_number' })
    const at = entry!.at
    const day = at.slice(0, 10)
    expect(await of({ from: day, to: day, kind: 'phone_number' })).toBe(1)
    expect(await of({ to: '2020-01-01' })).toBe(0)
    const offBy = (ms: number) => new Date(Date.parse(at) + ms).toISOString()
    expect(await of({ from: at, to: at, kind: 'phone_number' })).toBe(1)
    expect(await of({ from: offBy(1), kind: 'phone_number' })).toBe(0)
    expect(await of({ to: offBy(-1), kind: 'phone_number' })).toBe(0)
    const inTokyo = `${new Date(Date.parse(at) + 9 * 3_600_000).toISOString().slice(0, -1)}+09:00`
    expect(await of({ from: inTokyo, to: inTokyo, kind: 'phone_number' })).toBe(1)
    expect(await of({ filter: '5083084' })).toBe(1)
    expect((await t.request('admin', 'GET', '/AuditLog?page=1&from=yesterday')).statusCode).toBe(
      400,
    )
  })

  it('is exported as CSV without formulas', async () => {
    const name = '=HYPERLINK("http://evil")'
    await t.as('a1')(api.voipCarriers.create, { body: { name } })
    const csv = await t.request('a1', 'GET', '/AuditLog/Export?kind=voip_carrier')
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(csv.headers['content-disposition']).toBe('attachment; filename="audit-log.csv"')
    expect(csv.body.split('\r\n')[0]).toMatch(/^seq,at,actor,/)
    expect(csv.body).toContain(`,"'=HYPERLINK(""http://evil"")",`)
  })

  it('records that a password changed, but not its value', async () => {
    for (const initial_password of ['CANARY pass 1', 'CANARY pass 2'])
      await t.as('sp1')(api.users.update, {
        params: { user_sid: t.users.a2! },
        body: { initial_password, proof: PROOF },
      })
    const [entry] = await log('sp1', { kind: 'user' })
    expect(entry).toMatchObject({ name: 'a2', after: { hashed_password: MASK_CHANGED } })
    expect(JSON.stringify(entry)).not.toContain('CANARY')
  })
})

it('shows what only looks like a secret by its name', async () => {
  const body = { min_password_length: 9, require_digit: 1, require_special_character: 0 } as const
  await t.as('admin')(api.settings.savePasswordSettings, { body })
  const [entry] = await log('admin', { kind: 'password_settings' })
  expect(entry?.after).toMatchObject({ min_password_length: 9 })
})

describe('the hash chain', () => {
  const first = () => t.db.selectFrom('switchroom_audit').selectAll().orderBy('seq')

  it('is intact', async () => {
    const { length } = await first().execute()
    expect(await verify(t.db)).toMatchObject({ whole: true, entries: length })
  })

  it('stays linear with concurrent writes', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        t.as('a1')(api.phoneNumbers.create, { body: { number: `4420794600${10 + i}` } }),
      ),
    )
    expect(await verify(t.db)).toMatchObject({ whole: true })
  })

  const change = (seq: number, values: object) =>
    t.db.updateTable('switchroom_audit').set(values).where('seq', '=', seq).execute()

  it.each([
    { what: 'an entry that was changed', column: 'name', value: 'another' },
    { what: 'values that were changed', column: 'after_values', value: '{}' },
    { what: 'an entry that was made an undo', column: 'undoes', value: 1 },
    { what: 'a hash that was changed', column: 'hash', value: '0'.repeat(64) },
  ])('detects $what', async ({ column, value }) => {
    const row = (await first().execute())[2]!
    await change(3, { [column]: value })
    expect(await verify(t.db)).toMatchObject({ whole: false, seq: 3 })
    await change(3, { [column]: row[column as 'name'] })
    expect(await verify(t.db)).toMatchObject({ whole: true })
  })

  it('detects an entry rewritten with a matching hash at its successor', async () => {
    const rows = await first().execute()
    const { hash, ...forged } = { ...rows[2]!, name: 'forged' }
    await change(3, { name: 'forged', hash: linkHash(rows[1]!.hash, forged) })
    expect(await verify(t.db)).toMatchObject({ whole: false, seq: 4 })
    await change(3, { name: rows[2]!.name, hash })
  })

  it('detects a removed entry, in the middle or at the end', async () => {
    const rows = await first().execute()
    for (const row of [rows[4]!, rows.at(-1)!]) {
      await t.db.deleteFrom('switchroom_audit').where('seq', '=', row.seq).execute()
      expect(await verify(t.db)).toMatchObject({ whole: false, seq: row.seq })
      await t.db.insertInto('switchroom_audit').values(row).execute()
    }
    expect(await verify(t.db)).toMatchObject({ whole: true })
  })
})

describe('concurrent edits', () => {
  it('does not overwrite a newer version, and returns it', async () => {
    const { sid } = await t.as('a1')(api.voipCarriers.create, { body: { name: 'shared work' } })
    const params = { voip_carrier_sid: sid }
    const { version } = await t.as('a1')(api.voipCarriers.view, { params })
    expect(version).toMatch(/^[\w-]{22}$/)
    await t.as('sp1')(api.voipCarriers.update, { params, version, body: { description: 'theirs' } })
    const refused = t.as('a1')(api.voipCarriers.update, {
      params,
      version,
      body: { description: 'mine' },
    })
    await expect(refused).rejects.toMatchObject({
      status: 409,
      body: {
        code: 'changed',
        msg: 'Someone else changed this while you were editing.',
        current: { description: 'theirs' },
      },
    })
    const { version: newer, description } = await t.as('a1')(api.voipCarriers.view, { params })
    expect(description).toBe('theirs')
    await t.as('a1')(api.voipCarriers.update, {
      params,
      version: newer,
      body: { description: 'mine' },
    })
  })

  it('lets one of many concurrent edits through', async () => {
    const { sid } = await t.as('a1')(api.phoneNumbers.create, { body: { number: '442079460999' } })
    const params = { phone_number_sid: sid }
    const { version } = await t.as('a1')(api.phoneNumbers.view, { params })
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, (_, i) =>
        t.as('a1')(api.phoneNumbers.update, { params, version, body: { description: `try ${i}` } }),
      ),
    )
    expect(tries.filter((r) => r.status === 'fulfilled')).toHaveLength(1)
  })

  it('ignores fields that the server changes itself', async () => {
    const { sid } = await t.as('a1')(api.voipCarriers.create, { body: { name: 'registers' } })
    const params = { voip_carrier_sid: sid }
    const { version } = await t.as('a1')(api.voipCarriers.view, { params })
    await t.db
      .updateTable('voip_carriers')
      .set({ register_status: '{"status":"ok"}' })
      .where('voip_carrier_sid', '=', sid)
      .execute()
    await t.as('a1')(api.voipCarriers.update, { params, version, body: { description: 'x' } })
  })

  it('overwrites when no version is sent, as a stock server does', async () => {
    const { sid } = await t.as('a1')(api.voipCarriers.create, { body: { name: 'older client' } })
    const params = { voip_carrier_sid: sid }
    await t.as('sp1')(api.voipCarriers.update, { params, body: { description: 'one' } })
    await t.as('a1')(api.voipCarriers.update, { params, body: { description: 'two' } })
  })
})

describe('how a thing was', () => {
  const state = (who: string, kind: AuditKind, sid: string, at: string) =>
    t.as(who)(api.audit.state, { query: { kind, sid, at } })
  it('is what a single read showed then, at any time, with secrets masked', async () => {
    const read = async (sid: string) => {
      const { version: _, ...view } = await t.as('sp1')(api.voipCarriers.view, {
        params: { voip_carrier_sid: sid },
      })
      return view as Record<string, unknown>
    }
    const began = new Date().toISOString()
    nextMillisecond()
    const { sid } = await t.as('sp1')(api.voipCarriers.create, {
      body: {
        name: 'trunk',
        register_username: 'u',
        register_password: 'CANARY-3',
        register_sip_realm: 'r.example.com',
        requires_register: 1,
        sip_gateways: [{ ipv4: '203.0.113.9', inbound: 1, outbound: 1 }],
      },
    })
    const seen: { at: string; view: Record<string, unknown> }[] = []
    const look = async () => {
      nextMillisecond()
      seen.push({ at: new Date().toISOString(), view: await read(sid) })
      nextMillisecond()
    }
    await look()
    const changes = [
      { description: 'one' },
      { register_password: 'CANARY-4' },
      { sip_gateways: [{ ipv4: '203.0.113.10', inbound: 1, outbound: 0 }], is_active: 0 },
      { description: null, name: 'trunk two' },
    ] as const
    for (const body of changes) {
      await t.as('sp1')(api.voipCarriers.update, {
        params: { voip_carrier_sid: sid },
        body: body as object,
      })
      await look()
    }
    await t.as('sp1')(api.voipCarriers.remove, { params: { voip_carrier_sid: sid } })
    nextMillisecond()

    for (const { at, view } of seen) {
      const then = await state('sp1', 'voip_carrier', sid, at)
      expect(then).toMatchObject({ existed: true, complete: true })
      for (const [name, value] of Object.entries(then.values))
        if (!/password/.test(name)) expect(value, name).toEqual(view[name])
      expect(then.values.name).toBe(view.name)
      expect(then.values.sip_gateways).toHaveLength(1)
      expect(JSON.stringify(then)).not.toContain('CANARY')
    }
    const gone = { existed: false, complete: true, values: {} }
    expect(await state('sp1', 'voip_carrier', sid, began)).toMatchObject({
      ...gone,
      previous: null,
    })
    const now = new Date().toISOString()
    expect(await state('sp1', 'voip_carrier', sid, now)).toMatchObject({
      ...gone,
      previous: { action: 'delete' },
      next: null,
    })
    expect((await state('sp1', 'voip_carrier', sid, seen[1]!.at)).next!.after).toEqual({
      register_password: MASK_CHANGED,
    })
    // out of scope, of another kind, or of no kind at all
    for (const who of ['a1', 'sp2'])
      await expect(state(who, 'voip_carrier', sid, now)).rejects.toMatchObject({ status: 404 })
    await expect(state('sp1', 'application', sid, now)).rejects.toMatchObject({ status: 404 })
    await expect(state('sp1', 'voip_carrier', sid, 'now')).rejects.toMatchObject({ status: 400 })
  })

  it('is known by its deletion where the log does not reach back, not by what came after', async () => {
    const phone_number_sid = randomUUID()
    const was = { phone_number_sid, number: '15550004242', account_sid: t.sids.a1 }
    await t.db.insertInto('phone_numbers').values(was).execute()
    const before = new Date().toISOString()
    nextMillisecond()
    const params = { phone_number_sid }
    const describe = (description: string) =>
      t.as('a1')(api.phoneNumbers.update, { params, body: { description } })
    await describe('before its deletion')
    const { headers } = await t.request('a1', 'DELETE', `/PhoneNumbers/${phone_number_sid}`)
    await t.as('a1')(api.undo.change, { body: changeIn(String(headers[UNDO_HEADER]))! })
    await describe('after it')
    const then = await state('a1', 'phone_number', phone_number_sid, before)
    expect(then).toMatchObject({ existed: true, complete: true })
    expect(then.values).toMatchObject({ ...was, description: null })
  })

  it('is known in part where the log does not reach back', async () => {
    const { a1: account_sid } = t.sids
    const change = async (name: string) => {
      await t.as('a1')(api.accounts.update, { params: { account_sid }, body: { name } })
      nextMillisecond()
    }
    const was = await t.db
      .selectFrom('accounts')
      .select('name')
      .where('account_sid', '=', account_sid)
      .executeTakeFirstOrThrow()
    const before = new Date().toISOString()
    nextMillisecond()
    await change('renamed')
    const then = await state('a1', 'account', account_sid, before)
    expect(then).toMatchObject({ existed: true, complete: false, previous: null })
    expect(then.values).toMatchObject({ name: was.name })
    expect(Date.parse(then.known_since)).toBeGreaterThanOrEqual(Date.parse(before))
    const now = await state('a1', 'account', account_sid, new Date().toISOString())
    expect(now).toMatchObject({ existed: true, complete: false, values: { name: 'renamed' } })
  })
})
