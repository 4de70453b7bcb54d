import { type ApiKeyKind, api, changeIn, NAMES_MAX, UNDO_HEADER } from '@switchroom/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { recordStatements } from '../../../test/statements.ts'
import { kindOf } from '../../db/open.ts'

const UNKNOWN = '00000000-0000-4000-8000-000000000000'
const hook = { url: 'https://example.com/hook', method: 'POST' as const }
const statements = recordStatements()
let t: TestApp
let application: string
let carrier: string
let gone: string
let theirs: string

beforeAll(async () => {
  t = await testApp({}, undefined, statements.tracing)
  const add = async (who: 'a1' | 'b1', name: string) =>
    (
      await t.as(who)(api.applications.create, {
        body: { name, account_sid: t.sids[who], call_hook: hook, call_status_hook: hook },
      })
    ).sid
  application = await add('a1', 'Front desk')
  gone = await add('a1', 'Back desk')
  theirs = await add('b1', 'Theirs')
  carrier = (await t.as('sp1')(api.voipCarriers.create, { body: { name: 'Shared trunk' } })).sid
  await t.as('a1')(api.applications.remove, { params: { application_sid: gone } })
})
afterAll(() => t.close())

const namesFor = async (who: string, ...sids: string[]) =>
  (await t.as(who)(api.names.list, { query: { sids: sids.join() as never } }))
    .map(({ name, kind, is_deleted }) => `${kind} ${name}${is_deleted ? ' (deleted)' : ''}`)
    .sort()

it('names what the caller may see', async () => {
  const all = [application, carrier, theirs, t.sids.a1!, UNKNOWN]
  const own = await namesFor('a1', ...all)
  expect(own).toContain('application Front desk')
  expect(own).toContain('voip_carrier Shared trunk')
  expect(own).toHaveLength(3)
  expect(await namesFor('a2', ...all)).toEqual(['voip_carrier Shared trunk'])
  expect(await namesFor('b1', ...all)).toEqual(['application Theirs'])
  expect(await namesFor('sp1', ...all)).toHaveLength(3)
  expect(await namesFor('admin', ...all)).toHaveLength(4)
})

it('names deleted things to those who may read of them', async () => {
  for (const who of ['a1', 'sp1', 'admin'])
    expect(await namesFor(who, gone), who).toEqual(['application Back desk (deleted)'])
  for (const who of ['a2', 'b1', 'sp2']) expect(await namesFor(who, gone), who).toEqual([])
})

it('names a deleted thing once, and no longer once its deletion is undone', async () => {
  const { sid } = await t.as('a1')(api.phoneNumbers.create, { body: { number: '15550001234' } })
  const remove = () => t.request('a1', 'DELETE', `/PhoneNumbers/${sid}`)
  const change = changeIn(String((await remove()).headers[UNDO_HEADER]))!
  expect(await namesFor('a1', sid)).toEqual(['phone_number 15550001234 (deleted)'])
  await t.as('a1')(api.undo.change, { body: change })
  expect(await namesFor('a1', sid)).toEqual([])
  await remove()
  expect(await namesFor('a1', sid)).toEqual(['phone_number 15550001234 (deleted)'])
})

it('looks up deleted things by their sids, not in the whole log of an account', async () => {
  if (kindOf(t.db) === 'mysql') return
  const deleted = await statements.during(() => namesFor('a1', gone))
  const asked = deleted.find((text) => text.includes('switchroom_audit'))!
  const { rows } = await sql<{ detail: string }>`${sql.raw(`explain query plan ${asked}`)}`.execute(
    t.db,
  )
  expect(rows.map((r) => r.detail).join()).toContain('INDEX switchroom_audit_sid')
})

it('names to an API key only the kinds that it may read', async () => {
  const withKey = async (kinds: ApiKeyKind[]) => {
    const { token } = await t.as('a1')(api.apiKeys.create, {
      body: { account_sid: t.sids.a1, kinds },
    })
    const answer = await t.app.inject({
      url: `/v1/Names?sids=${application},${gone},${carrier}`,
      headers: { authorization: `Bearer ${token}` },
    })
    return answer.json().map(({ name }: { name: string }) => name)
  }
  expect(await withKey(['applications'])).toEqual(['Front desk'])
  expect(await withKey(['carriers'])).toEqual(['Shared trunk'])
  expect(await withKey(['audit'])).toEqual(['Back desk'])
})

it('refuses what is no list of sids, and too many', async () => {
  const many = Array.from({ length: NAMES_MAX + 1 }, (_, n) =>
    UNKNOWN.replace(/^.{4}/, `${1000 + n}`),
  )
  for (const sids of ['', 'x', many.join()]) {
    const answer = await t.request('a1', 'GET', `/Names?sids=${sids}`)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().issues[0].path[0]).toBe('sids')
  }
})
