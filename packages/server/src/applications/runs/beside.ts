import { membersOf, t } from '@switchroom/contract'
import type { Call } from './call.ts'
import { clip } from './recorder.ts'
import { changeSettings } from './settings.ts'
import type { Command } from './socket-messages.ts'
import { whisper } from './whisper.ts'
import { WHISPER } from './whisper-name.ts'

/** Lets a command take effect beside what is running. */
export function applyBeside(call: Call, { command, data, members }: Command) {
  switch (command) {
    case 'config':
      return changeSettings(call, membersOf(data))
    case 'tts:tokens':
      return sayTokens(call, membersOf(data))
    case WHISPER:
      return whisper(call, data)
    default:
      return call.recorder.event(
        'info',
        t('The platform carries out {command}. There is no audio here, so nothing else happens.', {
          command: clip(`${command}${members.callSid ? ` (${members.callSid})` : ''}`),
        }),
      )
  }
}

function sayTokens(
  { recorder, settings, side, socket, leg }: Call,
  { id, tokens }: Record<string, unknown>,
) {
  recorder.add({
    kind: 'said',
    verb: 'say',
    side,
    text: typeof tokens === 'string' ? tokens : null,
    vendor: textOf(settings.synthesizer.vendor),
    language: textOf(settings.synthesizer.language),
    voice: textOf(settings.synthesizer.voice),
    label: textOf(settings.synthesizer.label),
    loop: 1,
  })
  const message = { type: 'tts:tokens-result', call_sid: leg.call_sid, data: { id, status: 'ok' } }
  void socket?.send(message, false)
}

const textOf = (value: unknown) => (typeof value === 'string' ? clip(value) : null)
