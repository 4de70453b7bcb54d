import { isKeyOf, membersOf } from '@switchroom/contract'
import {
  caller,
  clean,
  failed,
  idOf,
  inSnakeCase,
  listOf,
  type Members,
  model,
  plain,
  session,
  speaking,
  tool,
  toolResult,
  usage,
} from './event-parts.ts'
import { type Part, shortName } from './parts.ts'

type Read = (e: Members) => Part[]

function openAiItem(e: Members): Part[] {
  const item = membersOf(e.item)
  if (item.type === 'function_call') return tool(item.call_id, item.name, item.arguments)
  if (item.type === 'function_call_output') return toolResult(item.call_id, item.output)
  return []
}

function openAiResponse(e: Members): Part[] {
  const { id, status, status_details, usage: used } = membersOf(e.response)
  const { reason, error } = membersOf(status_details)
  const { code, message } = membersOf(error)
  return [
    ...usage(used, idOf(id)),
    ...(status === 'failed' ? failed(code, message) : []),
    ...(status === 'cancelled' && reason === 'turn_detected'
      ? [{ kind: 'interrupted' as const }]
      : []),
  ]
}

const OPEN_AI: Record<string, Read> = {
  'session.created': (e) => session('openai', membersOf(e.session).model),
  'session.updated': (e) => session('openai', membersOf(e.session).model),
  'conversation.item.input_audio_transcription.completed': (e) =>
    caller(e.transcript, { of: idOf(e.item_id) }),
  'conversation.item.input_audio_transcription.failed': (e) => failed(membersOf(e.error).message),
  'response.audio_transcript.done': (e) => model(e.transcript, { of: idOf(e.response_id) }),
  'response.output_audio_transcript.done': (e) => model(e.transcript, { of: idOf(e.response_id) }),
  'response.text.done': (e) => model(e.text, { of: idOf(e.response_id) }),
  'response.output_text.done': (e) => model(e.text, { of: idOf(e.response_id) }),
  'response.function_call_arguments.done': (e) => tool(e.call_id, e.name, e.arguments),
  'response.output_item.added': openAiItem,
  'response.output_item.done': openAiItem,
  'conversation.item.created': openAiItem,
  'conversation.item.added': openAiItem,
  'conversation.item.done': openAiItem,
  'conversation.item.truncated': () => [{ kind: 'interrupted' }],
  'input_audio_buffer.speech_started': (e) => speaking('caller', false, idOf(e.item_id)),
  'input_audio_buffer.speech_stopped': (e) => speaking('caller', true, idOf(e.item_id)),
  'output_audio.playback_started': () => speaking('model', false),
  'output_audio.playback_stopped': () => speaking('model', true),
  'output_audio_buffer.started': () => speaking('model', false),
  'output_audio_buffer.stopped': () => speaking('model', true),
  'response.done': openAiResponse,
  error: (e) => {
    const { code, message } = membersOf(e.error)
    return failed(code, message ?? e.error ?? e.message)
  },
}
/** Events that announce what a later one tells, or repeat an earlier one. */
const OPEN_AI_QUIET =
  /^(?:response\.(?:created|content_part\.\w+|output_audio\.done|audio\.done)|input_audio_buffer\.committed|rate_limits\.updated|conversation\.created)$|\.delta$/

const DEEPGRAM: Record<string, Read> = {
  Welcome: () => session('deepgram'),
  SettingsApplied: () => session('deepgram'),
  ConversationText: (e) => (e.role === 'user' ? caller(e.content) : model(e.content)),
  UserStartedSpeaking: () => speaking('caller', false),
  AgentStartedSpeaking: () => speaking('model', false),
  AgentAudioDone: () => speaking('model', true),
  FunctionCallRequest: (e) =>
    Array.isArray(e.functions)
      ? listOf(e.functions).flatMap(({ id, name, arguments: args }) => tool(id, name, args))
      : tool(e.function_call_id, e.function_name, e.input),
  FunctionCallResponse: (e) => toolResult(e.id ?? e.function_call_id, e.content ?? e.output),
  Error: (e) => failed(e.code, e.description ?? e.message),
  Warning: (e) => failed(e.code, e.description ?? e.message),
  AgentThinking: () => [],
  History: () => [],
}

const ULTRAVOX: Record<string, Read> = {
  call_started: () => session('ultravox'),
  transcript(e) {
    if (e.final === false) return []
    return e.role === 'user' ? caller(e.text) : model(e.text)
  },
  client_tool_invocation: (e) => tool(e.invocation_id, e.tool_name, e.parameters),
  client_tool_result: (e) =>
    toolResult(
      ...[e.invocation_id ?? e.tool_call_id, e.result ?? e.error_message],
      Boolean(e.is_error ?? e.error_type),
    ),
  playback_clear_buffer: () => [{ kind: 'interrupted' }],
  state: (e) => (e.state === 'speaking' ? speaking('model', false) : speaking('model', true)),
}

const ELEVEN_LABS: Record<string, Read> = {
  conversation_initiation_metadata: () => session('elevenlabs'),
  user_transcript: (e) => caller(membersOf(e.user_transcription_event).user_transcript),
  agent_response: (e) => model(membersOf(e.agent_response_event).agent_response),
  agent_response_correction(e) {
    const { corrected_agent_response } = membersOf(e.agent_response_correction_event)
    return [{ kind: 'interrupted' }, { kind: 'heard', text: plain(corrected_agent_response) }]
  },
  interruption: () => [{ kind: 'interrupted' }],
  client_tool_call(e) {
    const { tool_call_id, tool_name, parameters } = membersOf(e.client_tool_call)
    return tool(tool_call_id, tool_name, parameters)
  },
  agent_tool_response(e) {
    const { tool_call_id, tool_name, is_error } = membersOf(e.agent_tool_response)
    return [
      ...tool(tool_call_id, tool_name, undefined),
      ...toolResult(tool_call_id, undefined, is_error === true),
    ]
  },
  ...Object.fromEntries(
    ['vad_score', 'ping', 'audio', 'internal_tentative_agent_response'].map(
      (type): [string, Read] => [type, () => []],
    ),
  ),
}

/** Vendors by the types of their events. */
const VENDORS: [vendor: string, types: Record<string, Read>][] = [
  ['openai', OPEN_AI],
  ['deepgram', DEEPGRAM],
  ['ultravox', ULTRAVOX],
  ['elevenlabs', ELEVEN_LABS],
]
/** Types that several vendors have. */
const SHARED = new Set(['error', 'client_tool_result', 'transcript'])

const GOOGLE = [
  ...['setup_complete', 'server_content', 'tool_call', 'tool_call_cancellation'],
  ...['usage_metadata', 'go_away', 'session_resumption_update'],
]

function googleParts(e: Members): Part[] {
  const content = membersOf(e.server_content)
  const spoken = listOf(membersOf(content.model_turn).parts)
  const parts: Part[] = [
    ...caller(membersOf(content.input_transcription).text, { is_piece: true }),
    ...model(membersOf(content.output_transcription).text, { is_piece: true }),
    // thoughts are not said
    ...spoken.flatMap(({ text, thought }) => (thought ? [] : model(text, { is_piece: true }))),
    ...listOf(membersOf(e.tool_call).function_calls).flatMap(({ id, name, args }) =>
      tool(id, name, args),
    ),
    ...usage(e.usage_metadata),
    ...(content.interrupted === true ? [{ kind: 'interrupted' as const }] : []),
    ...(content.turn_complete === true ? [{ kind: 'turn_over' as const }] : []),
    ...(e.go_away ? [{ kind: 'other' as const, type: 'go_away' }] : []),
  ]
  // most of them are sound
  return parts.length > 0 || e.setup_complete ? [...session('google'), ...parts] : []
}

function vendorParts(e: Members): Part[] {
  if (GOOGLE.some((name) => name in e)) return googleParts(e)
  const { type } = e
  if (typeof type !== 'string') return []
  if (OPEN_AI_QUIET.test(type)) return []
  const found = VENDORS.find(([, types]) => isKeyOf(types, type))
  if (!found) return [{ kind: 'other', type: shortName(clean(type)) }, ...usage(e.usage)]
  const [vendor, types] = found
  const parts = types[type]!(e)
  return SHARED.has(type) || parts.some(({ kind }) => kind === 'session')
    ? parts
    : parts.length > 0
      ? [...session(vendor), ...parts]
      : []
}

/** The platform's tool call, of one tool or of Google's several. */
function toolCallParts(e: Members): Part[] {
  const calls = listOf(e.function_calls)
  return calls.length > 0
    ? calls.flatMap(({ id, name, args }) => tool(id, name, args))
    : tool(e.tool_call_id, e.name, e.args)
}

/** The application's answer to it, in any vendor's form. */
function toolOutputParts(id: unknown, e: Members): Part[] {
  const { call_id, output } = membersOf(e.item)
  return toolResult(
    ...[id ?? call_id ?? e.invocation_id ?? e.tool_call_id],
    output ?? e.result ?? e.content ?? e,
    e.is_error === true,
  )
}

export type ModelEvent = {
  /** The name by which an event is recognized if it comes again; undefined without one. */
  id: string | undefined
  /** The call that a message over a WebSocket names. */
  call_sid: string | undefined
  /** Empty if there is nothing to keep. */
  parts: Part[]
}

/**
 * Reads an event: as the platform sends it to an event hook, or with the message that it has over a WebSocket, or a tool
 * call, or an application's answer to one. Undefined if it is none.
 */
export function readEvent(value: unknown): ModelEvent | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const e = membersOf(inSnakeCase(value))
  const { type, call_sid } = e
  const id = idOf(e.msgid ?? e.event_id)
  const of = { id, call_sid: idOf(call_sid) }
  const data = membersOf(e.data)
  if (type === 'llm:event') {
    const inner = 'type' in data || GOOGLE.some((name) => name in data)
    return inner ? { ...of, id: idOf(data.event_id) ?? id, parts: vendorParts(data) } : undefined
  }
  if (type === 'llm:tool-call') return { ...of, parts: toolCallParts(data) }
  if (type === 'command' && e.command === 'llm:tool-output')
    return { ...of, parts: toolOutputParts(e.tool_call_id, data) }
  if (type === 'toolCall' || (type === undefined && 'tool_call_id' in e))
    return { ...of, parts: toolCallParts(e) }
  const isEvent = typeof type === 'string' || GOOGLE.some((name) => name in e)
  return isEvent ? { ...of, parts: vendorParts(e) } : undefined
}
