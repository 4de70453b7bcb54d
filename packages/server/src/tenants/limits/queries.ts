import { randomUUID } from 'node:crypto'
import { entriesOf, LIMIT_CATEGORIES, type LimitsIn } from '@switchroom/contract'
import type { Db } from '../../db/open.ts'
import { notPermitted } from '../../http/failure.ts'
import { below, ownedBy, type Whose } from '../../http/tenancy.ts'

export type Category = (typeof LIMIT_CATEGORIES)[number]

/** Limits are in a table for accounts or in one for providers. */
export type Owner = { account_sid: string } | { service_provider_sid: string }

export const ownerSid = (owner: Owner) =>
  'account_sid' in owner ? owner.account_sid : owner.service_provider_sid

const rank = (row: { category: Category }) => LIMIT_CATEGORIES.indexOf(row.category)
export const inOrder = <R extends { category: Category }>(rows: R[]) =>
  rows.sort((a, b) => rank(a) - rank(b))

export async function ofAccount(db: Db, account_sid: string, category?: Category) {
  const all = db.selectFrom('account_limits').selectAll().where('account_sid', '=', account_sid)
  return inOrder(await (category ? all.where('category', '=', category) : all).execute())
}

export async function ofProvider(db: Db, service_provider_sid: string, category?: Category) {
  const all = db
    .selectFrom('service_provider_limits')
    .selectAll()
    .where('service_provider_sid', '=', service_provider_sid)
  return inOrder(await (category ? all.where('category', '=', category) : all).execute())
}

type AccountLimit = Awaited<ReturnType<typeof ofAccount>>[number]
type ProviderLimit = Awaited<ReturnType<typeof ofProvider>>[number]

export const list = (
  db: Db,
  owner: Owner,
  category?: Category,
): Promise<(AccountLimit | ProviderLimit)[]> =>
  'account_sid' in owner
    ? ofAccount(db, owner.account_sid, category)
    : ofProvider(db, owner.service_provider_sid, category)

export const sidOf = (row: AccountLimit | ProviderLimit) =>
  'account_limits_sid' in row ? row.account_limits_sid : row.service_provider_limits_sid

/** Upserts the one row per owner and category. Resolves to its sid. */
export async function set(db: Db, owner: Owner, category: Category, quantity: number) {
  const [stored] = await list(db, owner, category)
  const sid = stored ? sidOf(stored) : randomUUID()
  if ('account_sid' in owner) {
    const row = { account_limits_sid: sid, account_sid: owner.account_sid, category, quantity }
    await (stored
      ? db.updateTable('account_limits').set({ quantity }).where('account_limits_sid', '=', sid)
      : db.insertInto('account_limits').values(row)
    ).execute()
  } else {
    const { service_provider_sid } = owner
    const row = { service_provider_limits_sid: sid, service_provider_sid, category, quantity }
    await (stored
      ? db
          .updateTable('service_provider_limits')
          .set({ quantity })
          .where('service_provider_limits_sid', '=', sid)
      : db.insertInto('service_provider_limits').values(row)
    ).execute()
  }
  return sid
}

/** Deletes limits of an owner, if the caller may change that one. */
export async function remove(db: Db, whose: Whose, owner: Owner, category?: Category) {
  if ('account_sid' in owner) {
    const all = db
      .deleteFrom('account_limits')
      .where('account_sid', '=', owner.account_sid)
      .where(below('account_limits.account_sid', 'accounts', ownedBy('accounts', whose)))
    await (category ? all.where('category', '=', category) : all).execute()
  } else {
    const inScope = ownedBy('service_providers', whose)
    const all = db
      .deleteFrom('service_provider_limits')
      .where('service_provider_sid', '=', owner.service_provider_sid)
      .where(below('service_provider_limits.service_provider_sid', 'service_providers', inScope))
    await (category ? all.where('category', '=', category) : all).execute()
  }
}

/** Saves the limits of a form: a number sets, 0 included; null removes; undefined keeps. */
export async function save(db: Db, whose: Whose, owner: Owner, limits: LimitsIn | undefined) {
  for (const [category, quantity] of entriesOf(limits ?? {})) {
    if (quantity === null) await remove(db, whose, owner, category)
    else if (quantity !== undefined) await set(db, owner, category, quantity)
  }
}

/** For callers who may only read limits: throws 403 unless every value is the stored one. */
export async function refuseChanges(db: Db, owner: Owner, limits: LimitsIn | undefined) {
  if (!limits) return
  const stored = new Map((await list(db, owner)).map((row) => [row.category, row.quantity]))
  for (const [category, quantity] of entriesOf(limits))
    if (quantity !== (stored.get(category) ?? null)) throw notPermitted('limits', category)
}

export const lockOf = (owner: Owner) => `limits:${ownerSid(owner)}`
