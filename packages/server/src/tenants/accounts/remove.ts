import type { Usage } from '@switchroom/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import { forgetProviders } from '../../http/tenancy.ts'
import { usage } from '../../http/used-by.ts'
import * as webhooks from '../webhooks/queries.ts'
import { inScope, type Raw } from './queries.ts'

/** Resources that block a provider or an admin from deleting an account. */
export const usedBy = (db: Db, sid: string): Promise<Usage[]> => {
  const own = sql`account_sid = ${sid}`
  return Promise.all([
    usage(db, 'applications', own),
    usage(db, 'phone_numbers', own),
    usage(db, 'ms_teams_tenants', own),
    usage(db, 'api_keys', own),
    foreignRoutes(db, sid),
  ])
}

/** Routes of others that use one of this account's carriers. */
const foreignRoutes = (db: Db, sid: string) =>
  usage(
    db,
    'lcr_routes',
    sql`lcr_route_sid in (select e.lcr_route_sid from lcr_carrier_set_entry e
      join voip_carriers c on c.voip_carrier_sid = e.voip_carrier_sid
      where c.account_sid = ${sid})
      and lcr_sid not in (select lcr_sid from lcr where account_sid = ${sid})`,
  )

/**
 * Deletes the account and everything it owns, in foreign key order. Call in a transaction. Remaining
 * references from others make it fail, and nothing is deleted.
 */
export async function remove(
  db: Db,
  { schemaHas, onAccountRemoved }: Pick<Context, 'schemaHas' | 'onAccountRemoved'>,
  scope: Scope,
  account: Raw,
) {
  const sid = account.account_sid
  const own = sql`account_sid = ${sid}`
  const carriers = sql`voip_carrier_sid in (select voip_carrier_sid from voip_carriers where ${own})`
  const subscriptions = sql`account_subscription_sid in (select account_subscription_sid from account_subscriptions where ${own})`
  // the row is locked from here on, so the account stays in scope until the end
  const { numUpdatedRows } = await db
    .updateTable('accounts')
    .set({ device_calling_application_sid: null, siprec_hook_sid: null })
    .where('account_sid', '=', sid)
    .where(inScope(scope))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return
  const hooks = await db
    .selectFrom('applications')
    .selectAll()
    .where('account_sid', '=', sid)
    .execute()

  for (const removed of onAccountRemoved) await removed(db, account)
  const ofUsers = sql`user_sid in (select user_sid from users where ${own})`
  const steps: [string, RawBuilder<unknown>][] = [
    ['account_products', subscriptions],
    ['account_subscriptions', own],
    ['account_offers', own],
    ['account_static_ips', own],
    ['dns_records', own],
    ['switchroom_api_keys', sql`api_key_sid in (select api_key_sid from api_keys where ${own})`],
    ['api_keys', own],
    ['clients', own],
    ['speech_credentials', own],
    ['switchroom_alert_marks', sql`owner = ${sid} or ${ofUsers}`],
    ['switchroom_totp', ofUsers],
    ['switchroom_passkeys', ofUsers],
    ['switchroom_recovery_codes', ofUsers],
    ['switchroom_sessions', sql`user_sid in (select user_sid from users where ${own})`],
    ['users', own],
    [
      'switchroom_phone_numbers',
      sql`phone_number_sid in (select phone_number_sid from phone_numbers where ${own})`,
    ],
    ['phone_numbers', own],
    ['call_routes', own],
    ['ms_teams_tenants', own],
    ['sip_gateways', carriers],
    ['smpp_gateways', carriers],
    ['switchroom_trunk_report_links', carriers],
    ['switchroom_customer_report_links', own],
    ['switchroom_report_mails', own],
    ['switchroom_report_recipients', own],
    ['voip_carriers', own],
    ['applications', own],
    ['switchroom_alert_deliveries', own],
    ['switchroom_alert_destinations', own],
    ['switchroom_webhook_requests', own],
    [
      'switchroom_event_deliveries',
      sql`event_subscription_sid in (select event_subscription_sid from switchroom_event_subscriptions where ${own})`,
    ],
    ['switchroom_event_subscriptions', own],
    ['switchroom_events', own],
    ['switchroom_event_notes', own],
    ['switchroom_event_readers', sql`owner = ${sid}`],
    ['switchroom_event_states', sql`owner = ${sid}`],
  ]
  for (const [t, where] of steps)
    if (schemaHas(t) || t.startsWith('switchroom_'))
      await sql`delete from ${sql.table(t)} where ${where}`.execute(db)
  await db.deleteFrom('accounts').where('account_sid', '=', sid).where(inScope(scope)).execute()
  forgetProviders(db)
  await webhooks.prune(
    db,
    schemaHas,
    account.registration_hook_sid,
    account.queue_event_hook_sid,
    ...hooks.flatMap((a) => [a.call_hook_sid, a.call_status_hook_sid, a.messaging_hook_sid]),
  )
}
