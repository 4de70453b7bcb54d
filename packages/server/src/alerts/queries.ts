import {
  type Alert,
  type AlertGroup,
  type AlertItem,
  type AlertTarget,
  alertTypeOf,
  alertTypeText,
  isKeyOf,
  WATCHED_LISTS,
} from '@switchroom/contract'
import { visible as visibleCarriers } from '../carriers/voip-carriers/queries.ts'
import { batchesOf } from '../db/batches.ts'
import { skipExisting } from '../db/dialect.ts'
import type { Db } from '../db/open.ts'
import type { Scope } from '../http/scope.ts'
import { ownedBy } from '../http/tenancy.ts'
import { plainUrls } from '../secrets/without-secrets.ts'
import { visible as visibleSpeech } from '../speech/speech-credentials/queries.ts'
import type { Owner } from '../stores/calls.ts'
import * as savedViews from '../users/saved-views/queries.ts'
import { removeOf, stateTeller } from './matters/queries.ts'
import { viewPath } from './view-alerts/view-path.ts'

/**
 * Adds the names of what alerts are about, where the caller may see it. Four queries, however many alerts.
 */
export async function withTargets(db: Db, scope: Scope, alerts: Alert[]): Promise<AlertItem[]> {
  const sids = [...new Set(alerts.flatMap((a) => a.target_sid ?? []))]
  const targets = sids.length === 0 ? new Map<string, AlertTarget>() : await named(db, scope, sids)
  return alerts.map((alert) => ({ ...alert, target: targets.get(alert.target_sid ?? '') ?? null }))
}

async function named(db: Db, scope: Scope, sids: string[]): Promise<Map<string, AlertTarget>> {
  const [carriers, applications, credentials, views] = await Promise.all([
    db
      .selectFrom('voip_carriers')
      .select(['voip_carrier_sid as sid', 'name'])
      .where('voip_carrier_sid', 'in', sids)
      .where(visibleCarriers(scope))
      .execute(),
    db
      .selectFrom('applications')
      .select(['application_sid as sid', 'name'])
      .where('application_sid', 'in', sids)
      .where(ownedBy('applications', scope))
      .execute(),
    db
      .selectFrom('speech_credentials')
      .select(['speech_credential_sid as sid', 'vendor as name'])
      .where('speech_credential_sid', 'in', sids)
      .where(visibleSpeech(scope))
      .execute(),
    savedViews.findAll(db, scope, sids),
  ])
  const of = (kind: AlertTarget['kind'], rows: { sid: string; name: string | null }[]) =>
    rows.map(({ sid, name }): [string, AlertTarget] => [sid, { kind, name: name ?? sid }])
  return new Map([
    ...of('voip_carrier', carriers),
    ...of('application', applications),
    ...of('speech_credential', credentials),
    ...views.flatMap((view): [string, AlertTarget][] =>
      isKeyOf(WATCHED_LISTS, view.list)
        ? [
            [
              view.saved_view_sid,
              { kind: 'saved_view', name: view.name, path: viewPath(view.list, view.search) },
            ],
          ]
        : [],
    ),
  ])
}

type Gathered = { alerts: number; first_at: string; latest: Alert }

/** Alerts by type and owner, given newest first. */
function byType(alerts: readonly Alert[]): Gathered[] {
  const groups = new Map<string, Gathered>()
  for (const alert of alerts) {
    const { account_sid, service_provider_sid, alert_type } = alert
    const key = JSON.stringify([account_sid ?? service_provider_sid, alert_type])
    const group = groups.get(key)
    if (group) {
      group.alerts++
      group.first_at = alert.time
    } else groups.set(key, { alerts: 1, first_at: alert.time, latest: alert })
  }
  return [...groups.values()]
}

/** Whether an alert has this text, or is of a type that is called so. Not by what view-only users do not read. */
function hasText(alert: Alert, typed: string) {
  const text = typed.toLowerCase()
  const type = alertTypeOf(alert)
  return [type, alertTypeText(type).name, alert.message, alert.detail, alert.vendor].some(
    (part) => part && plainUrls(part).toLowerCase().includes(text),
  )
}

/** Alerts, given newest first, by type and owner, with the names that the caller may see. */
export async function gather(
  db: Db,
  scope: Scope,
  inbox: Owner,
  alerts: readonly Alert[],
  { filter: text, state }: { filter?: string | undefined; state?: 'open' | undefined },
): Promise<AlertGroup[]> {
  const stateOf = await stateTeller(db, inbox)
  const groups = byType(text ? alerts.filter((alert) => hasText(alert, text)) : alerts)
    .map((group) => {
      const { account_sid, time } = group.latest
      return { ...group, state: stateOf(account_sid, alertTypeOf(group.latest), time) }
    })
    .filter((group) => state === undefined || ['open', 'returned'].includes(group.state))
  const latest = await withTargets(
    db,
    scope,
    groups.map((group) => group.latest),
  )
  const sids = [...new Set(groups.flatMap((group) => group.latest.account_sid ?? []))]
  const names = new Map<string, string>()
  for (const batch of batchesOf(sids)) {
    const rows = await db
      .selectFrom('accounts')
      .select(['account_sid', 'name'])
      .where('account_sid', 'in', batch)
      .where(ownedBy('accounts', scope))
      .execute()
    for (const { account_sid, name } of rows) names.set(account_sid, name)
  }
  return groups.map((group, i) => ({
    account_sid: group.latest.account_sid,
    account_name: names.get(group.latest.account_sid ?? '') ?? null,
    service_provider_sid: group.latest.service_provider_sid,
    alert_type: group.latest.alert_type,
    alerts: group.alerts,
    first_at: group.first_at,
    last_at: group.latest.time,
    state: group.state,
    latest: latest[i]!,
  }))
}

const keyOf = ({ account_sid, service_provider_sid }: Owner) =>
  account_sid ?? service_provider_sid ?? ''

/** Until when (ms) a user has seen these alerts, null for never; and the open failures beside them. */
export async function seenAndOpen(db: Db, user_sid: string, owner: Owner) {
  const { account_sid, service_provider_sid } = owner
  const { seen_until, open_failures } = await db
    .selectNoFrom((eb) => [
      eb
        .selectFrom('switchroom_alert_marks')
        .select('seen_until')
        .where('user_sid', '=', user_sid)
        .where('owner', '=', keyOf(owner))
        .as('seen_until'),
      eb
        .selectFrom('switchroom_failures')
        .select((of) => of.fn.countAll().as('n'))
        .where('state', 'in', ['open', 'returned'])
        .where('account_sid', account_sid ? '=' : 'is', account_sid ?? null)
        .$if(!account_sid && service_provider_sid !== undefined, (query) =>
          query.where('service_provider_sid', '=', service_provider_sid ?? null),
        )
        .as('open_failures'),
    ])
    .executeTakeFirstOrThrow()
  return {
    seen_until: seen_until === null ? null : Number(seen_until),
    open_failures: Number(open_failures),
  }
}

/** Moves a user's seen mark forward, never back. */
export async function markSeen(db: Db, user_sid: string, of: Owner, seen_until: number) {
  const owner = keyOf(of)
  await db
    .insertInto('switchroom_alert_marks')
    .values({ user_sid, owner, seen_until })
    .$call(skipExisting(db))
    .execute()
  await db
    .updateTable('switchroom_alert_marks')
    .set({ seen_until })
    .where('user_sid', '=', user_sid)
    .where('owner', '=', owner)
    .where('seen_until', '<', seen_until)
    .execute()
}

export async function removeOfAccount(db: Db, { account_sid }: { account_sid: string }) {
  await db.deleteFrom('switchroom_failures').where('account_sid', '=', account_sid).execute()
  await db.deleteFrom('switchroom_view_alerts').where('account_sid', '=', account_sid).execute()
  await removeOf(db, account_sid)
}

export async function removeOfProvider(db: Db, service_provider_sid: string) {
  await db
    .deleteFrom('switchroom_failures')
    .where('service_provider_sid', '=', service_provider_sid)
    .execute()
  await db
    .deleteFrom('switchroom_view_alerts')
    .where('service_provider_sid', '=', service_provider_sid)
    .execute()
  await removeOf(db, service_provider_sid)
}
