import { isNewer, isRecord, listText, membersOf, type RunProblem, t } from '@switchroom/contract'
import { applyBeside } from './beside.ts'
import type { Call, Leg } from './call.ts'
import { clip } from './recorder.ts'
import { verbsOf } from './redirected-verbs.ts'
import type { Command } from './socket-messages.ts'
import type { WalkedVerb } from './walkable.ts'
import { WHISPER } from './whisper-name.ts'

/** Commands that the platform accepts from an application over its WebSocket. */
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

/** The same of versions after `PLATFORM_VERSION`, as its SDK has them. */
const NEWER = new Set(['noiseIsolation:status', 'room:say', 'room:play', 'stt:reconfigure', 'tag'])

const unknown = (version: string): RunProblem => ({
  path: ['command'],
  text: t('Version {version} of the platform does not know this command, and ignores it.', {
    version,
  }),
})

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

/** Keeps a command as it comes in. It takes effect at once, with the next verb, or ends the running one. */
export function receiveCommand(call: Call, command: Command, isForRunning = true) {
  const { recorder, version } = call
  const { callSid } = command.members
  const isKnown = KNOWN.has(command.command) || (isNewer(version) && NEWER.has(command.command))
  recorder.add({
    kind: 'command',
    command: clip(command.command),
    is_queued: command.is_queued,
    data: recorder.body(JSON.stringify(command.data ?? null)),
    problems: isKnown ? problemsOf(command) : [unknown(version)],
  })
  if (!isKnown) return
  if (callSid !== undefined && !legsOf(call).some(({ call_sid }) => call_sid === callSid))
    return recorder.event(
      'warn',
      t('No leg of this call has this callSid. The platform ignores the command.'),
    )
  const during = DURING[command.command]
  if (during && !(call.running && during.includes(call.running)))
    return recorder.event(
      'warn',
      t('{command} has an effect only during {verbs}. The platform ignores it now.', {
        command: command.command,
        verbs: listText(during, 'disjunction'),
      }),
    )
  if (!WAITING.includes(command.command)) return applyBeside(call, command)
  const isList = command.command === 'redirect' && !isRecord(command.data)
  if (isList && !verbsOf(call, command.data)) return
  if (!isForRunning) return void call.outer?.push(command)
  call.commands.push(command)
  if (call.isIdle || interrupts(command)) call.interrupt.abort()
}

/** The verbs during which commands have an effect that have none otherwise. */
const DURING: Partial<Record<string, WalkedVerb[]>> = {
  [WHISPER]: ['dial', 'listen'],
  'mute:status': ['dial', 'conference'],
  'conf:mute-status': ['conference'],
  'conf:hold-status': ['conference'],
  'conf:participant-action': ['conference'],
  'media:path': ['dial'],
  'llm:update': ['llm', 'agent'],
}

const legsOf = ({ leg, dialed }: Call) => [leg, ...dialed]

/** True if the command hangs up a dialed party. */
export const isHangUpOf = ({ command, members }: Command, { call_sid }: Leg) =>
  command === 'call:status' && members.callSid === call_sid

/** Commands that wait for the running verb, or end it. All others take effect beside it. */
const WAITING = ['redirect', 'call:status', 'llm:tool-output']

const interrupts = ({ command, is_queued, data }: Command) =>
  (command === 'redirect' && (!is_queued || isRecord(data))) || command === 'call:status'

/** True if the command gives the dialed party verbs of its own. */
export const isForChild = ({ command, data }: Command) =>
  command === 'redirect' &&
  isRecord(data) &&
  (data.child_call_hook !== undefined || data.child_call !== undefined)

function problemsOf({ command, data }: Command): RunProblem[] {
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
