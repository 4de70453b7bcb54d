import { isRecord, t } from '@switchroom/contract'
import type { Call } from './call.ts'
import { clip } from './recorder.ts'
import type { Verb } from './run-application.ts'
import { play, speak } from './speech.ts'

/** Plays something beside the call: its speech and sounds are heard as well. */
export function dub(call: Call, { name, data }: Verb) {
  if (isRecord(data.say)) speak(call, { name, data: data.say })
  else if (typeof data.say === 'string') speak(call, { name, data: { text: data.say } })
  if (typeof data.play === 'string') play(call, { name, data: { url: data.play } })
  if (data.say === undefined && data.play === undefined)
    call.recorder.event(
      'info',
      t('The platform carries out {action} for the track {track}.', {
        action: data.action,
        track: clip(String(data.track)),
      }),
    )
}
