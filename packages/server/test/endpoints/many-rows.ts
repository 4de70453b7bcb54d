import { sql } from 'kysely'
import { insertMany } from '../../src/db/insert-many.ts'
import type { TestApp } from '../app.ts'
import { chosen } from '../database.ts'

/** Gives account a1 this many numbers, a tenth of them as many SIP clients, and a twentieth applications. */
export async function addManyRows(
  { db, sids: { a1: account_sid, sp1: service_provider_sid } }: TestApp,
  most: number,
) {
  const sid = (kind: string, i: number) =>
    `${kind.padEnd(8, '0')}-0000-4000-8000-${String(i).padStart(12, '0')}`
  const rows = <T>(length: number, of: (i: number) => T) => Array.from({ length }, (_, i) => of(i))
  await insertMany(
    db,
    'phone_numbers',
    rows(most, (i) => ({
      phone_number_sid: sid('a', i),
      number: String(15_550_000_000 + i),
      account_sid,
      service_provider_sid,
    })),
  )
  await insertMany(
    db,
    'clients',
    rows(most / 10, (i) => ({
      client_sid: sid('b', i),
      account_sid,
      username: `word${i}`,
      is_active: 1,
    })),
  )
  await insertMany(
    db,
    'applications',
    rows(most / 20, (i) => ({ application_sid: sid('c', i), account_sid, name: `word ${i}` })),
  )
  // as the database does by itself a while after so many rows
  if (chosen === 'mysql') await sql`analyze table phone_numbers, clients, applications`.execute(db)
}
