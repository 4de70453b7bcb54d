import { randomUUID } from 'node:crypto'
import {
  type CapacityCategory,
  FREE_PLAN,
  type PLANS,
  registeredDevices,
  TRIAL_PLAN,
} from '@switchroom/contract'
import type { Insertable, Selectable } from 'kysely'
import { type Db, type Tables, timestamp } from '../db/open.ts'
import * as limits from '../tenants/limits/queries.ts'
import { localProducts } from './catalogue.ts'

export type Period = Selectable<Tables['account_subscriptions']>
type Capacity = Record<CapacityCategory, number>

/**
 * Periods of an account that have not ended, newest first: the active one and those pending
 * payment.
 */
export const openPeriods = (db: Db, account_sid: string): Promise<Period[]> =>
  db
    .selectFrom('account_subscriptions')
    .selectAll()
    .where('account_sid', '=', account_sid)
    .where('effective_end_date', 'is', null)
    .orderBy('effective_start_date', 'desc')
    .execute()

/** The capacity bought with a period. */
export async function capacityOf(db: Db, account_subscription_sid: string): Promise<Capacity> {
  const rows = await db
    .selectFrom('account_products as bought')
    .innerJoin('products', 'products.product_sid', 'bought.product_sid')
    .select(['products.category', 'bought.quantity'])
    .where('bought.account_subscription_sid', '=', account_subscription_sid)
    .execute()
  const quantityOf = (category: CapacityCategory) =>
    rows.filter((r) => r.category === category).reduce((sum, r) => sum + r.quantity, 0)
  return { voice_call_session: quantityOf('voice_call_session'), device: quantityOf('device') }
}

export const sameCapacity = (a: Capacity, b: Capacity) =>
  a.voice_call_session === b.voice_call_session && a.device === b.device

export async function beginPeriod(
  db: Db,
  period: Omit<Insertable<Tables['account_subscriptions']>, 'account_subscription_sid'>,
  capacity: Capacity,
) {
  const account_subscription_sid = randomUUID()
  await db
    .insertInto('account_subscriptions')
    .values({ account_subscription_sid, effective_start_date: timestamp(), ...period })
    .execute()
  const products = await localProducts(db)
  if (products.length > 0)
    await db
      .insertInto('account_products')
      .values(
        products.map(({ product_sid, category }) => ({
          account_product_sid: randomUUID(),
          account_subscription_sid,
          product_sid,
          quantity: capacity[category],
        })),
      )
      .execute()
  return account_subscription_sid
}

export async function endPeriods(db: Db, sids: string[], change_reason: string) {
  if (sids.length === 0) return
  await db
    .updateTable('account_subscriptions')
    .set({ effective_end_date: timestamp(), change_reason })
    .where('account_subscription_sid', 'in', sids)
    .execute()
}

/** Writes the limits that the platform's components enforce. With no capacity, removes them. */
export async function saveLimits(
  db: Db,
  account_sid: string,
  plan: (typeof PLANS)[number],
  capacity: Capacity | undefined,
) {
  const account = await db
    .selectFrom('accounts')
    .select('device_to_call_ratio')
    .where('account_sid', '=', account_sid)
    .executeTakeFirst()
  if (!account) return
  await limits.save(
    db,
    { account_sid },
    { account_sid },
    {
      voice_call_session: capacity?.voice_call_session ?? null,
      device: capacity ? registeredDevices(plan, account.device_to_call_ratio, capacity) : null,
    },
  )
}

const UNPAID_PLANS = { trial: TRIAL_PLAN, free: FREE_PLAN }

/**
 * Starts a plan that costs nothing and ends the current one for `reason`. Call in a transaction.
 */
export async function startPlan(
  tx: Db,
  account_sid: string,
  plan: keyof typeof UNPAID_PLANS,
  reason: string,
) {
  const before = await openPeriods(tx, account_sid)
  await endPeriods(
    tx,
    before.map((p) => p.account_subscription_sid),
    reason,
  )
  await beginPeriod(tx, { account_sid, pending: 0 }, UNPAID_PLANS[plan])
  await saveLimits(tx, account_sid, plan, UNPAID_PLANS[plan])
  await tx
    .updateTable('accounts')
    .set({ plan_type: plan })
    .where('account_sid', '=', account_sid)
    .execute()
}
