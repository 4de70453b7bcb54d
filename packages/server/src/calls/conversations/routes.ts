import type { api } from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import type { Owner } from '../../stores/calls.ts'
import { traceFor } from '../traces.ts'

async function conversationFor(ctx: Context, scope: Scope, named: Owner, trace_id: string) {
  const trace = await traceFor(ctx, scope, named, trace_id)
  // few starts need it
  const { conversationOf } = await import('../../conversations/conversation.ts')
  return conversationOf(trace)
}

export const conversationRoutes: Handlers<typeof api.conversations> = {
  ofAccount: ({ params: { trace_id, ...named }, scope, ctx }) =>
    conversationFor(ctx, scope, named, trace_id),
  ofServiceProvider: ({ params: { trace_id, ...named }, scope, ctx }) =>
    conversationFor(ctx, scope, named, trace_id),
}
