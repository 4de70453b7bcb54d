import { CallFilters, entriesOf, VIEW_ALERT, type WatchedList } from '@switchroom/contract'
import { callsBy, callsOwner } from '../../calls/recent-calls/queries.ts'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import type { Span } from '../../stores/calls/store.ts'

export type Search = Readonly<Record<string, unknown>>

/** The time is the alert's, not the view's. */
const { days: _, start: __, end: ___, ...FILTERS } = CallFilters.shape

const textIn = (search: Search, name: string) => {
  const value = search[name]
  return value === undefined || value === null || value === '' ? undefined : String(value)
}

/** The filters of a view of calls, as in its address. As in the list, those that are not valid count for nothing. */
export const callFilters = (search: Search): Record<string, string> =>
  Object.fromEntries(
    entriesOf(FILTERS).flatMap(([name, schema]) => {
      const text = textIn(search, name)
      return text !== undefined && schema.safeParse(text).success ? [[name, text]] : []
    }),
  )

/** Counts the rows of a view within a span, as its list would show them to the caller. Throws 404 for an account that the caller does not see. */
export async function countRows(
  ctx: Pick<Context, 'db' | 'stores'>,
  scope: Scope,
  { list, search }: { list: WatchedList; search: Search },
  span: Span,
): Promise<number> {
  const account_sid = textIn(search, 'account_sid')
  const owner = {
    ...(await callsOwner(
      ctx,
      scope,
      account_sid && scope.role !== 'account' ? { account_sid } : {},
    )),
    ...span,
  }
  const none = { limit: 0, offset: 0 }
  if (list === 'recent_calls')
    return (await callsBy(ctx, owner, CallFilters.parse(callFilters(search))).list(none)).total
  const alert_type = textIn(search, 'alert_type')?.slice(0, 128)
  const alerts = async (type: string | undefined) =>
    (await ctx.stores.alerts.list({ ...owner, ...(type && { alert_type: type }) }, none)).total
  // what these alerts write would raise them again
  if (alert_type === VIEW_ALERT) return 0
  return alert_type ? alerts(alert_type) : (await alerts(undefined)) - (await alerts(VIEW_ALERT))
}
