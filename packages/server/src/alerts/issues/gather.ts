import {
  type Alert,
  type AlertGroup,
  alertTypeOf,
  alertTypeText,
  isOpenIssue,
} from '@switchroom/contract'
import { batchesOf } from '../../db/batches.ts'
import type { Db } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import { ownedBy } from '../../http/tenancy.ts'
import { plainUrls } from '../../secrets/without-secrets.ts'
import type { Owner } from '../../stores/calls/store.ts'
import { withTargets } from '../queries.ts'
import { alertState, marksIn } from './marks.ts'

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
  const markOf = await marksIn(db, inbox)
  const now = Date.now()
  const groups = byType(text ? alerts.filter((alert) => hasText(alert, text)) : alerts)
    .map((group) => {
      const { account_sid, time } = group.latest
      const mark = markOf(account_sid, alertTypeOf(group.latest))
      return { ...group, state: alertState(mark, time, now) }
    })
    .filter((group) => state === undefined || isOpenIssue(group.state))
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
