import { randomUUID } from 'node:crypto'
import { LIMIT_CATEGORIES, type LimitsIn } from '@switchroom/contract'
import type { Db } from '../db/open.ts'
import { notPermitted } from '../http/failure.ts'

export type Category = (typeof LIMIT_CATEGORIES)[number]

/** Limits live in two tables of one shape; these are their names. */
const TABLE = {
  account_sid: { table: 'account_limits', sid: 'account_limits_sid' },
  service_provider_sid: { table: 'service_provider_limits', sid: 'service_provider_limits_sid' },
} as const
export type Owner = { account_sid: string } | { service_provider_sid: string }

function ofOwner(owner: Owner) {
  const [column, value] = Object.entries(owner)[0] as [keyof typeof TABLE, string]
  // both tables have the same columns but for the owner's: seen through the first one's types
  return { column: column as 'account_sid', value, ...(TABLE[column] as typeof TABLE.account_sid) }
}

export async function list(db: Db, owner: Owner, category?: Category) {
  const o = ofOwner(owner)
  const all = db.selectFrom(o.table).selectAll().where(o.column, '=', o.value)
  const rows = await (category ? all.where('category', '=', category) : all).execute()
  const rank = (row: { category: string }) => LIMIT_CATEGORIES.indexOf(row.category as Category)
  return rows.sort((a, b) => rank(a) - rank(b))
}

/** One row per owner and category. Resolves to its sid, the stored one when there is one. */
export async function set(db: Db, owner: Owner, category: Category, quantity: number) {
  const o = ofOwner(owner)
  const [stored] = await list(db, owner, category)
  if (stored) {
    const sid = stored[o.sid]
    await db.updateTable(o.table).set({ quantity }).where(o.sid, '=', sid).execute()
    return sid
  }
  const sid = randomUUID()
  await db
    .insertInto(o.table)
    .values({ [o.sid]: sid, [o.column]: o.value, category, quantity } as never)
    .execute()
  return sid
}

export async function remove(db: Db, owner: Owner, category?: Category) {
  const o = ofOwner(owner)
  const all = db.deleteFrom(o.table).where(o.column, '=', o.value)
  await (category ? all.where('category', '=', category) : all).execute()
}

/** All limits of a form: a number sets, 0 too; null removes; what is left out stays. */
export async function save(db: Db, owner: Owner, limits: LimitsIn | undefined) {
  for (const [category, quantity] of Object.entries(limits ?? {}) as [Category, number | null][]) {
    if (quantity === null) await remove(db, owner, category)
    else await set(db, owner, category, quantity)
  }
}

/** For who may only read limits: a value that is stored already is no change. Throws 403 for any other. */
export async function refuseChanges(db: Db, owner: Owner, limits: LimitsIn | undefined) {
  const stored = new Map((await list(db, owner)).map((row) => [row.category, row.quantity]))
  for (const [category, quantity] of Object.entries(limits ?? {}) as [Category, number | null][])
    if (quantity !== (stored.get(category) ?? null)) throw notPermitted('limits', category)
}

export const lockOf = (owner: Owner) => `limits:${ofOwner(owner).value}`
