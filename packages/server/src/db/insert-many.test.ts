import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { insertOne } from './insert-many.ts'
import { newWatch, type Watch } from './watched.ts'
import type { Write } from './writes.ts'

let t: Awaited<ReturnType<typeof testDatabase>>
let written: Write[]
let statements: string[]
beforeEach(async () => {
  written = []
  statements = []
  const statement: Watch['statement'] = (text, run) => {
    statements.push(text)
    return run()
  }
  const writes: Watch['writes'] = new Set([(writes) => written.push(...writes)])
  t = await testDatabase(undefined, { ...newWatch(), statement, writes })
})
afterEach(() => t.close())

it('resolves to the row as it is stored, with defaults and times, without reading it', async () => {
  const service_provider_sid = randomUUID()
  await insertOne(t.db, 'service_providers', 'service_provider_sid', {
    service_provider_sid,
    name: 'provider',
    description: undefined,
  })
  const account_sid = randomUUID()
  statements = []
  const inserted = await insertOne(t.db, 'accounts', 'account_sid', {
    account_sid,
    service_provider_sid,
    name: 'account',
    webhook_secret: 'secret',
  })
  expect(statements).toHaveLength(1)
  const stored = await t.db
    .selectFrom('accounts')
    .selectAll()
    .where('account_sid', '=', account_sid)
    .executeTakeFirstOrThrow()
  expect(inserted).toEqual(stored)
  expect(inserted.created_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:]{8}\.000Z$/)
  expect(written).toContainEqual({ table: 'accounts', change: 'insert', sids: [account_sid] })
})
