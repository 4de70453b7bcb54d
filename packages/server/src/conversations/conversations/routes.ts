import type { api } from '@switchroom/contract'
import { callAndTrace } from '../../calls/traces.ts'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import type { Owner } from '../../stores/calls/store.ts'

async function conversationFor(ctx: Context, scope: Scope, named: Owner, trace_id: string) {
  const { trace, call } = await callAndTrace(ctx, scope, named, trace_id)
  // few starts need it
  const { shownConversation } = await import('./shown-conversation.ts')
  return shownConversation(ctx, call, trace)
}

export const conversationRoutes: Handlers<typeof api.conversations> = {
  ofAccount: ({ params: { trace_id, ...named }, scope, ctx }) =>
    conversationFor(ctx, scope, named, trace_id),
  ofServiceProvider: ({ params: { trace_id, ...named }, scope, ctx }) =>
    conversationFor(ctx, scope, named, trace_id),
}
