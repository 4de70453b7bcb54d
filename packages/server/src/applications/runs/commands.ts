import { isRecord, membersOf, type RunProblem, t } from '@switchroom/contract'
import type { Call } from './call.ts'
import { clip } from './recorder.ts'
import type { Command } from './socket-messages.ts'
import { WHISPER } from './whisper-name.ts'

/** What the platform takes from an application over its WebSocket. */
const KNOWN = new Set([
  'redirect',
  'call:status',
  'config',
  'dub',
  'record',
  'dial',
  'mute:status',
  'listen:status',
  'stream:status',
  'transcribe:status',
  'conf:mute-status',
  'conf:hold-status',
  'conf:participant-action',
  WHISPER,
  'sip:request',
  'dtmf',
  'boostAudioSignal',
  'media:path',
  'llm:tool-output',
  'llm:update',
  'tts:tokens',
  'tts:flush',
  'tts:clear',
])

/** The member that the platform reads in a command's data, where a flat form has no effect. */
const NESTED: Record<string, string> = {
  'call:status': 'call_status',
  'listen:status': 'listen_status',
  'stream:status': 'stream_status',
  'transcribe:status': 'transcribe_status',
  'conf:mute-status': 'conf_mute_status',
  'conf:hold-status': 'conf_hold_status',
  [WHISPER]: WHISPER,
  'sip:request': 'sip_request',
  dtmf: 'dtmf',
}

/** Keeps a command as it comes in. It takes effect with the next verb, or ends the running one. */
export function receiveCommand(call: Call, command: Command) {
  const { recorder } = call
  recorder.add({
    kind: 'command',
    command: clip(command.command),
    is_queued: command.is_queued,
    data: recorder.body(JSON.stringify(command.data ?? null)),
    problems: problemsOf(command),
  })
  if (!KNOWN.has(command.command)) return
  call.commands.push(command)
  if (call.isIdle || interrupts(command)) call.interrupt.abort()
}

const interrupts = ({ command, is_queued }: Command) =>
  (command === 'redirect' && !is_queued) || command === 'call:status'

function problemsOf({ command, data }: Command): RunProblem[] {
  if (!KNOWN.has(command))
    return [
      { path: ['command'], text: t('The platform does not know this command, and ignores it.') },
    ]
  const member = NESTED[command]
  if (member && !(isRecord(data) && member in membersOf(data)))
    return [
      {
        path: ['data'],
        text: t('The platform reads {member} in the data. Without it, the command has no effect.', {
          member,
        }),
      },
    ]
  return []
}
