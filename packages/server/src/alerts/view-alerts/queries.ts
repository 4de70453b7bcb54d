import { randomUUID } from 'node:crypto'
import type { ViewAlert, ViewList } from '@switchroom/contract'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { z } from 'zod'
import { isOver } from '../../db/clock.ts'
import type { Db, Tables } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import * as savedViews from '../../users/saved-views/queries.ts'

type Table = Tables['switchroom_view_alerts']
export type Row = Selectable<Table>

/** Time limit of a check, after which another process repeats it. */
const LEASE_MS = 60_000

const Sids = z.array(z.string())
export const destinationsOf = ({ destinations }: Pick<Row, 'destinations'>) =>
  Sids.parse(JSON.parse(destinations))

/** Percentages are stored in tenths. */
const unitOf = ({ measure }: Pick<Row, 'measure'>) => (measure === 'rows' ? 1 : 10)
export const thresholdOf = (row: Pick<Row, 'measure' | 'threshold'>) => row.threshold / unitOf(row)
export const storedThreshold = (of: Pick<Row, 'measure' | 'threshold'>) =>
  Math.round(of.threshold * unitOf(of))

/**
 * Columns with the time of the next check. Servers of the previous version read only `next_at`, and know no other
 * measures.
 */
export const nextAt = ({ measure }: Pick<Row, 'measure'>, at: number | null) =>
  measure === 'rows'
    ? { next_at: at, next_measured_at: null }
    : { next_at: null, next_measured_at: at }

/** Undefined if there is none, or if this caller cannot see its view. */
export async function find(db: Db, scope: Scope, sid: string): Promise<Row | undefined> {
  if (!(await savedViews.find(db, scope, sid))) return undefined
  return db
    .selectFrom('switchroom_view_alerts')
    .selectAll()
    .where('saved_view_sid', '=', sid)
    .executeTakeFirst()
}

/** The alerts of the views of a list that the caller sees. */
export async function list(db: Db, scope: Scope, of: ViewList): Promise<ViewAlert[]> {
  const rows = await db
    .selectFrom('switchroom_view_alerts')
    .leftJoin('users', 'users.user_sid', 'switchroom_view_alerts.user_sid')
    .selectAll('switchroom_view_alerts')
    .select('users.name as set_by')
    .where('saved_view_sid', 'in', savedViews.sidsOf(db, scope, of))
    .execute()
  return rows.map(readable)
}

const time = (ms: number | null) => (ms === null ? null : new Date(Number(ms)).toISOString())

function readable(row: Row & { set_by: string | null }): ViewAlert {
  const { saved_view_sid, account_sid, service_provider_sid, set_by } = row
  const { measure, comparison, minutes, quiet_minutes, counted, whole, error, stopped } = row
  return {
    ...{ saved_view_sid, account_sid, service_provider_sid },
    ...{ measure, comparison, threshold: thresholdOf(row), minutes, quiet_minutes, set_by },
    alert_destination_sids: destinationsOf(row),
    state: {
      ...{ counted, whole, error, stopped },
      checked_at: time(row.checked_at),
      firing_since: time(row.firing_since),
      fired_at: time(row.fired_at),
    },
  }
}

/** View alerts of an account, or of a provider without its accounts. */
export const count = async (
  db: Db,
  { account_sid, service_provider_sid }: Pick<Row, 'account_sid' | 'service_provider_sid'>,
) =>
  Number(
    (
      await db
        .selectFrom('switchroom_view_alerts')
        .select((eb) => eb.fn.countAll().as('n'))
        .where('account_sid', account_sid ? '=' : 'is', account_sid)
        .where('service_provider_sid', account_sid ? 'is' : '=', service_provider_sid)
        .executeTakeFirstOrThrow()
    ).n,
  )

/** Adds the alert of a view, or replaces it. The caller sees the view. */
export async function set(db: Db, row: Insertable<Table>) {
  await remove(db, row.saved_view_sid)
  await db.insertInto('switchroom_view_alerts').values(row).execute()
}

/** The caller sees the view, or it is gone. */
export const remove = (db: Db, sid: string) =>
  db.deleteFrom('switchroom_view_alerts').where('saved_view_sid', '=', sid).execute()

/** Alerts due for a check, leased to this process, the longest overdue first. */
export async function takeDue(db: Db, now: number, limit: number): Promise<Row[]> {
  const due = await db
    .selectFrom('switchroom_view_alerts')
    .selectAll()
    .where((eb) =>
      eb.or([isOver('next_at', now, LEASE_MS), isOver('next_measured_at', now, LEASE_MS)]),
    )
    .orderBy(sql`coalesce(next_at, next_measured_at)`)
    .limit(limit)
    .execute()
  const taken: Row[] = []
  for (const row of due) {
    const holder = randomUUID()
    const due = row.measure === 'rows' ? 'next_at' : 'next_measured_at'
    const { numUpdatedRows } = await db
      .updateTable('switchroom_view_alerts')
      .set({ holder, ...nextAt(row, now + LEASE_MS) })
      .where('saved_view_sid', '=', row.saved_view_sid)
      .where('holder', '=', row.holder)
      .where(due, '=', row[due])
      .executeTakeFirst()
    if (numUpdatedRows > 0n) taken.push({ ...row, holder })
  }
  return taken
}

/** Stores the result of a check. False if the alert was replaced, deleted or taken over in the meantime. */
export async function finish(db: Db, { saved_view_sid, holder }: Row, change: Updateable<Table>) {
  const { numUpdatedRows } = await db
    .updateTable('switchroom_view_alerts')
    .set({ ...change, holder: '' })
    .where('saved_view_sid', '=', saved_view_sid)
    .where('holder', '=', holder)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
