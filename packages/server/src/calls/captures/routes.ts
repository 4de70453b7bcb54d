import { type api, NO_CAPTURE } from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import type { Owner } from '../../stores/calls.ts'
import { ladderOf } from './ladder.ts'
import { searched, wantedOf } from './queries.ts'

type HandlerInput = {
  params: Owner & { call_id: string }
  scope: Scope
  ctx: Context
}

const there = <T>(thing: T | undefined): T => {
  if (thing === undefined) throw new Failure('not_found', NO_CAPTURE)
  return thing
}

async function seen({ params: { call_id, ...named }, scope, ctx }: HandlerInput) {
  const { wanted } = await searched(ctx, await wantedOf(ctx, scope, named, call_id))
  return there(await ctx.stores.captures.transaction(wanted))
}

const KINDS = { invite: 'call', register: 'registration' } as const
async function file(asked: HandlerInput & { params: { method: keyof typeof KINDS } }) {
  const { params, scope, ctx } = asked
  const { call_id, method, ...named } = params
  const { wanted } = await searched(
    ctx,
    await wantedOf(ctx, scope, named, call_id, [KINDS[method]]),
  )
  const bytes = there(await ctx.stores.captures.pcap(wanted))
  return { name: `callid-${call_id}.pcap`, type: 'application/octet-stream', bytes }
}

async function told({ params: { call_id, ...named }, scope, ctx }: HandlerInput) {
  const { capture } = await searched(ctx, await wantedOf(ctx, scope, named, call_id))
  const ladder = ladderOf(capture, call_id)
  return there(ladder.messages.length > 0 ? ladder : undefined)
}

export const captureRoutes: Handlers<typeof api.captures> = {
  ofAccount: seen,
  pcapOfAccount: file,
  sipOfAccount: told,
  ofServiceProvider: seen,
  pcapOfServiceProvider: file,
  sipOfServiceProvider: told,
}
