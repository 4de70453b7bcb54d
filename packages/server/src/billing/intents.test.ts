import { afterAll, beforeAll, expect, it } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import type { Db } from '../db/open.ts'
import { LEASE_MS, LeaseLost, releaseLease, renewLease, takeLease } from './intents.ts'

let db: Db
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await testDatabase())
})
afterAll(() => close())

it('gives the lease of an account to one process', async () => {
  const now = Date.now()
  const taken = await Promise.all(Array.from({ length: 5 }, () => takeLease(db, 'one', now)))
  expect(taken.filter(Boolean)).toHaveLength(1)
  expect(await takeLease(db, 'another', now)).toBeDefined()
})

it('passes the lease on when it is released or its holder died', async () => {
  const now = Date.now()
  await releaseLease(db, (await takeLease(db, 'two', now))!)
  const dead = await takeLease(db, 'two', now)
  expect(await takeLease(db, 'two', now + LEASE_MS - 1)).toBeUndefined()
  const next = await takeLease(db, 'two', now + LEASE_MS)
  expect(next).toBeDefined()
  // the dead one was only slow
  await expect(renewLease(db, dead!)).rejects.toBeInstanceOf(LeaseLost)
  await releaseLease(db, dead!)
  await renewLease(db, next!)
})
