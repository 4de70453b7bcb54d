import { type api, t } from '@switchroom/contract'
import { auditEvent } from '../../audit/audited.ts'
import type { Context } from '../../http/context.ts'
import { found } from '../../http/failure.ts'
import type { RequestMeta, Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import type { Owner } from '../../stores/calls/store.ts'
import { callOf } from '../recent-calls/queries.ts'
import type { WhichRecording } from './locate.ts'

type Which = WhichRecording & { call_sid: string }
type ActorContext = { scope: Scope; ctx: Context; meta: RequestMeta }

async function located({ scope, ctx }: ActorContext, named: Owner, which: Which) {
  const call = await callOf(ctx, scope, { call_sid: which.call_sid }, named)
  const { locateRecording } = await import('./locate.ts')
  return { call, ...(await locateRecording(ctx, call, which)) }
}

async function download(actor: ActorContext, named: Owner, which: Which) {
  const { find } = await located(actor, named, which)
  const { size, open } = found(await find(), t('recording'))
  return { type: `audio/${which.format}`, size, open }
}

/** Copies may be in the bucket and the folder, each under two dates. */
const COPIES = 4

async function remove(actor: ActorContext, named: Owner, which: Which) {
  const { call, owner, find } = await located(actor, named, which)
  const first = found(await find(), t('recording'))
  let copy: typeof first | undefined = first
  for (let i = 0; copy && i < COPIES; i++) {
    await copy.remove()
    copy = await find()
  }
  // its words go with it
  const key = { account_sid: owner.account_sid, call_sid: which.call_sid }
  for (const removed of actor.ctx.onRecordingRemoved) await removed(actor.ctx, key, call)
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
