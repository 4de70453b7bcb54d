import { isKeyOf, t, WATCHED_LISTS } from '@switchroom/contract'
import { databaseNow } from '../../db/clock.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { StoreUnavailable } from '../../stores/unavailable.ts'
import * as savedViews from '../../users/saved-views/queries.ts'
import { countRows } from './count-rows.ts'
import * as viewAlerts from './queries.ts'
import { tellEnd, tellStart, tellStop, type Watched } from './tell.ts'
import { watcherOf } from './watcher.ts'

/** How often an alert is checked. */
const EVERY_MS = 60_000
/** Checked by one process at a time; the rest is the next pass's. */
const AT_ONCE = 50
const MINUTE_MS = 60_000
/** Clocks of components may be ahead. */
const AHEAD_MS = 60_000

type Checking = Pick<Context, 'db' | 'stores' | 'log'>

/**
 * Checks the alerts of saved views that are due, each by one process at a time. Resolves to how many were checked.
 * What people can see to is noted in the alert. Throws the first other error, after all were checked.
 */
export async function checkViewAlerts(ctx: Checking, at?: number): Promise<number> {
  const now = at ?? (await databaseNow(ctx.db))
  const due = await viewAlerts.takeDue(ctx.db, now, AT_ONCE)
  const failures: unknown[] = []
  // one that fails holds up none of the others
  for (const row of due) await check(ctx, row, now).catch((e: unknown) => failures.push(e))
  if (failures.length > 0) throw failures[0]
  return due.length
}

async function check(ctx: Checking, row: viewAlerts.Row, now: number) {
  const { db } = ctx
  const watcher = await watcherOf(ctx, row)
  if ('stopped' in watcher) return stop(ctx, row, watcher.stopped, now)
  const view = await savedViews.find(db, watcher.scope, row.saved_view_sid)
  if (!view || !isKeyOf(WATCHED_LISTS, view.list))
    return stop(ctx, row, t('The user who set it does not see the view any more'), now)
  const { search } = savedViews.readable(watcher.scope, view)
  const watched: Watched = { row, list: view.list, name: view.name, search }
  const span = { from: now - row.minutes * MINUTE_MS, to: now + AHEAD_MS }
  const result = await countRows(ctx, watcher.counted, watched, span).catch(reasonOf)
  const checked = { checked_at: now, view_name: view.name, next_at: now + EVERY_MS }
  if (typeof result === 'string')
    return void (await viewAlerts.finish(db, row, { ...checked, error: result }))
  const found = { ...checked, counted: result, error: null }
  const isMet = row.comparison === 'more' ? result > row.threshold : result < row.threshold
  const isFiring = row.firing_since !== null
  if (isMet && !isFiring && !isQuiet(row, now))
    return tellStart(
      ctx,
      watched,
      { counted: result, now },
      { ...found, firing_since: now, fired_at: now },
    )
  if (!isMet && isFiring)
    return tellEnd(ctx, watched, { counted: result, now }, { ...found, firing_since: null })
  await viewAlerts.finish(db, row, found)
}

const isQuiet = ({ fired_at, quiet_minutes }: viewAlerts.Row, now: number) =>
  fired_at !== null && now < Number(fired_at) + quiet_minutes * MINUTE_MS && now >= Number(fired_at)

/** Why rows cannot be counted, for people. Throws what only an operator can see to. */
function reasonOf(error: unknown): string {
  if (error instanceof StoreUnavailable) return error.message.slice(0, 400)
  if (error instanceof Failure && error.code === 'not_found')
    return t('The account of this view was deleted, or belongs elsewhere now')
  // a filter that this server cannot serve, now that its traces are kept elsewhere
  if (error instanceof Failure && error.code === 'invalid') return error.message.slice(0, 400)
  throw error
}

/** Stops an alert until it is saved again, or deletes it together with a view that is gone. */
async function stop(ctx: Checking, row: viewAlerts.Row, stopped: string, now: number) {
  const isGone = !(await savedViews.exists(ctx.db, row.saved_view_sid))
  await tellStop(ctx, row, { stopped, now, isGone })
}
