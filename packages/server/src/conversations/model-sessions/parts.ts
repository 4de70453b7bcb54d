import type { ModelTokens } from '@switchroom/contract'
import { masked, type Redacted } from '../../talk/masked.ts'

type Side = 'caller' | 'model'

/** Part of what an event of a model session tells. `of` is the vendor's name of the words, which joins events about them. */
export type Part =
  | { kind: 'session'; vendor?: string; model?: string }
  /** `is_piece`: the next words of this side continue it. */
  | { kind: 'words'; side: Side; text: string | null; chars: number; of?: string; is_piece?: true }
  /** Beginning of the model's last words, which the caller heard. */
  | { kind: 'heard'; text: string | null }
  /** The turn of both sides is over. */
  | { kind: 'turn_over' }
  | { kind: 'speaking'; side: Side; is_over: boolean; of?: string }
  | { kind: 'interrupted' }
  | { kind: 'tool'; id: string; name?: string; arguments?: string | null }
  | { kind: 'tool_result'; id: string; text: string | null; has_failed: boolean }
  | { kind: 'usage'; tokens: ModelTokens; of?: string }
  | { kind: 'error'; text: string | null }
  | { kind: 'other'; type: string }

const MAX_NAME = 100
const NAME = /^[a-z][\w.:-]*$/i
/** Numbers in a name may be somebody's. */
const NUMBER = /\d{3}/
const UNKNOWN = '•'
/** With pieces of words, the halves of an address may come apart. */
const AROUND_AT = /[^\s@＠﹫]*[@＠﹫]\S*/g

function nameWithoutWords(name: string) {
  return NAME.test(name) && !NUMBER.test(name) ? name : UNKNOWN
}

function textWithoutWords(text: string | null, words: Redacted) {
  return text === null || words === 'leave_out' ? null : masked(text)
}

/** The same with no more words than an account keeps. Tokens, times and lengths stay. */
export function partWithoutWords(part: Part, words: Redacted): Part {
  switch (part.kind) {
    case 'words': {
      const text = textWithoutWords(part.text, words)
      return { ...part, text: part.is_piece ? (text?.replace(AROUND_AT, '•••') ?? null) : text }
    }
    case 'heard':
    case 'tool_result':
    case 'error':
      return { ...part, text: textWithoutWords(part.text, words) }
    case 'tool':
      return {
        ...part,
        ...(part.name !== undefined && { name: nameWithoutWords(part.name) }),
        ...(part.arguments !== undefined && {
          arguments: textWithoutWords(part.arguments, words),
        }),
      }
    case 'other':
      return { ...part, type: nameWithoutWords(part.type) }
    default:
      return part
  }
}

/** A name from outside, cut. */
export const shortName = (name: string) => name.slice(0, MAX_NAME).toWellFormed()
