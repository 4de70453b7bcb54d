import {
  type Alert,
  isJudged,
  percentOfCalls,
  plural,
  t,
  VIEW_ALERT,
  type WatchedList,
} from '@switchroom/contract'
import type { Updateable } from 'kysely'
import type { Db, Tables } from '../../db/open.ts'
import { transaction } from '../../db/transaction.ts'
import type { Context } from '../../http/context.ts'
import { providerOf } from '../../http/tenancy.ts'
import { addDelivery, deleteOld } from '../alert-destinations/delivery-queries.ts'
import type { SentAlert } from '../alert-destinations/message.ts'
import * as destinations from '../alert-destinations/queries.ts'
import type { Measured } from './measure.ts'
import * as viewAlerts from './queries.ts'
import { viewPath } from './view-path.ts'

type Telling = Pick<Context, 'db' | 'stores' | 'log'>
type Row = viewAlerts.Row
type Change = Updateable<Tables['switchroom_view_alerts']>

export type Watched = {
  row: Row
  list: WatchedList
  name: string
  search: Readonly<Record<string, unknown>>
}
type Found = Measured & { now: number }

const MINUTE_MS = 60_000

const iso = (ms: number) => new Date(ms).toISOString()

/** The measurement as text: "7.4 % of 312 calls in the last 10 minutes". */
function foundText(watched: Watched, { counted, comparedWith }: Measured) {
  if (comparedWith === null) return countText(watched, counted)
  const percent = percentOfCalls(counted, comparedWith)
  const { measure, minutes } = watched.row
  return measure === 'share'
    ? plural(
        comparedWith,
        '{percent} % of 1 call in the last {minutes} minutes|{percent} % of {n} calls in the last {minutes} minutes',
        { percent, minutes },
      )
    : t('{count}, {percent} % of the usual {usual}', {
        count: countText(watched, counted),
        percent,
        usual: comparedWith,
      })
}

/** The count as text: "no calls in the last 10 minutes". */
function countText({ row: { minutes }, list }: Watched, counted: number) {
  if (list === 'alerts')
    return counted === 0
      ? t('no alerts in the last {minutes} minutes', { minutes })
      : plural(
          counted,
          '1 alert in the last {minutes} minutes|{n} alerts in the last {minutes} minutes',
          { minutes },
        )
  return counted === 0
    ? t('no calls in the last {minutes} minutes', { minutes })
    : plural(
        counted,
        '1 call in the last {minutes} minutes|{n} calls in the last {minutes} minutes',
        { minutes },
      )
}

/** Tells that the condition is met, and adds it to the list of alerts. */
export async function tellStart(ctx: Telling, watched: Watched, found: Found, change: Change) {
  const { row } = watched
  const { now } = found
  const path = pathOf(watched, now)
  await tell(ctx, row, { message: startText(watched, found), now, path }, change)
}

function startText(watched: Watched, found: Found) {
  const { row, name } = watched
  const threshold = viewAlerts.thresholdOf(row)
  const count = foundText(watched, found)
  if (row.measure === 'rows')
    return row.comparison === 'more'
      ? t('View “{name}”: {count}, more than {threshold}.', { name, count, threshold })
      : t('View “{name}”: {count}, fewer than {threshold}.', { name, count, threshold })
  const told = { name, count, percent: threshold }
  return row.comparison === 'more'
    ? t('View “{name}”: {count}, more than {percent} %.', told)
    : t('View “{name}”: {count}, less than {percent} %.', told)
}

/** Tells that it is over, or that there is too little to tell. */
export async function tellEnd(ctx: Telling, watched: Watched, found: Found, change: Change) {
  const { row } = watched
  const { now } = found
  const path = pathOf(watched, now)
  await tell(ctx, row, { message: endText(watched, found), now, path, is_over: true }, change)
}

function endText(watched: Watched, found: Found) {
  const { row, name } = watched
  const minutes = Math.max(1, Math.round((found.now - Number(row.firing_since)) / MINUTE_MS))
  const lasted = plural(minutes, '1 minute|{n} minutes')
  if (!isJudged(row.measure, found.comparedWith))
    return t('View “{name}”: over after {lasted}. For an hour there were too few calls to tell.', {
      name,
      lasted,
    })
  const count = foundText(watched, found)
  return row.measure === 'share'
    ? t('View “{name}”: over after {lasted}. It was {count}.', { name, lasted, count })
    : t('View “{name}”: over after {lasted}. There were {count}.', { name, lasted, count })
}

/** Sends the message that a view is no longer watched. The alert of a deleted view is deleted with it. */
export async function tellStop(
  ctx: Telling,
  row: Row,
  { stopped, now, isGone }: { stopped: string; now: number; isGone: boolean },
) {
  const message = t('View “{name}” is no longer watched. {stopped}.', {
    name: row.view_name,
    stopped,
  })
  const ended = { firing_since: null, error: null, ...viewAlerts.nextAt(row, null) }
  const change = { stopped, checked_at: now, ...ended }
  await tell(ctx, row, { message, now, isGone }, change)
}

/** The rows that were counted. A list of alerts has no times in its address. */
const pathOf = ({ row, list, search }: Watched, now: number) =>
  list === 'recent_calls'
    ? viewPath(list, search, { start: iso(now - row.minutes * MINUTE_MS), end: iso(now) })
    : viewPath(list, search)

type Told = { message: string; now: number; path?: string; is_over?: true; isGone?: boolean }

/** Stores the result of a check together with its messages, unless the alert was changed in the meantime. */
async function tell(ctx: Telling, row: Row, told: Told, change: Change) {
  const { message, now, path, is_over, isGone } = told
  const provider = row.account_sid ? await providerOf(ctx.db, row.account_sid) : undefined
  const alert: Alert = {
    time: iso(now),
    account_sid: row.account_sid,
    service_provider_sid: provider ?? row.service_provider_sid,
    alert_type: VIEW_ALERT,
    message,
    detail: null,
    target_sid: row.saved_view_sid,
    vendor: null,
  }
  const isTold = await transaction(ctx.db, async (tx) => {
    if (!(await viewAlerts.finish(tx, row, change))) return false
    if (isGone) await viewAlerts.remove(tx, row.saved_view_sid)
    await deliver(tx, row, { ...alert, ...(path && { path }), ...(is_over && { is_over }) }, now)
    return true
  })
  if (!isTold || is_over) return
  const { time: _, ...written } = alert
  await ctx.stores.alerts.write(written).catch((err: unknown) => {
    // its messages go out, and the view shows it
    ctx.log.error({ err }, 'the alert of a saved view could not be added to the alerts')
  })
}

async function deliver(tx: Db, row: Row, alert: SentAlert, now: number) {
  const to = await destinations.ofOwner(tx, row, viewAlerts.destinationsOf(row))
  for (const { alert_destination_sid, is_active } of to) {
    if (!is_active) continue
    const key = {
      alert_destination_sid,
      account_sid: row.account_sid ?? '',
      alert_type: `${VIEW_ALERT}:${row.saved_view_sid}${alert.is_over ? ':over' : ''}`,
    }
    await addDelivery(tx, key, alert, now)
  }
  await deleteOld(tx, now)
}
