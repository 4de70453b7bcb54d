import { type api, t } from '@switchroom/contract'
import { auditEvent } from '../../audit/audited.ts'
import type { Context } from '../../http/context.ts'
import { found } from '../../http/failure.ts'
import type { RequestMeta, Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import type { Owner } from '../../stores/calls.ts'
import { dayBefore, dayOf, keyOf, type RecordingFormat } from '../../stores/recordings/store.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import { callOf } from '../recent-calls/queries.ts'

type Which = { call_sid: string; year: string; month: string; day: string; format: RecordingFormat }
type ActorContext = { scope: Scope; ctx: Context; meta: RequestMeta }

/** The owner comes from the call's record: path and bucket are not trustworthy. */
async function locateRecording(
  { scope, ctx }: ActorContext,
  named: Owner,
  { call_sid, format, ...date }: Which,
) {
  const { account_sid } = await callOf(ctx, scope, { call_sid }, named)
  const known = found(account_sid, t('recording'))
  const { bucket } = found(await accounts.recordingOf(ctx, known), t('recording'))
  const owner = { account_sid: known, bucket }
  const [year, month, day] = [Number(date.year), Number(date.month), Number(date.day)] as const
  // a call's record has its end date, a recording's name its start date
  const days = [dayOf(new Date(year, month - 1, day)), dayBefore(year, month, day)]
  const keys = days.map((named) => keyOf(named, call_sid, format))
  return { owner, find: () => ctx.stores.recordings.find(owner, keys) }
}

async function download(actor: ActorContext, named: Owner, which: Which) {
  const { find } = await locateRecording(actor, named, which)
  const { size, open } = found(await find(), t('recording'))
  return { type: `audio/${which.format}`, size, open }
}

/** Copies may be in the bucket and the folder, each under two dates. */
const COPIES = 4

async function remove(actor: ActorContext, named: Owner, which: Which) {
  const { owner, find } = await locateRecording(actor, named, which)
  const first = found(await find(), t('recording'))
  let copy: typeof first | undefined = first
  for (let i = 0; copy && i < COPIES; i++) {
    await copy.remove()
    copy = await find()
  }
  const subject = { name: first.key, account_sid: owner.account_sid }
  await auditEvent(actor, { action: 'delete', kind: 'recording', sid: which.call_sid, subject })
}

export const recordingRoutes: Handlers<typeof api.recordings> = {
  ofAccount: ({ params: { account_sid, ...which }, ...actor }) =>
    download(actor, { account_sid }, which),
  ofServiceProvider: ({ params: { service_provider_sid, ...which }, ...actor }) =>
    download(actor, { service_provider_sid }, which),
  removeOfAccount: ({ params: { account_sid, ...which }, ...actor }) =>
    remove(actor, { account_sid }, which),
  removeOfServiceProvider: ({ params: { service_provider_sid, ...which }, ...actor }) =>
    remove(actor, { service_provider_sid }, which),
}
