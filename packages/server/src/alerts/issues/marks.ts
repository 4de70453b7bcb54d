import { ISSUE_HOURS, type IssueKind, type IssueState } from '@switchroom/contract'
import type { Selectable } from 'kysely'
import type { Db, Tables } from '../../db/open.ts'
import type { Owner } from '../../stores/calls/store.ts'
import { HOUR_MS } from '../../stores/calls/sums.ts'

export type Row = Selectable<Tables['switchroom_alert_matters']>
/** What people have set of an issue. Milliseconds. */
export type Mark = Pick<Row, 'muted_until' | 'assigned_to'> & {
  /** 0 if nobody has resolved it. */
  mended_at: number
}

/** Marks per inbox, beyond which nothing more can be marked. */
export const MAX_MARKS = 500
/** Those that nobody has changed for this time are forgotten, unless they mute. */
const FORGET_MS = 30 * 24 * HOUR_MS
/** Muted for good. */
export const FOREVER = 8.64e15

/** An issue within an inbox. */
export type Marked = Pick<Row, 'inbox' | 'account_sid' | 'alert_type'>

/** Whose marks these are: an account has its own, and a provider has one for all of its accounts. */
export const inboxOf = ({ account_sid, service_provider_sid }: Owner) =>
  account_sid ?? service_provider_sid ?? ''

/** What an issue is about, as it is stored. No platform writes alert types with the other kinds in front. */
export const aboutOf = (kind: Exclude<IssueKind, 'failure'>, key: string) =>
  (kind === 'alert' ? key : `${kind} ${key}`).slice(0, 128)

const keyOf = (account_sid: string | null, about: string) =>
  JSON.stringify([account_sid ?? '', about])

/** Finds the mark of an issue in an inbox; undefined if it has none. */
export async function marksIn(db: Db, owner: Owner) {
  const rows = await db
    .selectFrom('switchroom_alert_matters')
    .selectAll()
    .where('inbox', '=', inboxOf(owner))
    .execute()
  const marks = new Map(
    rows.map((row): [string, Mark] => [keyOf(row.account_sid, row.alert_type), markOf(row)]),
  )
  return (account_sid: string | null, about: string) => marks.get(keyOf(account_sid, about))
}

export const markOf = ({ mended_at, muted_until, assigned_to }: Row): Mark => ({
  mended_at: Number(mended_at),
  muted_until: muted_until === null ? null : Number(muted_until),
  assigned_to,
})

const isMuted = (mark: Mark | undefined, now: number) => (mark?.muted_until ?? 0) > now

/** The state of alerts of one type. */
export function alertState(mark: Mark | undefined, last_at: string, now: number): IssueState {
  if (isMuted(mark, now)) return 'muted'
  const last = Date.parse(last_at)
  if (mark?.mended_at && last <= mark.mended_at) return 'resolved'
  if (last <= now - ISSUE_HOURS * HOUR_MS) return 'quiet'
  return mark?.mended_at ? 'returned' : 'open'
}

/** The state of what goes on now. It stays resolved for a day, for the calls before to be too old to tell. */
export function ongoingState(
  mark: Mark | undefined,
  since: string | null,
  now: number,
): IssueState {
  if (isMuted(mark, now)) return 'muted'
  if (!mark?.mended_at) return 'open'
  const isNew = since !== null && Date.parse(since) > mark.mended_at
  return isNew || mark.mended_at <= now - ISSUE_HOURS * HOUR_MS ? 'returned' : 'resolved'
}

/** Undefined while it is not marked. */
export const find = (
  db: Db,
  { inbox, account_sid, alert_type }: Marked,
): Promise<Row | undefined> =>
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
    .where('changed_at', '<', now - FORGET_MS)
    .where('mended_at', '<', now - FORGET_MS)
    .where((eb) => eb.or([eb('muted_until', 'is', null), eb('muted_until', '<', now)]))
    .execute()

/** Sets a mark. Call under a lock, with what `find` found. */
export async function set(db: Db, marked: Marked, sid: string, mark: Mark, changed_at: number) {
  await remove(db, marked)
  await db
    .insertInto('switchroom_alert_matters')
    .values({ ...marked, ...mark, alert_matter_sid: sid, changed_at })
    .execute()
}

export const remove = (db: Db, { inbox, account_sid, alert_type }: Marked) =>
  db
    .deleteFrom('switchroom_alert_matters')
    .where('inbox', '=', inbox)
    .where('account_sid', '=', account_sid)
    .where('alert_type', '=', alert_type)
    .execute()
