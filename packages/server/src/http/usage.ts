import type { Usage } from '@switchroom/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tables } from '../db/open.ts'

const SHOWN = 20

/**
 * Counts the rows of a table that block a deletion, and lists the first ones by name. At most two queries.
 */
export async function usage(
  db: Db,
  kind: string,
  table: keyof Tables & string,
  sid: string,
  name: string,
  where: RawBuilder<unknown>,
): Promise<Usage> {
  const from = sql`from ${sql.table(table)} where ${where}`
  const { rows: items } = await sql<{ sid: string; name: string }>`
    select ${sql.ref(sid)} as sid, ${sql.ref(name)} as name ${from} order by ${sql.ref(name)} limit ${sql.lit(SHOWN)}`.execute(
    db,
  )
  if (items.length < SHOWN) return { kind, total: items.length, items: items.map(plain) }
  const { rows } = await sql<{ n: number }>`select count(*) as n ${from}`.execute(db)
  return { kind, total: Number(rows[0]?.n ?? items.length), items: items.map(plain) }
}

const plain = (item: { sid: string; name: string | null }) => ({
  sid: item.sid,
  name: item.name ?? '',
})
