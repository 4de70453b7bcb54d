import { isJudged, isKeyOf, percentOfCalls, t, WATCHED_LISTS } from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import type { Span } from '../../stores/calls/store.ts'
import { StoreUnavailable } from '../../stores/kit/unavailable.ts'
import * as savedViews from '../../users/saved-views/queries.ts'
import { countRows, type Search } from './count-rows.ts'
import { type Measured, measured } from './measure.ts'
import * as viewAlerts from './queries.ts'
import { tellEnd, tellStart, tellStop, type Watched } from './tell.ts'
import { watcherOf } from './watcher.ts'

/** Interval at which an alert is checked. */
const EVERY_MS = 60_000
const MINUTE_MS = 60_000
/** Time without enough data after which an alert ends: the calls may have been stopped to resolve it. */
const UNTOLD_MS = 60 * MINUTE_MS

type Checking = Pick<Context, 'db' | 'stores' | 'log'>
type Change = Parameters<typeof viewAlerts.finish>[2]

/** Checks one alert, and begins or ends it. */
export async function check(ctx: Checking, row: viewAlerts.Row, now: number) {
  const { db } = ctx
  const watcher = await watcherOf(ctx, row)
  if ('stopped' in watcher) return stop(ctx, row, watcher.stopped, now)
  const view = await savedViews.find(db, watcher.scope, row.saved_view_sid)
  if (!view || !isKeyOf(WATCHED_LISTS, view.list))
    return stop(ctx, row, t('The user who set it can no longer see the view'), now)
  const { search } = savedViews.readable(watcher.scope, view)
  const watched: Watched = { row, list: view.list, name: view.name, search }
  const count = (of: Search, span: Span) =>
    countRows(ctx, watcher.counted, { list: watched.list, search: of }, span)
  const result = await measured(row, search, count, now).catch(reasonOf)
  const checked = {
    checked_at: now,
    view_name: view.name,
    ...viewAlerts.nextAt(row, now + EVERY_MS),
  }
  if (typeof result === 'string')
    return void (await viewAlerts.finish(db, row, { ...checked, error: result }))
  const { counted, comparedWith: whole } = result
  await conclude(ctx, watched, { ...result, now }, { ...checked, counted, whole, error: null })
}

/** Begins or ends the alert, or only stores the measurement. */
async function conclude(
  ctx: Checking,
  watched: Watched,
  found: Measured & { now: number },
  change: Change,
) {
  const { row } = watched
  const { now } = found
  const isFiring = row.firing_since !== null
  if (!isJudged(row.measure, found.comparedWith)) {
    const told_at = Number(row.judged_at ?? row.firing_since)
    if (isFiring && now >= told_at + UNTOLD_MS)
      return tellEnd(ctx, watched, found, { ...change, firing_since: null })
    return void (await viewAlerts.finish(ctx.db, row, change))
  }
  const judged = { ...change, judged_at: now }
  const isMet = meets(row, found)
  if (isMet && !isFiring && !isQuiet(row, now))
    return tellStart(ctx, watched, found, { ...judged, firing_since: now, fired_at: now })
  if (!isMet && isFiring) return tellEnd(ctx, watched, found, { ...judged, firing_since: null })
  await viewAlerts.finish(ctx.db, row, judged)
}

function meets(row: viewAlerts.Row, { counted, comparedWith }: Measured) {
  const value = comparedWith === null ? counted : percentOfCalls(counted, comparedWith)
  const threshold = viewAlerts.thresholdOf(row)
  return row.comparison === 'more' ? value > threshold : value < threshold
}

const isQuiet = ({ fired_at, quiet_minutes }: viewAlerts.Row, now: number) =>
  fired_at !== null && now < Number(fired_at) + quiet_minutes * MINUTE_MS && now >= Number(fired_at)

/** Reason for the user why rows cannot be counted. Throws errors that only an operator can fix. */
function reasonOf(error: unknown): string {
  if (error instanceof StoreUnavailable) return error.message.slice(0, 400)
  if (error instanceof Failure && error.code === 'not_found')
    return t('The account of this view was deleted or moved')
  // a filter that this server cannot serve, now that its traces are kept elsewhere
  if (error instanceof Failure && error.code === 'invalid') return error.message.slice(0, 400)
  throw error
}

/** Stops an alert until it is saved again, or deletes it together with a view that is gone. */
async function stop(ctx: Checking, row: viewAlerts.Row, stopped: string, now: number) {
  const isGone = !(await savedViews.exists(ctx.db, row.saved_view_sid))
  await tellStop(ctx, row, { stopped, now, isGone })
}
