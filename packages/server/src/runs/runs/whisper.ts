import { membersOf } from '@switchroom/contract'
import type { Call } from './call.ts'
import { readVerbs } from './read-verbs.ts'
import { play, speak } from './speech.ts'
import { WHISPER } from './whisper-name.ts'

/** Says or plays something into a conversation. */
export function whisper(call: Call, data: unknown, callSid?: unknown) {
  const { side, dialed } = call
  if (dialed.some(({ call_sid }) => call_sid === callSid)) call.side = 'called'
  const { verbs = [] } = readVerbs(call, [membersOf(data)[WHISPER]].flat())
  for (const verb of verbs)
    if (verb.name === 'say') speak(call, verb)
    else if (verb.name === 'play') play(call, verb)
  call.side = side
}
