import type { api } from '@switchroom/contract'
import { t } from '@switchroom/contract'
import { callsOwner, spanOf } from '../../calls/recent-calls/queries.ts'
import type { Context } from '../../http/context.ts'
import { invalidField } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import type { Owner, Span } from '../../stores/calls/store.ts'

type Input = Parameters<Handlers<typeof api.accountVoice>['figures']>[0]
type Within = Omit<Input, 'scope' | 'ctx' | 'params'> & {
  scope: Scope
  ctx: Context
  params: Owner
}

const MINUTE_MS = 60_000

/** Not beyond the current minute, in which there are no calls yet. */
const untilNow = ({ from, to }: Span): Span => ({
  from,
  to: Math.max(from, Math.min(to, Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS)),
})

async function figures({ params, query, scope, ctx }: Within) {
  const { application_sid, time_zone } = query
  if (query.days === undefined && query.start === undefined)
    throw invalidField('days', t('Enter days or start'))
  const owner = await callsOwner(ctx, scope, params)
  const span = untilNow(spanOf(query))
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
