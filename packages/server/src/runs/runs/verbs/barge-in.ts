import { membersOf, t } from '@switchroom/contract'
import type { Call } from '../call.ts'
import { postHook } from '../hooks.ts'
import { interrupt } from '../streamed-speech.ts'
import { listenOnce } from './gather.ts'

/** Who says nothing does not interrupt, and it takes no time. */
const MOMENT_S = 0.001

/**
 * Asks whether the caller interrupts, where `config` made the platform listen in the background. Resolves to whether
 * the call goes on with something else.
 */
export async function interrupted(call: Call, timeout = MOMENT_S): Promise<boolean> {
  const { bargeIn } = call.settings
  if (!bargeIn || call.nested) return false
  const verb = { name: 'config', data: { ...bargeIn, timeout } }
  const result = await listenOnce(call, verb)
  if (!result || call.ended) return true
  if (result.reason === 'timeout') return false
  interrupt(call)
  if (bargeIn.sticky !== true) call.settings.bargeIn = undefined
  if (!bargeIn.actionHook) return false
  if (call.socket) {
    const { length } = call.list
    // up to what switches it off
    const end = call.list.findIndex(
      ({ name, data }) => name === 'config' && membersOf(data.bargeIn).enable === false,
    )
    call.list = end < 0 ? [] : call.list.slice(end)
    if (length > call.list.length)
      call.recorder.event('info', t('The caller interrupts, which clears the verbs that are left.'))
  }
  const before = call.list
  await postHook(call, verb, result)
  return call.list !== before
}
