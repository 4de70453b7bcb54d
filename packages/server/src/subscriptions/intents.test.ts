import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Db } from '../db/open.ts'
import { testDatabase } from '../db/test-database.ts'
import { LEASE_MS, LeaseLost, release, renew, take } from './intents.ts'

let db: Db
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await testDatabase())
})
afterAll(() => close())

it('gives an account to one process of many', async () => {
  const now = Date.now()
  const taken = await Promise.all(Array.from({ length: 5 }, () => take(db, 'one', now)))
  expect(taken.filter(Boolean)).toHaveLength(1)
  expect(await take(db, 'another', now)).toBeDefined()
})

it('gives it to the next one when it is let go, or when whoever has it died', async () => {
  const now = Date.now()
  await release(db, (await take(db, 'two', now))!)
  const dead = await take(db, 'two', now)
  expect(await take(db, 'two', now + LEASE_MS - 1)).toBeUndefined()
  const next = await take(db, 'two', now + LEASE_MS)
  expect(next).toBeDefined()
  // the dead one was only slow
  await expect(renew(db, dead!)).rejects.toBeInstanceOf(LeaseLost)
  await release(db, dead!)
  await renew(db, next!)
})
