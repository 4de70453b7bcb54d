import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { createSampleData } from '../../../test/sample-data.ts'
import { isSealed, secretBox } from '../../secrets/secret-box.ts'
import { carryOver } from './carry-over.ts'
import type { CarryOver, Installation } from './report.ts'
import { CARRIED, KEYED, MADE_BY_SETUP, SETTINGS } from './tables.ts'

type Database = Awaited<ReturnType<typeof testDatabase>>
const boxOf = (secret: string) => secretBox({ secret, legacy: false })

/** A SQLite database with a resource of every kind, as people begin with. */
let old: Database
let oldOne: Installation
beforeAll(async () => {
  const t = await testApp()
  await createSampleData(t)
  old = await testDatabase('sqlite')
  oldOne = { db: old.db, box: boxOf('old-secret-old-secret-old-secret') }
  const done = await carryOver({ db: t.db, box: boxOf('test-secret') }, oldOne, { isReal: true })
  expect(done.problems).toEqual([])
  await t.close()
  await old.db
    .insertInto('switchroom_recovery_codes')
    .values({ user_sid: 'admin', code_digest: 'x', created_at: '2026-01-31T12:00:00.000Z' })
    .execute()
})
afterAll(() => old.close())

const allOf = async (db: Installation['db'], table: string) =>
  (await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db)).rows

/** Rows in a fixed order, with encrypted values decrypted. */
async function inClear({ db, box }: Installation, table: string, renamed: Record<string, string>) {
  const rows = (await allOf(db, table)).map((row) =>
    JSON.stringify(
      Object.fromEntries(
        Object.entries(row)
          .map(([column, value]) => [
            column,
            typeof value !== 'string'
              ? value
              : isSealed(value)
                ? `opened: ${box.open(value)}`
                : (renamed[value] ?? value),
          ])
          .sort(([a], [b]) => (a! < b! ? -1 : 1)),
      ),
    ),
  )
  return rows.sort()
}

const contentOf = async (at: Installation) =>
  Object.fromEntries(
    await Promise.all(CARRIED.map(async (table) => [table, await inClear(at, table, {})] as const)),
  )

/** Every installation makes this account, with a secret of its own. */
const KEPT = [
  {
    table: 'accounts',
    name: 'default account',
    different: expect.arrayContaining(['webhook_secret']),
  },
]
const KEPT_ROWS = /"name":"(?:admin|default account)"/

const rowsOf = ({ added }: CarryOver) => Object.fromEntries(added.map((a) => [a.table, a.rows]))

describe('what was entered in one installation', () => {
  let there: Database
  let to: Installation
  beforeAll(async () => {
    there = await testDatabase()
    to = { db: there.db, box: boxOf('new-secret-new-secret-new-secret') }
    // as the first start of a server makes it
    await there.db
      .insertInto('users')
      .values({ user_sid: 'admin there', name: 'admin', email: 'admin', provider: 'local' })
      .execute()
    // which somebody has begun to use
    await there.db
      .updateTable('accounts')
      .set({ webhook_secret: 'wh_secret_there', sip_realm: 'there.example.com' })
      .execute()
  })
  afterAll(() => there.close())

  it('is shown first, and nothing is written', async () => {
    const before = await contentOf(to)
    const plan = await carryOver(oldOne, to, { isReal: false })
    expect(plan.problems).toEqual([])
    expect(rowsOf(plan)).toMatchObject({ applications: 1, voip_carriers: expect.any(Number) })
    expect(await contentOf(to)).toEqual(before)
  })

  it('is in another one, with its sids, readable with the secret there', async () => {
    const admin = async (at: Installation) =>
      (await allOf(at.db, 'users')).find((u) => u.name === 'admin')!
    const [adminBefore, adminThere] = [await admin(oldOne), await admin(to)]
    const plan = await carryOver(oldOne, to, { isReal: false })
    const done = await carryOver(oldOne, to, { isReal: true })
    expect(rowsOf(done)).toEqual(rowsOf(plan))
    const renamed = { [String(adminBefore.user_sid)]: String(adminThere.user_sid) }
    expect(done.kept).toEqual(KEPT)
    for (const table of CARRIED) {
      if (table in MADE_BY_SETUP || SETTINGS.includes(table) || table === KEYED) continue
      const [before, now] = [await inClear(oldOne, table, renamed), await inClear(to, table, {})]
      const isThere = (row: string) => now.includes(row) || KEPT_ROWS.test(row)
      expect(
        before.filter((row) => !isThere(row)),
        table,
      ).toEqual([])
    }
    expect(await admin(to)).toEqual(adminThere)
  })

  it('leaves nothing to do', async () => {
    const again = await carryOver(oldOne, to, { isReal: true })
    expect(again).toMatchObject({ added: [], problems: [], kept: KEPT })
  })

  it('tells what stays behind, and why', async () => {
    const { left } = await carryOver(oldOne, to, { isReal: false })
    expect(left.find(({ table }) => table === KEYED)).toMatchObject({ rows: 1 })
  })

  it('is in the audit log', async () => {
    const rows = await there.db
      .selectFrom('switchroom_audit')
      .select(['actor', 'kind'])
      .where('kind', '=', 'application')
      .execute()
    expect(rows).toEqual([{ actor: 'carry-over command', kind: 'application' }])
  })

  it('stays as it is there, if it is there', async () => {
    await there.db.updateTable('applications').set({ name: 'other' }).execute()
    const again = await carryOver(oldOne, to, { isReal: true })
    expect(again.kept).toEqual([
      ...KEPT,
      { table: 'applications', name: 'other', different: ['name'] },
    ])
    const [row] = await allOf(there.db, 'applications')
    expect(row).toMatchObject({ name: 'other' })
  })

  it('takes the place of what set-up made and nobody has changed', async () => {
    const fresh = await testDatabase('sqlite')
    const at = { ...to, db: fresh.db }
    const changed = { name: 'Meridian', webhook_secret: 'wh_secret_meridian' }
    const oldDefault = old.db.updateTable('accounts').where('name', '=', 'default account')
    await oldDefault.set(changed).execute()
    const done = await carryOver(oldOne, at, { isReal: true })
    expect(done.replaced).toEqual([{ table: 'accounts', name: 'Meridian' }])
    expect(await allOf(fresh.db, 'accounts')).toContainEqual(expect.objectContaining(changed))
    expect(await allOf(fresh.db, 'switchroom_audit')).toContainEqual(
      expect.objectContaining({ action: 'update', kind: 'account', name: 'Meridian' }),
    )
    await fresh.db
      .updateTable('accounts')
      .set({ name: 'ours' })
      .where('name', '=', 'Meridian')
      .execute()
    const again = await carryOver(oldOne, at, { isReal: true })
    expect(again).toMatchObject({ replaced: [], kept: [{ table: 'accounts', name: 'ours' }] })
    await fresh.close()
  })

  it('is not written if something of the same name is there already', async () => {
    const fresh = await testDatabase('sqlite')
    const [one] = await allOf(oldOne.db, 'applications')
    const [account] = (await allOf(oldOne.db, 'accounts')).filter(
      (a) => a.account_sid === one!.account_sid,
    )
    await fresh.db
      .insertInto('service_providers')
      .values({ service_provider_sid: String(account!.service_provider_sid), name: 'p' })
      .execute()
    await fresh.db
      .insertInto('accounts')
      .values({
        ...{ account_sid: 'another', name: 'another', webhook_secret: 'x' },
        service_provider_sid: String(account!.service_provider_sid),
        sip_realm: String(account!.sip_realm),
      })
      .execute()
    const done = await carryOver(oldOne, { ...to, db: fresh.db }, { isReal: true })
    expect(done.problems).toEqual([
      {
        table: 'accounts',
        name: String(account!.name),
        why: 'another one with the same sip_realm is there',
      },
    ])
    expect(await allOf(fresh.db, 'phone_numbers')).toEqual([])
    await fresh.close()
  })

  it('is not written if a SIP client of its name is there, which no key forbids', async () => {
    const fresh = await testDatabase('sqlite')
    const at = { ...to, db: fresh.db }
    await carryOver(oldOne, at, { isReal: true })
    const [client] = await allOf(old.db, 'clients')
    const username = String(client!.username).toUpperCase()
    await fresh.db.updateTable('clients').set({ client_sid: 'another', username }).execute()
    expect(await carryOver(oldOne, at, { isReal: true })).toMatchObject({
      problems: [
        {
          table: 'clients',
          name: client!.username,
          why: 'another one with the same username and account_sid is there',
        },
      ],
    })
    await fresh.close()
  })

  it('waits for the old one to be of this version', async () => {
    const before = await testDatabase('sqlite')
    await sql`delete from switchroom_migrations where name = '029-file-preferences'`.execute(
      before.db,
    )
    const from = { ...oldOne, db: before.db }
    await expect(carryOver(from, to, { isReal: true })).rejects.toThrow('An earlier version')
    await expect(carryOver(to, from, { isReal: true })).rejects.toThrow('A later version')
    await before.close()
  })

  it('is not written with a wrong old secret', async () => {
    const wrong = { ...oldOne, box: boxOf('wrong-secret-wrong-secret-wrong-') }
    const fresh = await testDatabase('sqlite')
    const { problems } = await carryOver(wrong, { ...to, db: fresh.db }, { isReal: true })
    expect(problems).toContainEqual({
      table: 'applications',
      name: 'ivr',
      why: 'env_vars cannot be decrypted: is the old secret right?',
    })
    expect(await allOf(fresh.db, 'applications')).toEqual([])
    await fresh.close()
  })

  it('is told of without the secrets in it', async () => {
    const fresh = await testDatabase('sqlite')
    const at = { ...to, db: fresh.db }
    await carryOver(oldOne, at, { isReal: true })
    const url = 'https://user:canary-pass@example.com/hook?token=canary-token'
    await old.db.updateTable('webhooks').set({ url }).execute()
    const told = await carryOver(oldOne, at, { isReal: true })
    expect(told.kept).toContainEqual(expect.objectContaining({ table: 'webhooks' }))
    expect(JSON.stringify(told)).not.toContain('canary')
    await fresh.close()
  })
})
