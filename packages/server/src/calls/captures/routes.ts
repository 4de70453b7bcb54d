import { type api, NO_CAPTURE } from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import type { Owner } from '../../stores/calls/store.ts'
import { captureQuery, findCapture } from './queries.ts'

type HandlerInput = {
  params: Owner & { call_id: string }
  scope: Scope
  ctx: Context
}

const foundCapture = <T>(capture: T | undefined): T => {
  if (capture === undefined) throw new Failure('not_found', NO_CAPTURE)
  return capture
}

async function transaction({ params: { call_id, ...owner }, scope, ctx }: HandlerInput) {
  const { wanted } = await findCapture(ctx, await captureQuery(ctx, scope, owner, call_id))
  return foundCapture(await ctx.stores.captures.transaction(wanted))
}

const KINDS = { invite: 'call', register: 'registration' } as const
async function pcap(input: HandlerInput & { params: { method: keyof typeof KINDS } }) {
  const { params, scope, ctx } = input
  const { call_id, method, ...owner } = params
  const { wanted } = await findCapture(
    ctx,
    await captureQuery(ctx, scope, owner, call_id, [KINDS[method]]),
  )
  const bytes = foundCapture(await ctx.stores.captures.pcap(wanted))
  return { name: `callid-${call_id}.pcap`, type: 'application/octet-stream', bytes }
}

async function ladder({ params: { call_id, ...owner }, scope, ctx }: HandlerInput) {
  const { capture } = await findCapture(ctx, await captureQuery(ctx, scope, owner, call_id))
  // few starts need it
  const { ladderOf } = await import('./ladder.ts')
  const found = ladderOf(capture, call_id)
  return foundCapture(found.messages.length > 0 ? found : undefined)
}

export const captureRoutes: Handlers<typeof api.captures> = {
  ofAccount: transaction,
  pcapOfAccount: pcap,
  sipOfAccount: ladder,
  ofServiceProvider: transaction,
  pcapOfServiceProvider: pcap,
  sipOfServiceProvider: ladder,
}
