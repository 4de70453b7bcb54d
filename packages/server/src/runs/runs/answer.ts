import { t } from '@switchroom/contract'
import { type Call, isAnswered } from './call.ts'
import { setStatus } from './call-status.ts'

/** Answers the call, unless it is already. */
export async function answer(call: Call) {
  if (isAnswered(call) || call.side === 'called') return
  call.leg.answered_at = call.clock.now()
  call.recorder.event('info', t('The call is answered.'))
  await setStatus(call, call.leg, 'in-progress', 200)
}
