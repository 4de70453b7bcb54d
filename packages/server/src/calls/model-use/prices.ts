import type { ModelPrice } from '@switchroom/contract'
import type { Db } from '../../db/open.ts'

export const pricesIn = (row: { prices: string } | undefined): ModelPrice[] =>
  row ? JSON.parse(row.prices) : []

/** Prices that an account pays for models. Look up the account within the caller's scope first. */
export async function pricesOf(db: Db, account_sid: string) {
  const row = await db
    .selectFrom('switchroom_model_sessions')
    .select(['currency', 'prices'])
    .where('account_sid', '=', account_sid)
    .executeTakeFirst()
  return { currency: row?.currency, prices: pricesIn(row) }
}
