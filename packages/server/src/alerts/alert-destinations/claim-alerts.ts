import { type Alert, alertTypeOf, VIEW_ALERT } from '@switchroom/contract'
import { databaseNow, isOver } from '../../db/clock.ts'
import { skipExisting } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { claimDelivery, deleteOld, findSent, HOLD_MS, keyOf } from './delivery-queries.ts'
import { type Row, typesOf } from './queries.ts'

/** Alerts may be stored later than newer ones: each read overlaps the previous one by this time. */
const OVERLAP_MS = 60_000
/** Older alerts are not sent, so that nobody gets yesterday's after an outage. */
const MAX_AGE_MS = HOLD_MS
const LEASE_MS = 30_000
const PAGE = 500
const PAGES = 40
const WATCH = 1

type WatchContext = Pick<Context, 'db' | 'stores' | 'log'>

/**
 * Reads new alerts, in one process at a time, and claims a delivery for each that is to be sent. Resolves
 * to the number of claims. Throws `StoreUnavailable` and database errors.
 */
export async function lookForAlerts(ctx: WatchContext, at?: number): Promise<number> {
  const { db } = ctx
  const active = await db
    .selectFrom('switchroom_alert_destinations')
    .select('alert_destination_sid')
    .where('is_active', '=', 1)
    .limit(1)
    .executeTakeFirst()
  // without destinations the store is not read
  if (!active) return 0
  const now = at ?? (await databaseNow(db))
  const lease = now + LEASE_MS
  const watermark = await takeLease(db, now, lease)
  if (watermark === undefined) return 0
  const found = await newestAlerts(ctx, Math.max(watermark - OVERLAP_MS, now - MAX_AGE_MS))
  let claims = 0
  for (const { alert, row } of await recipients(db, found, now))
    if (await claimDelivery(db, row.alert_destination_sid, alert, now)) claims++
  if (claims > 0) await deleteOld(db, now)
  const seen = Math.max(watermark, ...found.map((a) => Math.min(Date.parse(a.time), now)))
  await db
    .updateTable('switchroom_alert_watch')
    .set({ watermark: seen, leased_until: now })
    .where('id', '=', WATCH)
    .where('leased_until', '=', lease)
    .execute()
  return claims
}

const watermarkOf = (db: Db) =>
  db
    .selectFrom('switchroom_alert_watch')
    .select('watermark')
    .where('id', '=', WATCH)
    .executeTakeFirst()

/** Takes the lease and resolves to the watermark; undefined while another process holds it. */
async function takeLease(db: Db, now: number, lease: number): Promise<number | undefined> {
  if (!(await watermarkOf(db)))
    await db
      .insertInto('switchroom_alert_watch')
      .values({ id: WATCH, watermark: now, leased_until: 0 })
      .$call(skipExisting(db))
      .execute()
  const { numUpdatedRows } = await db
    .updateTable('switchroom_alert_watch')
    .set({ leased_until: lease })
    .where('id', '=', WATCH)
    .where(isOver('leased_until', now, LEASE_MS))
    .executeTakeFirst()
  // read again: another process may have moved it
  if (numUpdatedRows === 0n) return undefined
  const { watermark = now } = (await watermarkOf(db)) ?? {}
  // a clock that ran ahead has left a time to come
  return Math.min(watermark, now)
}

/** The newest alert per account and type. */
async function newestAlerts({ stores, log }: WatchContext, from: number): Promise<Alert[]> {
  const found = new Map<string, Alert>()
  for (let page = 0; page < PAGES; page++) {
    const limits = { limit: PAGE, offset: page * PAGE }
    const { data } = await stores.alerts.list({ from, to: 8.64e15 }, limits)
    for (const alert of data) {
      // a view's alert goes to the destinations that its view names, which got it when it was written
      if (alert.alert_type === VIEW_ALERT) continue
      const key = `${alert.account_sid ?? alert.service_provider_sid} ${alertTypeOf(alert)}`
      // alerts come newest first
      if (!found.has(key)) found.set(key, alert)
    }
    if (data.length < PAGE) return [...found.values()]
  }
  log.warn({ alerts: PAGE * PAGES }, 'too many alerts: only the newest are sent')
  return [...found.values()]
}

/** The alerts and the destinations that get them, before claiming. */
async function recipients(db: Db, alerts: Alert[], now: number) {
  if (alerts.length === 0) return []
  const accounts = [...new Set(alerts.flatMap((a) => a.account_sid ?? []))]
  const providerOf = await providers(db, accounts)
  const ownerOf = (a: Alert) => providerOf.get(a.account_sid ?? '') ?? a.service_provider_sid
  const rows = await destinationsFor(db, accounts, [
    ...new Set(alerts.flatMap((a) => ownerOf(a) ?? [])),
  ])
  if (rows.length === 0) return []
  const sids = rows.map((r) => r.alert_destination_sid)
  const before = await findSent(db, sids, ['', ...accounts])
  const text = (key: object) => JSON.stringify(key)
  const known = new Map(
    before.map(({ claimed_at, alert_at, ...key }) => [text(key), { claimed_at, alert_at }]),
  )
  return rows.flatMap((row) => {
    const types = typesOf(row)
    return alerts
      .filter((alert) => {
        const at = Date.parse(alert.time)
        const isOwner = row.account_sid
          ? row.account_sid === alert.account_sid
          : row.service_provider_sid === ownerOf(alert)
        const chosen = types.length === 0 || types.includes(alertTypeOf(alert))
        const last = known.get(text(keyOf(row.alert_destination_sid, alert)))
        const isHeld = last && last.claimed_at > now - HOLD_MS && last.claimed_at <= now
        const open = !last || (!isHeld && last.alert_at < at)
        return isOwner && chosen && open && at >= sinceOf(row, now)
      })
      .map((alert) => ({ row, alert }))
  })
}

/** From when a destination gets alerts. A time to come was stored by a clock that ran ahead. */
const sinceOf = ({ active_since }: Row, now: number) =>
  active_since > now ? now - OVERLAP_MS : active_since

/** The provider of each account by our table, not by the alert. */
async function providers(db: Db, accounts: string[]): Promise<Map<string, string>> {
  if (accounts.length === 0) return new Map()
  const rows = await db
    .selectFrom('accounts')
    .select(['account_sid', 'service_provider_sid'])
    .where('account_sid', 'in', accounts)
    .execute()
  return new Map(rows.map((r) => [r.account_sid, r.service_provider_sid]))
}

const destinationsFor = (db: Db, accounts: string[], owners: string[]): Promise<Row[]> =>
  db
    .selectFrom('switchroom_alert_destinations')
    .selectAll()
    .where('is_active', '=', 1)
    .where((eb) =>
      eb.or([
        eb('account_sid', 'in', [...accounts, '']),
        eb('service_provider_sid', 'in', [...owners, '']),
      ]),
    )
    .execute()
