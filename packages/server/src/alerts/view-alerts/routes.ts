import {
  type api,
  isKeyOf,
  MAX_VIEW_ALERTS,
  t,
  type ViewMeasure,
  WATCHED_LISTS,
  type WatchedList,
} from '@switchroom/contract'
import { audited } from '../../audit/audited.ts'
import type { Db } from '../../db/open.ts'
import { Failure, found, invalidField } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import * as serviceProviders from '../../tenants/service-providers/queries.ts'
import * as savedViews from '../../users/saved-views/queries.ts'
import * as destinations from '../alert-destinations/queries.ts'
import type { Row } from './queries.ts'

/** Loaded when it is first needed, and not as the server starts. */
const loadQueries = () => import('./queries.ts')

type Search = Readonly<Record<string, unknown>>
type Owner = Pick<Row, 'account_sid' | 'service_provider_sid'>

/** Audit subject: the settings of a view alert, without what checks found. */
const auditSubject = (scope: Scope, sid: string) => ({
  kind: 'view_alert' as const,
  sid,
  lock: 'view_alerts',
  read: async (tx: Db) => {
    const viewAlerts = await loadQueries()
    const row = await viewAlerts.find(tx, scope, sid)
    if (!row) return undefined
    const { saved_view_sid, account_sid, service_provider_sid, user_sid } = row
    const { measure, comparison, minutes, quiet_minutes } = row
    return {
      name: row.view_name,
      ...{ saved_view_sid, account_sid, service_provider_sid, user_sid },
      ...{ measure, comparison, threshold: viewAlerts.thresholdOf(row), minutes, quiet_minutes },
      alert_destination_sids: viewAlerts.destinationsOf(row),
    }
  },
})

/** Owner whose rows are counted. Throws 400 for a provider that the caller does not see. */
async function ownerFor(tx: Db, scope: Scope, requested: string | undefined): Promise<Owner> {
  if (scope.role === 'account')
    return { account_sid: scope.account_sid, service_provider_sid: null }
  const sid = scope.role === 'service_provider' ? scope.service_provider_sid : requested
  if (!sid) throw invalidField('service_provider_sid', t('Choose a service provider'))
  if (requested && requested !== sid)
    throw invalidField('service_provider_sid', t('No such service provider'))
  if (!(await serviceProviders.find(tx, scope, sid)))
    throw invalidField('service_provider_sid', t('No such service provider'))
  return { account_sid: null, service_provider_sid: sid }
}

/** Throws 400 unless all are of the owner itself, so that nobody tells others. */
async function refuseDestinations(tx: Db, owner: Owner, sids: string[]) {
  if ((await destinations.ofOwner(tx, owner, sids)).length < sids.length)
    throw invalidField('alert_destination_sids', t('No such alert destination'))
}

/** Throws 400 for a percentage of alerts, and for a share of calls that nothing singles out. */
async function refuseMeasure(measure: ViewMeasure, view: { list: WatchedList; search: Search }) {
  if (measure === 'rows') return
  if (view.list !== 'recent_calls')
    throw invalidField('measure', t('Only views of recent calls are measured in percent'))
  if (measure === 'share') (await import('./measure.ts')).denominatorSearch(view.search)
}

/** Throws 422 at the limit. */
async function refuseOverLimit(tx: Db, owner: Owner) {
  if ((await (await loadQueries()).count(tx, owner)) < MAX_VIEW_ALERTS) return
  throw new Failure(
    'conflict',
    owner.account_sid
      ? t('There can be at most {MAX_VIEW_ALERTS} of these per account.', { MAX_VIEW_ALERTS })
      : t('There can be at most {MAX_VIEW_ALERTS} of these per service provider.', {
          MAX_VIEW_ALERTS,
        }),
  )
}

export const viewAlertRoutes: Handlers<typeof api.viewAlerts> = {
  list: async ({ query, scope, ctx }) => (await loadQueries()).list(ctx.db, scope, query.list),

  async set({ params: { saved_view_sid: sid }, body, ...actor }) {
    const { scope } = actor
    const viewAlerts = await loadQueries()
    await audited(actor, auditSubject(scope, sid), async (tx, before) => {
      const view = found(await savedViews.find(tx, scope, sid), t('saved view'))
      if (!isKeyOf(WATCHED_LISTS, view.list))
        throw new Failure(
          'conflict',
          t('Only views of recent calls and of alerts can have an alert.'),
        )
      const { alert_destination_sids, service_provider_sid, ...condition } = body
      const { search } = savedViews.readable(scope, view)
      await refuseMeasure(condition.measure, { list: view.list, search })
      const owner = await ownerFor(tx, scope, service_provider_sid)
      await refuseDestinations(tx, owner, alert_destination_sids)
      const isOwners =
        before?.account_sid === owner.account_sid &&
        before.service_provider_sid === owner.service_provider_sid
      if (!isOwners) await refuseOverLimit(tx, owner)
      const stored = isOwners ? await viewAlerts.find(tx, scope, sid) : undefined
      await viewAlerts.set(tx, {
        ...condition,
        threshold: viewAlerts.storedThreshold(condition),
        ...owner,
        saved_view_sid: sid,
        // API keys do not get here
        user_sid: scope.user_sid!,
        of_scope: savedViews.sharedWith(scope),
        view_name: view.name,
        destinations: JSON.stringify(alert_destination_sids),
        // a check in progress has read the replaced alert
        holder: '',
        ...viewAlerts.nextAt(condition, 0),
        checked_at: null,
        counted: null,
        whole: null,
        judged_at: stored?.judged_at ?? null,
        // destinations that got the beginning get the end too
        firing_since: stored?.firing_since ?? null,
        fired_at: stored?.fired_at ?? null,
        error: null,
        stopped: null,
      })
    })
  },

  async remove({ params: { saved_view_sid: sid }, ...actor }) {
    const viewAlerts = await loadQueries()
    await audited(actor, auditSubject(actor.scope, sid), async (tx, before) => {
      found(before, t('saved view alert'))
      await viewAlerts.remove(tx, sid)
    })
  },
}
