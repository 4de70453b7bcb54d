import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { kinds, testDatabase } from '../../test/database.ts'
import {
  isBadValue,
  isDuplicate,
  isForeignKeyViolation,
  isUnreachable,
  kindOf,
  openDb,
  timestamp,
} from './open.ts'

const rejection = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('nothing was thrown'),
    (e: unknown) => e,
  )

const SERVICE_PROVIDER = '2708b1b3-2736-40ea-b502-c53d8396247f'
const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'

describe.each(kinds)('on %s', (kind) => {
  let test: Awaited<ReturnType<typeof testDatabase>>
  let db: typeof test.db
  beforeEach(async () => {
    test = await testDatabase(kind)
    db = test.db
  })
  afterEach(() => test.close())

  const account = (more: object) =>
    db.insertInto('accounts').values({
      account_sid: randomUUID(),
      service_provider_sid: SERVICE_PROVIDER,
      name: 'another',
      webhook_secret: 'wh_secret_x',
      ...more,
    })
  const application = (more: object) =>
    db
      .insertInto('applications')
      .values({ application_sid: randomUUID(), account_sid: ACCOUNT, name: 'app', ...more })

  it('knows its kind, in a transaction too', async () => {
    expect(kindOf(db)).toBe(kind)
    await db.transaction().execute(async (tx) => expect(kindOf(tx)).toBe(kind))
  })

  it('reads times as ISO 8601 in UTC and numbers as numbers', async () => {
    const now = new Date('2026-01-31T12:34:56.789Z')
    const last_used = timestamp(now)
    expect(last_used).toBe('2026-01-31 12:34:56')
    const before = Date.now()
    await db
      .insertInto('api_keys')
      .values({ api_key_sid: randomUUID(), token: randomUUID(), last_used })
      .execute()
    const key = await db.selectFrom('api_keys').selectAll().executeTakeFirstOrThrow()
    expect(key.last_used).toBe('2026-01-31T12:34:56.000Z')
    expect(key.expires_at).toBeNull()
    const created = Date.parse(key.created_at!)
    expect(created).toBeGreaterThan(before - 2_000)
    expect(created).toBeLessThan(Date.now() + 2_000)

    const seeded = await db.selectFrom('accounts').selectAll().executeTakeFirstOrThrow()
    expect(seeded.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/)
    expect([seeded.is_active, seeded.disable_cdrs]).toEqual([1, 0])

    const expires_at = Date.now()
    await db.insertInto('switchroom_live').values({ key: 'k', value: 'v', expires_at }).execute()
    const live = await db.selectFrom('switchroom_live').selectAll().executeTakeFirst()
    expect(live).toEqual({ key: 'k', value: 'v', expires_at })

    const sum = await db
      .selectFrom('predefined_sip_gateways')
      .select((eb) => [eb.fn.countAll<number>().as('n'), eb.fn.sum<number>('port').as('ports')])
      .executeTakeFirst()
    expect(sum).toEqual({ n: 26, ports: 26 * 5060 })
  })

  it('finds rows by the times it wrote', async () => {
    await account({}).execute()
    const entriesSince = (since: number) =>
      db
        .selectFrom('accounts')
        .select('name')
        .where('created_at', '>', timestamp(new Date(Date.now() + since)))
        .where('name', '=', 'another')
        .execute()
    expect(await entriesSince(-60_000)).toHaveLength(1)
    expect(await entriesSince(60_000)).toHaveLength(0)
  })

  it('keeps any character, and text in binary columns', async () => {
    const name = "😀 ä 'quoted' \\ `tick`"
    await account({ name, deactivated_reason: '' }).execute()
    const row = await db
      .selectFrom('accounts')
      .select(['name', 'deactivated_reason'])
      .where('name', '=', name)
      .executeTakeFirst()
    expect(row).toEqual({ name, deactivated_reason: '' })
    await db
      .insertInto('account_static_ips')
      .values({
        account_static_ip_sid: randomUUID(),
        account_sid: ACCOUNT,
        public_ipv4: '192.0.2.1',
        private_ipv4: '10.0.0.1',
      })
      .execute()
    const ip = await db.selectFrom('account_static_ips').selectAll().executeTakeFirst()
    expect(ip).toMatchObject({ public_ipv4: '192.0.2.1', private_ipv4: '10.0.0.1' })
  })

  it('compares text without case, and names the columns of a duplicate', async () => {
    await account({ sip_realm: 'sip.example.com' }).execute()
    expect(
      await db
        .selectFrom('accounts')
        .select('sip_realm')
        .where('sip_realm', '=', 'SIP.example.COM')
        .execute(),
    ).toEqual([{ sip_realm: 'sip.example.com' }])
    const realm = await rejection(account({ sip_realm: 'SIP.Example.com' }).execute())
    expect(isDuplicate(realm)).toEqual({ columns: ['sip_realm'] })

    await application({}).execute()
    const name = await rejection(application({ name: 'APP' }).execute())
    expect(isDuplicate(name)).toEqual({ columns: ['account_sid', 'name'] })

    const sid = await rejection(account({ account_sid: ACCOUNT }).execute())
    expect(isDuplicate(sid)).toEqual({ columns: ['account_sid'] })

    const updated = await rejection(
      db.updateTable('accounts').set({ sip_realm: 'sip.example.com' }).execute(),
    )
    expect(isDuplicate(updated)).toEqual({ columns: ['sip_realm'] })
    expect(isDuplicate(new Error('other'))).toBe(false)
  })

  it('compares live keys exactly', async () => {
    const values = [
      { key: 'a', value: '1' },
      { key: 'A', value: '2' },
    ]
    await db.insertInto('switchroom_live').values(values).execute()
    const rows = await db
      .selectFrom('switchroom_live')
      .select('value')
      .where('key', '=', 'A')
      .execute()
    expect(rows).toEqual([{ value: '2' }])
  })

  it('rejects dangling references and deletion of referenced rows', async () => {
    const dangling = await rejection(account({ service_provider_sid: randomUUID() }).execute())
    expect(isForeignKeyViolation(dangling)).toBe(true)
    const inUse = await rejection(db.deleteFrom('service_providers').execute())
    expect(isForeignKeyViolation(inUse)).toBe(true)
    expect(isForeignKeyViolation(new Error('other'))).toBe(false)
  })

  it('deletes limits with their account', async () => {
    await db
      .insertInto('account_limits')
      .values({
        account_limits_sid: randomUUID(),
        account_sid: ACCOUNT,
        category: 'voice_call_minutes',
        quantity: 1,
      })
      .execute()
    await db.deleteFrom('accounts').execute()
    expect(await db.selectFrom('account_limits').selectAll().execute()).toEqual([])
  })

  it.each([
    ['too long', 'name', { name: 'x'.repeat(65) }],
    ['out of range', 'device_to_call_ratio', { device_to_call_ratio: 2 ** 31 }],
    ['no number', 'device_to_call_ratio', { device_to_call_ratio: 'many' }],
    ['out of the enum', 'plan_type', { plan_type: 'golden' }],
    ['no time', 'trial_end_date', { trial_end_date: "soon for column 'name' at row 1" }],
    ['null', 'webhook_secret', { webhook_secret: null }],
  ])('rejects a value that is %s and names its column', async (_, column, more) => {
    expect(isBadValue(await rejection(account(more).execute()))).toEqual({ column })
    expect(
      isBadValue(
        await rejection(
          db
            .updateTable('accounts')
            .set({ ...(more as object) })
            .execute(),
        ),
      ),
    ).toEqual({
      column,
    })
  })

  it('stores as many characters as the platform allows, whatever their bytes', async () => {
    await account({ name: '😀'.repeat(64) }).execute()
    expect(isBadValue(new Error('other'))).toBe(false)
  })

  it('counts rows an update found, changed or not', async () => {
    const name = 'default account'
    const result = await db.updateTable('accounts').set({ name }).executeTakeFirst()
    expect(result.numUpdatedRows).toBe(1n)
  })

  it('rolls back a failed transaction', async () => {
    await rejection(
      db.transaction().execute(async (tx) => {
        await tx.updateTable('accounts').set({ name: 'changed' }).execute()
        throw new Error('no')
      }),
    )
    expect(await db.selectFrom('accounts').select('name').execute()).toEqual([
      { name: 'default account' },
    ])
  })

  it('streams rows while the same query runs elsewhere', async () => {
    const query = db.selectFrom('predefined_sip_gateways').select('ipv4').orderBy('ipv4')
    const all = await query.execute()
    const streamed = []
    for await (const row of query.stream()) {
      streamed.push(row)
      if (kind === 'mysql') await query.execute()
    }
    expect(streamed).toEqual(all)
  })

  it('returns the current columns after a table changed', async () => {
    const all = () => sql`select * from switchroom_t`.execute(db)
    await sql`create table switchroom_t (a int)`.execute(db)
    await sql`insert into switchroom_t values (1)`.execute(db)
    expect((await all()).rows).toEqual([{ a: 1 }])
    await sql`alter table switchroom_t add column at datetime`.execute(db)
    await sql`update switchroom_t set at = '2026-01-31 12:00:00'`.execute(db)
    expect((await all()).rows).toEqual([{ a: 1, at: '2026-01-31T12:00:00.000Z' }])
    await sql`drop table switchroom_t`.execute(db)
  })

  const ofServers = kind === 'mysql' ? it : () => undefined
  ofServers('says so when an operator stops what it does', async () => {
    const startError = (how: string) =>
      db.transaction().execute(async (tx) => {
        await sql`update accounts set name = 'held'`.execute(tx)
        const waits = rejection(sql`update accounts set name = 'waits'`.execute(db))
        const find = async () =>
          (
            await sql<{ id: number }>`select id from information_schema.processlist
              where db = database() and info like '%waits%' and id <> connection_id()`.execute(tx)
          ).rows[0]?.id
        await expect.poll(find).toBeGreaterThan(0)
        await sql.raw(`${how} ${await find()}`).execute(tx)
        return waits
      })
    expect(isUnreachable(await startError('kill query'))).toBe(true)
    expect(isUnreachable(await startError('kill'))).toBe(true)
  })

  it('does not take an object for SQL', async () => {
    const name = { name: 1 } as unknown as string
    const rows = await db
      .selectFrom('accounts')
      .select('name')
      .where('name', '=', name)
      .execute()
      .catch(() => [])
    expect(rows).toEqual([])
  })
})

it('distinguishes an unreachable server from other failures', async () => {
  const config = { host: '127.0.0.1', port: 1, user: 'u', password: 'p', database: 'd' }
  const db = openDb({ kind: 'mysql', connectionLimit: 1, ...config })
  const refused = await rejection(db.selectFrom('accounts').select('name').execute())
  expect(isUnreachable(refused)).toBe(true)
  const lost = Object.assign(new Error('write after end'), { code: 'ERR_STREAM_DESTROYED' })
  expect(isUnreachable(lost)).toBe(true)
  expect(isUnreachable(new Error('other'))).toBe(false)
  await db.destroy()
})
