import { randomUUID } from 'node:crypto'
import { LIMIT_CATEGORIES, type LimitsIn } from '@switchroom/contract'
import type { Db } from '../../db/open.ts'
import { notPermitted } from '../../http/failure.ts'

export type Category = (typeof LIMIT_CATEGORIES)[number]

/** The two tables of limits, which have the same shape. */
const TABLE = {
  account_sid: { table: 'account_limits', sid: 'account_limits_sid' },
  service_provider_sid: { table: 'service_provider_limits', sid: 'service_provider_limits_sid' },
} as const
export type Owner = { account_sid: string } | { service_provider_sid: string }

function ofOwner(owner: Owner) {
  const [column, value] = Object.entries(owner)[0] as [keyof typeof TABLE, string]
  // both tables differ only in the owner's column: typed as the first one
  return { column: column as 'account_sid', value, ...(TABLE[column] as typeof TABLE.account_sid) }
}

export async function list(db: Db, owner: Owner, category?: Category) {
  const o = ofOwner(owner)
  const all = db.selectFrom(o.table).selectAll().where(o.column, '=', o.value)
  const rows = await (category ? all.where('category', '=', category) : all).execute()
  const rank = (row: { category: string }) => LIMIT_CATEGORIES.indexOf(row.category as Category)
  return rows.sort((a, b) => rank(a) - rank(b))
}

/** Upserts the one row per owner and category. Resolves to its sid. */
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

/** Saves the limits of a form: a number sets, 0 included; null removes; undefined keeps. */
export async function save(db: Db, owner: Owner, limits: LimitsIn | undefined) {
  for (const [category, quantity] of Object.entries(limits ?? {}) as [Category, number | null][]) {
    if (quantity === null) await remove(db, owner, category)
    else await set(db, owner, category, quantity)
  }
}

/** For callers who may only read limits: throws 403 unless every value is the stored one. */
export async function refuseChanges(db: Db, owner: Owner, limits: LimitsIn | undefined) {
  const stored = new Map((await list(db, owner)).map((row) => [row.category, row.quantity]))
  for (const [category, quantity] of Object.entries(limits ?? {}) as [Category, number | null][])
    if (quantity !== (stored.get(category) ?? null)) throw notPermitted('limits', category)
}

export const lockOf = (owner: Owner) => `limits:${ofOwner(owner).value}`
