import { isKeyOf, type ModelTokens, membersOf } from '@switchroom/contract'
import { type Part, shortName } from './parts.ts'

type Members = Record<string, unknown>

const MAX_TEXT = 10_000
const MAX_ID = 200
const MAX_DEPTH = 12
const MAX_TOKENS = 1_000_000_000
/** The platform leaves these members as they are; the vendors', with a tool's arguments, are text of the application. */
const VERBATIM = new Set(['args', 'arguments', 'parameters', 'result', 'output'])

const snake = (name: string) => name.replace(/(?<=[a-z\d])[A-Z]/g, (c) => `_${c}`).toLowerCase()

/** An event's members in the platform's spelling, whether it comes from the platform or the vendor. */
function inSnakeCase(value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => inSnakeCase(one, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      const name = snake(key)
      return [name, VERBATIM.has(name) ? one : inSnakeCase(one, depth + 1)]
    }),
  )
}

// no database takes a null character
const clean = (text: string) => text.replaceAll('\0', '').toWellFormed()
const textOf = (value: unknown) =>
  typeof value === 'string' && value.trim() ? clean(value).slice(0, MAX_TEXT) : undefined
const idOf = (value: unknown) =>
  (typeof value === 'string' && value) || typeof value === 'number'
    ? clean(String(value)).slice(0, MAX_ID)
    : undefined
const nameOf = (value: unknown) => {
  const text = textOf(value)
  return text === undefined ? undefined : shortName(text)
}
/** A text as it is, anything else as JSON. */
const plain = (value: unknown) =>
  value === undefined || value === null
    ? null
    : clean(typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MAX_TEXT)
const listOf = (value: unknown): Members[] => (Array.isArray(value) ? value.map(membersOf) : [])
const count = (...values: unknown[]) => {
  const n = values.find((value) => typeof value === 'number' && Number.isFinite(value))
  return n === undefined ? undefined : Math.min(MAX_TOKENS, Math.max(0, Math.round(n as number)))
}

function usageIn(value: unknown): ModelTokens | undefined {
  const u = membersOf(value)
  const input = count(u.input_tokens, u.prompt_tokens, u.prompt_token_count)
  const output = count(
    ...[u.output_tokens, u.completion_tokens, u.response_token_count, u.candidates_token_count],
  )
  if (input === undefined && output === undefined) return undefined
  const details = membersOf(u.input_token_details ?? u.prompt_tokens_details)
  const cached = count(details.cached_tokens, u.cached_content_token_count) ?? 0
  return { input: input ?? 0, cached: Math.min(cached, input ?? 0), output: output ?? 0 }
}

type Named = { of?: string | undefined; is_piece?: true }
function words(side: 'caller' | 'model', value: unknown, { of, is_piece }: Named = {}): Part[] {
  const text =
    is_piece && typeof value === 'string' ? clean(value).slice(0, MAX_TEXT) : textOf(value)
  if (!text) return []
  const chars = [...text].length
  const part = { kind: 'words' as const, side, text, chars }
  return [{ ...part, ...(of !== undefined && { of }), ...(is_piece && { is_piece }) }]
}
const caller = (value: unknown, named?: Named) => words('caller', value, named)
const model = (value: unknown, named?: Named) => words('model', value, named)

const speaking = (side: 'caller' | 'model', is_over: boolean, of?: string): Part[] => [
  { kind: 'speaking', side, is_over, ...(of !== undefined && { of }) },
]
const usage = (value: unknown, of?: string): Part[] => {
  const tokens = usageIn(value)
  return tokens ? [{ kind: 'usage', tokens, ...(of !== undefined && { of }) }] : []
}
const session = (vendor: string, name?: unknown): Part[] => {
  const known = nameOf(name)
  return [{ kind: 'session', vendor, ...(known !== undefined && { model: known }) }]
}
const failed = (...values: unknown[]): Part[] => [
  { kind: 'error', text: values.flatMap((value) => textOf(value) ?? []).join(': ') || null },
]
const tool = (id: unknown, name: unknown, args: unknown): Part[] => {
  const called = nameOf(name)
  const known = idOf(id)
  return known === undefined
    ? []
    : [
        {
          ...{ kind: 'tool', id: known },
          ...(called !== undefined && { name: called }),
          ...(args !== undefined && { arguments: plain(args) }),
        },
      ]
}
const toolResult = (id: unknown, value: unknown, has_failed = false): Part[] => {
  const known = idOf(id)
  return known === undefined
    ? []
    : [{ kind: 'tool_result', id: known, text: plain(value), has_failed }]
}

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
