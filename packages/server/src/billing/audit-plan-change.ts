import { record } from '../audit/record.ts'
import type { Db } from '../db/open.ts'
import * as periods from './periods.ts'

/** The account's plan and capacity, as the audit log records it. */
export async function planOf(tx: Db, account_sid: string) {
  const account = await tx
    .selectFrom('accounts')
    .select(['name', 'plan_type', 'service_provider_sid'])
    .where('account_sid', '=', account_sid)
    .executeTakeFirstOrThrow()
  const period = (await periods.openPeriods(tx, account_sid)).find((p) => p.pending === 0)
  const none = { voice_call_session: 0, device: 0 }
  const capacity = period ? await periods.capacityOf(tx, period.account_subscription_sid) : none
  return { account, plan: { plan_type: account.plan_type, ...capacity } }
}
type Plan = Awaited<ReturnType<typeof planOf>>

/** Writes an audit entry when the plan differs from `before`. No user made the change. */
export async function auditPlanChange(
  tx: Db,
  actor: 'Payment provider' | 'Switchroom',
  account_sid: string,
  { plan: before }: Plan,
) {
  const { account, plan: after } = await planOf(tx, account_sid)
  if (JSON.stringify(before) === JSON.stringify(after)) return
  const { name, service_provider_sid } = account
  const systemActor = {
    scope: { role: 'admin', name: actor, view_only: false, force_change: false },
    meta: { ip: '', request_id: actor.toLowerCase().replace(' ', '-'), version: undefined },
  } as const
  const entry = { action: 'update' as const, kind: 'subscription' as const, sid: account_sid, name }
  await record(tx, systemActor, [{ ...entry, account_sid, service_provider_sid, before, after }])
}
