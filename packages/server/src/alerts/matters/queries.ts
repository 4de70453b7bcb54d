import { ALERT_OPEN_HOURS, type AlertState } from '@switchroom/contract'
import type { Selectable } from 'kysely'
import type { Db, Tables } from '../../db/open.ts'
import type { Owner } from '../../stores/calls.ts'
import { HOUR_MS } from '../../stores/sums.ts'

export type Row = Selectable<Tables['switchroom_alert_matters']>

/** Marks per inbox, beyond which nothing more can be marked. */
export const MAX_MATTERS = 500
/** Marks are forgotten after this time. */
const FORGET_MS = 30 * 24 * HOUR_MS

/** Alerts of one type and account within an inbox. */
export type Matter = Pick<Row, 'inbox' | 'account_sid' | 'alert_type'>

/** Whose marks these are: an account has its own, and a provider has one for all of its accounts. */
export const inboxOf = ({ account_sid, service_provider_sid }: Owner) =>
  account_sid ?? service_provider_sid ?? ''

const keyOf = (account_sid: string | null, alert_type: string) =>
  JSON.stringify([account_sid ?? '', alert_type])

/** Tells the state of alerts in an inbox. */
export async function stateTeller(db: Db, owner: Owner, now = Date.now()) {
  const rows = await db
    .selectFrom('switchroom_alert_matters')
    .selectAll()
    .where('inbox', '=', inboxOf(owner))
    .execute()
  const resolved = new Map(
    rows.map((row) => [keyOf(row.account_sid, row.alert_type), Number(row.mended_at)]),
  )
  return (account_sid: string | null, alert_type: string, last_at: string): AlertState => {
    const resolved_at = resolved.get(keyOf(account_sid, alert_type))
    const last = Date.parse(last_at)
    if (resolved_at !== undefined && last <= resolved_at) return 'resolved'
    if (last <= now - ALERT_OPEN_HOURS * HOUR_MS) return 'quiet'
    return resolved_at === undefined ? 'open' : 'returned'
  }
}

/** Undefined while it is not marked. */
export const find = (db: Db, { inbox, account_sid, alert_type }: Matter) =>
  db
    .selectFrom('switchroom_alert_matters')
    .selectAll()
    .where('inbox', '=', inbox)
    .where('account_sid', '=', account_sid)
    .where('alert_type', '=', alert_type)
    .executeTakeFirst()

export const count = async (db: Db, inbox: string) =>
  Number(
    (
      await db
        .selectFrom('switchroom_alert_matters')
        .select((eb) => eb.fn.countAll().as('n'))
        .where('inbox', '=', inbox)
        .executeTakeFirstOrThrow()
    ).n,
  )

/** Forgets old marks of an inbox. */
export const forgetOld = (db: Db, inbox: string, now: number) =>
  db
    .deleteFrom('switchroom_alert_matters')
    .where('inbox', '=', inbox)
    .where('mended_at', '<', now - FORGET_MS)
    .execute()

/** Marks as resolved. Call under a lock, with what `find` found. */
export async function resolve(db: Db, matter: Matter, sid: string, now: number) {
  await reopen(db, matter)
  await db
    .insertInto('switchroom_alert_matters')
    .values({ ...matter, alert_matter_sid: sid, mended_at: now })
    .execute()
}

export const reopen = (db: Db, { inbox, account_sid, alert_type }: Matter) =>
  db
    .deleteFrom('switchroom_alert_matters')
    .where('inbox', '=', inbox)
    .where('account_sid', '=', account_sid)
    .where('alert_type', '=', alert_type)
    .execute()

/** Marks in the inbox of an account or provider, and those of the account's alerts. */
export const removeOf = (db: Db, sid: string) =>
  db
    .deleteFrom('switchroom_alert_matters')
    .where((eb) => eb.or([eb('inbox', '=', sid), eb('account_sid', '=', sid)]))
    .execute()
