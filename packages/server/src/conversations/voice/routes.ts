import type { api } from '@switchroom/contract'
import { callsOwner } from '../../calls/recent-calls/queries.ts'
import { spanUntilNow } from '../../calls/recent-calls/span-until-now.ts'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import type { Owner } from '../../stores/calls/store.ts'

type Input = Parameters<Handlers<typeof api.accountVoice>['figures']>[0]
type Within = Omit<Input, 'scope' | 'ctx' | 'params'> & {
  scope: Scope
  ctx: Context
  params: Owner
}

async function figures({ params, query, scope, ctx }: Within) {
  const { application_sid, time_zone } = query
  const owner = await callsOwner(ctx, scope, params)
  const span = spanUntilNow(query)
  const { voice } = ctx.stores
  if (!voice) {
    const { noVoiceFigures } = await import('../../stores/voice/figures.ts')
    return noVoiceFigures(span)
  }
  return voice.figures(owner, span, {
    ...(application_sid !== undefined && { application_sid }),
    ...(time_zone !== undefined && { time_zone }),
  })
}

export const accountVoiceRoutes: Handlers<typeof api.accountVoice> = { figures }
export const providerVoiceRoutes: Handlers<typeof api.providerVoice> = { figures }
