import { isKeyOf, isOneOf, isRecord, membersOf } from '../wire/records.ts'
import { t } from '../wire/text.ts'

/** The commands for a live call. A request holds one; the hooks of both call legs count as one. */
export const CALL_COMMANDS = [
  'call_hook',
  'child_call_hook',
  'call_status',
  'listen_status',
  'transcribe_status',
  'conf_hold_status',
  'conf_mute_status',
  'mute_status',
  'sip_request',
  'record',
  'tag',
  'dtmf',
  'conferenceParticipantAction',
  'dub',
  'boostAudioSignal',
  'media_path',
  // of newer platforms, whose feature server checks them
  'noise_isolation_status',
  'llm_status',
  'llm_update',
  'llm_tool_output',
  'agent_update',
  'room_say',
  'room_play',
  'transfer',
] as const
/** May accompany any other. */
const WHISPER = 'whisper'
export type CallCommand = (typeof CALL_COMMANDS)[number] | typeof WHISPER

type Body = Record<string, unknown>
type Problem = { path: string; message: string }
const is = (body: Body, member: string) => body[member] !== undefined && body[member] !== null
const member = (value: unknown, name: string) => membersOf(value)[name]

/** The commands in a request body. */
export const commandsIn = (body: Body): CallCommand[] =>
  ([...CALL_COMMANDS, WHISPER] as const).filter((c) => is(body, c))

const CHOICES = {
  call_status: ['completed', 'no-answer'],
  listen_status: ['pause', 'silence', 'resume'],
  mute_status: ['mute', 'unmute'],
  conf_hold_status: ['hold', 'unhold'],
  conf_mute_status: ['mute', 'unmute'],
} as const
const PARTICIPANT = ['tag', 'untag', 'coach', 'uncoach', 'mute', 'unmute', 'hold', 'unhold']

function participantProblem(action: unknown): string | undefined {
  const verb = member(action, 'action')
  if (!isOneOf(PARTICIPANT, verb)) {
    const said = typeof verb === 'string' ? verb.slice(0, 100) : typeof verb
    return t('conferenceParticipantAction invalid action property {said}', { said })
  }
  if ((verb === 'tag' || verb === 'coach') && !member(action, 'tag'))
    return t("conferenceParticipantAction requires tag property when action is '{verb}'", { verb })
  return undefined
}

/** Why a command is invalid, in the platform's order and words. */
export function commandProblem(body: Body): Problem | undefined {
  const commands = commandsIn(body)
  const [first] = commands
  if (!first) return { path: 'call_status', message: t('no valid options supplied to updateCall') }
  const exclusive = commands.filter((c) => c !== WHISPER)
  const hooks = exclusive.every((c) => c === 'call_hook' || c === 'child_call_hook')
  if (exclusive.length > 1 && !hooks)
    return { path: exclusive[1]!, message: t('multiple options are not allowed in updateCall') }
  const wrong = (message: string): Problem => ({ path: first, message })
  const value = body[first]
  if (isKeyOf(CHOICES, first))
    return isOneOf(CHOICES[first], value) ? undefined : wrong(t('invalid {first}', { first }))
  switch (first) {
    case 'sip_request':
      return ['method', 'content_type', 'content'].every((name) => member(value, name))
        ? undefined
        : wrong(t('sip_request requires method, content_type and content properties'))
    case 'record':
      if (!member(value, 'action')) return wrong(t('record requires action property'))
      return member(value, 'type') === 'cloud' || member(value, 'siprecServerURL')
        ? undefined
        : wrong(t('record requires siprecServerURL property when starting recording'))
    case 'dtmf':
      return member(value, 'digit') ? undefined : wrong(t('invalid dtmf'))
    case 'tag':
      return isRecord(value) ? undefined : wrong(t('invalid tag data'))
    case 'conferenceParticipantAction': {
      const message = participantProblem(value)
      return message === undefined ? undefined : wrong(message)
    }
    case 'media_path':
      return isOneOf(['no-media', 'partial-media', 'full-media'], value)
        ? undefined
        : wrong(t('invalid media_path'))
    default:
      return undefined
  }
}
