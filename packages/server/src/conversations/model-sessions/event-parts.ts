import { type ModelTokens, membersOf } from '@switchroom/contract'
import { type Part, shortName } from './parts.ts'

export type Members = Record<string, unknown>

const MAX_TEXT = 10_000
const MAX_ID = 200
const MAX_DEPTH = 12
const MAX_TOKENS = 1_000_000_000
/** The platform leaves these members as they are; the vendors', with a tool's arguments, are text of the application. */
const VERBATIM = new Set(['args', 'arguments', 'parameters', 'result', 'output'])

const snake = (name: string) => name.replace(/(?<=[a-z\d])[A-Z]/g, (c) => `_${c}`).toLowerCase()

/** An event's members in the platform's spelling, whether it comes from the platform or the vendor. */
export function inSnakeCase(value: unknown, depth = 0): unknown {
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
export const clean = (text: string) => text.replaceAll('\0', '').toWellFormed()
const textOf = (value: unknown) =>
  typeof value === 'string' && value.trim() ? clean(value).slice(0, MAX_TEXT) : undefined
export const idOf = (value: unknown) =>
  (typeof value === 'string' && value) || typeof value === 'number'
    ? clean(String(value)).slice(0, MAX_ID)
    : undefined
const nameOf = (value: unknown) => {
  const text = textOf(value)
  return text === undefined ? undefined : shortName(text)
}
/** A text as it is, anything else as JSON. */
export const plain = (value: unknown) =>
  value === undefined || value === null
    ? null
    : clean(typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MAX_TEXT)
export const listOf = (value: unknown): Members[] =>
  Array.isArray(value) ? value.map(membersOf) : []
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
export const caller = (value: unknown, named?: Named) => words('caller', value, named)
export const model = (value: unknown, named?: Named) => words('model', value, named)

export const speaking = (side: 'caller' | 'model', is_over: boolean, of?: string): Part[] => [
  { kind: 'speaking', side, is_over, ...(of !== undefined && { of }) },
]
export const usage = (value: unknown, of?: string): Part[] => {
  const tokens = usageIn(value)
  return tokens ? [{ kind: 'usage', tokens, ...(of !== undefined && { of }) }] : []
}
export const session = (vendor: string, name?: unknown): Part[] => {
  const known = nameOf(name)
  return [{ kind: 'session', vendor, ...(known !== undefined && { model: known }) }]
}
export const failed = (...values: unknown[]): Part[] => [
  { kind: 'error', text: values.flatMap((value) => textOf(value) ?? []).join(': ') || null },
]
export const tool = (id: unknown, name: unknown, args: unknown): Part[] => {
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
export const toolResult = (id: unknown, value: unknown, has_failed = false): Part[] => {
  const known = idOf(id)
  return known === undefined
    ? []
    : [{ kind: 'tool_result', id: known, text: plain(value), has_failed }]
}
