import { membersOf, t } from '@switchroom/contract'
import type { Call } from '../call.ts'
import { postHook } from '../hooks.ts'
import type { Members, Verb } from '../run-application.ts'
import { interrupt } from '../streamed-speech.ts'
import { tellPlayback, tellVerb } from '../verb-status.ts'
import { listenOnce } from './gather.ts'

/** Default time limit, near zero: a caller who says nothing does not interrupt, and takes no time. */
const MOMENT_S = 0.001

/**
 * Asks whether the caller interrupts a verb, if `config` made the platform listen in the background. Resolves to true
 * if the verb is over.
 */
export async function interrupted(call: Call, verb: Verb, timeout = MOMENT_S): Promise<boolean> {
  const { bargeIn } = call.settings
  if (!bargeIn || call.nested) return false
  const result = await listenOnce(call, { name: 'config', data: { ...bargeIn, timeout } })
  if (!result || call.ended) return true
  if (result.reason === 'timeout') return false
  tellBargeIn(call, verb, result)
  await heard(call, bargeIn, result)
  return true
}

/** Asks what the caller does while a WebSocket application has nothing to run. */
export async function whileSilent(call: Call): Promise<void> {
  const { bargeIn, transcribe } = call.settings
  const data = bargeIn ?? { input: transcribe ? ['speech'] : [] }
  call.isIdle = true
  const result = await listenOnce(call, { name: 'silence', data: { ...data, timeout: 0 } }, [
    'wait',
  ])
  call.isIdle = false
  if (bargeIn && result && !call.ended) await heard(call, bargeIn, result)
}

async function heard(call: Call, bargeIn: Members, result: Members) {
  interrupt(call)
  if (bargeIn.sticky !== true) call.settings.bargeIn = undefined
  if (!bargeIn.actionHook) return
  if (call.socket) {
    const { length } = call.list
    // up to the verb that switches it off
    const end = call.list.findIndex(
      ({ name, data }) => name === 'config' && membersOf(data.bargeIn).enable === false,
    )
    call.list = end < 0 ? [] : call.list.slice(end)
    if (length > call.list.length)
      call.recorder.event('info', t('The caller interrupts, which clears the verbs that are left.'))
  }
  await postHook(call, { name: 'config', data: bargeIn }, result)
}

function tellBargeIn(call: Call, verb: Verb, { speech }: Members) {
  const { alternatives } = membersOf(speech)
  const [words] = Array.isArray(alternatives) ? alternatives : []
  tellVerb(call, verb, {
    event: words ? 'speech-bargein-detected' : 'dtmf-bargein-detected',
    ...(words && { transcript: membersOf(words).transcript }),
    verb: verb.name,
  })
  if (verb.name !== 'pause') tellPlayback(call, verb, 'kill')
}
