import { isRecord, membersOf, t } from '@switchroom/contract'
import type { Call } from './call.ts'
import { dub } from './dub.ts'
import { clip } from './recorder.ts'
import { changeSettings } from './settings.ts'
import type { Command } from './socket-messages.ts'
import { clear, flush, takeTokens } from './streamed-speech.ts'
import { whisper } from './whisper.ts'
import { WHISPER } from './whisper-name.ts'

/** Runs a command beside the current verb. */
export function applyBeside(call: Call, { command, data, members }: Command) {
  switch (command) {
    case 'config':
      return changeSettings(call, membersOf(data))
    case 'tts:tokens':
      return takeTokens(call, membersOf(data))
    case 'tts:flush':
      return flush(call)
    case 'tts:clear':
      return clear(call)
    case WHISPER:
      return whisper(call, data, members.callSid)
    case 'dub':
      return dub(call, { name: command, data: membersOf(data) })
    case 'tag':
      if (isRecord(data)) call.customerData = data
      return
    default:
      return call.recorder.event(
        'info',
        t('The platform carries out {command}. There is no audio here, so nothing else happens.', {
          command: clip(`${command}${members.callSid ? ` (${members.callSid})` : ''}`),
        }),
      )
  }
}
