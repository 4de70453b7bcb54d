import type { Alert, AlertItem, AlertTarget } from '@switchroom/contract'
import { visible as visibleCarriers } from '../carriers/voip-carriers/queries.ts'
import { skipExisting } from '../db/dialect.ts'
import type { Db } from '../db/open.ts'
import type { Scope } from '../http/scope.ts'
import { ownedBy } from '../http/tenancy.ts'
import { visible as visibleSpeech } from '../speech/speech-credentials/queries.ts'
import type { Owner } from '../stores/calls.ts'

/**
 * Adds the names of what alerts are about, where the caller may see it. Three queries, however many alerts.
 */
export async function withTargets(db: Db, scope: Scope, alerts: Alert[]): Promise<AlertItem[]> {
  const sids = [...new Set(alerts.flatMap((a) => a.target_sid ?? []))]
  const targets = sids.length === 0 ? new Map<string, AlertTarget>() : await named(db, scope, sids)
  return alerts.map((alert) => ({ ...alert, target: targets.get(alert.target_sid ?? '') ?? null }))
}

async function named(db: Db, scope: Scope, sids: string[]): Promise<Map<string, AlertTarget>> {
  const [carriers, applications, credentials] = await Promise.all([
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
  ])
  const of = (kind: AlertTarget['kind'], rows: { sid: string; name: string | null }[]) =>
    rows.map(({ sid, name }): [string, AlertTarget] => [sid, { kind, name: name ?? sid }])
  return new Map([
    ...of('voip_carrier', carriers),
    ...of('application', applications),
    ...of('speech_credential', credentials),
  ])
}

const keyOf = ({ account_sid, service_provider_sid }: Owner) =>
  account_sid ?? service_provider_sid ?? ''

/** The time (ms) until which a user has seen these alerts; undefined for never. */
export const seenUntil = async (db: Db, user_sid: string, owner: Owner) =>
  (
    await db
      .selectFrom('switchroom_alert_marks')
      .select('seen_until')
      .where('user_sid', '=', user_sid)
      .where('owner', '=', keyOf(owner))
      .executeTakeFirst()
  )?.seen_until

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
