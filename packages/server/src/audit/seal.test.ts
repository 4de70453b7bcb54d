import { api } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'
import { nextMillisecond } from '../../test/next-millisecond.ts'
import type { Db } from '../db/open.ts'
import { transaction } from '../db/transaction.ts'
import { commandActor } from './command.ts'
import type { Entry } from './record.ts'
import { deferred, seal, startSealing } from './seal.ts'
import { pendingEntries, verify } from './verify.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp({}, undefined, undefined, { onFile: true })
})
afterEach(() => t.close())

const entry = (name: string): Entry => ({
  action: 'create',
  kind: 'webhook',
  sid: name,
  name,
  account_sid: null,
  service_provider_sid: null,
  before: null,
  after: { name },
})
const namesOf = (batch: number) => ['a', 'b', 'c'].map((letter) => `${letter}${batch}`)
const deferEntries = async (tx: Db, names: string[]) => {
  const entries = deferred(commandActor('import'))
  for (const name of names) entries.add(entry(name))
  await entries.store(tx)
}
const addBatch = async (batch: number) => {
  await transaction(t.db, (tx) => deferEntries(tx, namesOf(batch)))
  // batches of one millisecond have no order
  nextMillisecond()
}
const sealAll = () => t.ctx.bulk(seal)
const logged = async () =>
  (
    await t.db
      .selectFrom('switchroom_audit')
      .select('name')
      .where('kind', '=', 'webhook')
      .orderBy('seq')
      .execute()
  ).map((row) => row.name)

describe('deferred entries', () => {
  it('are linked in their order', async () => {
    for (const batch of [1, 2, 3]) await addBatch(batch)
    expect(await logged()).toEqual([])
    expect(await pendingEntries(t.db)).toBe(9)
    expect(await verify(t.db)).toMatchObject({ whole: true, entries: 0 })
    await sealAll()
    expect(await logged()).toEqual([1, 2, 3].flatMap(namesOf))
    expect(await pendingEntries(t.db)).toBe(0)
    expect(await verify(t.db)).toMatchObject({ whole: true, entries: 9 })
    const { data } = await t.as('admin')(api.audit.list, { query: { page: 1, filter: 'c3' } })
    expect(data).toMatchObject([
      { actor: 'import command', action: 'create', after: { name: 'c3' } },
    ])
  })

  it('are not there when their change is rolled back', async () => {
    const failed = transaction(t.db, async (tx) => {
      await deferEntries(tx, ['never'])
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    await sealAll()
    expect(await logged()).toEqual([])
  })

  it('are linked once by several processes, while others write', async () => {
    for (const batch of [1, 2, 3, 4, 5, 6]) await addBatch(batch)
    const writes = Array.from({ length: 10 }, (_, i) =>
      t.as('sp1')(api.voipCarriers.create, { body: { name: `trunk ${i}` } }),
    )
    await Promise.all([sealAll(), ...writes, sealAll(), sealAll()])
    expect(await logged()).toEqual([1, 2, 3, 4, 5, 6].flatMap(namesOf))
    expect(await verify(t.db)).toMatchObject({ whole: true, entries: 28 })
  })

  it('stay when linking them fails, and are linked by the next start', async () => {
    await addBatch(1)
    const head = await t.db
      .selectFrom('switchroom_audit_head')
      .selectAll()
      .executeTakeFirstOrThrow()
    await t.db.deleteFrom('switchroom_audit_head').execute()
    await expect(sealAll()).rejects.toThrow()
    expect(await pendingEntries(t.db)).toBe(3)
    await t.db.insertInto('switchroom_audit_head').values(head).execute()
    const sealing = startSealing(t.ctx)
    await expect.poll(logged).toEqual(namesOf(1))
    await sealing.stop()
    expect(await verify(t.db)).toMatchObject({ whole: true, entries: 3 })
  })

  it('show a change made after they were linked', async () => {
    await addBatch(1)
    await sealAll()
    await t.db
      .updateTable('switchroom_audit')
      .set({ name: 'forged' })
      .where('seq', '=', 2)
      .execute()
    expect(await verify(t.db)).toMatchObject({ whole: false, seq: 2 })
  })
})
