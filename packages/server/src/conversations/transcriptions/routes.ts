import { type api, t } from '@switchroom/contract'
import { callOf } from '../../calls/recent-calls/queries.ts'
import { found } from '../../http/failure.ts'
import type { Handlers } from '../../http/serve.ts'

// few servers need what is loaded here: decoders and vendors, too
export const transcriptionRoutes: Handlers<typeof api.transcriptions> = {
  async view({ params: { account_sid, call_sid }, scope, ctx }) {
    await callOf(ctx, scope, { call_sid }, { account_sid })
    const { view } = await import('./queries.ts')
    return found(await view(ctx.db, { account_sid, call_sid }), t('transcription'))
  },

  async plan({ params, scope, ctx }) {
    const { planOf } = await import('./plan.ts')
    return planOf(ctx, scope, params)
  },

  async start({ params, body, ...actor }) {
    const { startTranscription } = await import('./start.ts')
    return startTranscription(actor, params, body)
  },

  async remove({ params, ...actor }) {
    const { removeTranscription } = await import('./remove.ts')
    return removeTranscription(actor, params)
  },
}
