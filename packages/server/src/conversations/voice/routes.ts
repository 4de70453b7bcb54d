import type { api } from '@switchroom/contract'
import { ownerFigures } from '../../calls/recent-calls/owner-figures.ts'
import { definedFields } from '../../db/defined-fields.ts'
import type { Handlers } from '../../http/serve.ts'

const figures = ownerFigures(async ({ stores: { voice } }, { owner, span, ...filters }) => {
  if (voice) return voice.figures(owner, span, definedFields(filters))
  const { noVoiceFigures } = await import('../../stores/voice/figures.ts')
  return noVoiceFigures(span)
})

export const accountVoiceRoutes: Handlers<typeof api.accountVoice> = { figures }
export const providerVoiceRoutes: Handlers<typeof api.providerVoice> = { figures }
