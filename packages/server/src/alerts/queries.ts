import {
  type Alert,
  type AlertItem,
  type AlertTarget,
  isKeyOf,
  t,
  WATCHED_LISTS,
} from '@switchroom/contract'
import { visible as visibleCarriers } from '../carriers/voip-carriers/queries.ts'
import type { Db } from '../db/open.ts'
import { invalidField } from '../http/failure.ts'
import type { Scope } from '../http/scope.ts'
import { ownedBy, providerOf } from '../http/tenancy.ts'
import { visible as visibleSpeech } from '../speech/speech-credentials/queries.ts'
import type { Owner } from '../stores/calls/store.ts'
import * as users from '../users/queries.ts'
import * as savedViews from '../users/saved-views/queries.ts'
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

/** What people have set in the inbox of an account or provider, and of the account's alerts. */
const removeMarks = (db: Db, sid: string) =>
  db
    .deleteFrom('switchroom_alert_matters')
    .where((eb) => eb.or([eb('inbox', '=', sid), eb('account_sid', '=', sid)]))
    .execute()

export async function removeOfAccount(db: Db, { account_sid }: { account_sid: string }) {
  await db.deleteFrom('switchroom_failures').where('account_sid', '=', account_sid).execute()
  await db.deleteFrom('switchroom_view_alerts').where('account_sid', '=', account_sid).execute()
  await removeMarks(db, account_sid)
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
  await removeMarks(db, service_provider_sid)
}

/** Throws 400 unless the caller sees the user, and the user sees the inbox. */
export async function refuseAssignee(
  tx: Db,
  scope: Scope,
  inbox: { [M in keyof Owner]: Owner[M] | null },
  user_sid: string,
) {
  const user = await users.withSid(tx, user_sid)
  const isVisible = user && (await users.find(tx, scope, user_sid))
  const provider = inbox.account_sid
    ? await providerOf(tx, inbox.account_sid)
    : inbox.service_provider_sid
  const maySee =
    isVisible &&
    (user.account_sid
      ? user.account_sid === inbox.account_sid
      : !user.service_provider_sid || user.service_provider_sid === provider)
  if (!maySee) throw invalidField('assigned_to', t('No such user'))
}
