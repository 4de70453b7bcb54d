import type { Answer, AnswerKind } from '@switchroom/contract'
import { keysOf } from '../../lib/records'
import { answerOf as answerOfTyped, CONTROLS, fieldKey } from '../runs/answer-controls'

/** Form values of an answer: `typed` has a text for every member that any answer has. */
export type AnswerRow = { key: string; kind: AnswerKind; typed: Record<string, string> }

const KINDS = keysOf(CONTROLS)
const BLANK = Object.fromEntries(
  KINDS.flatMap((kind) => CONTROLS[kind].fields.map(({ name }) => [name, ''])),
)

export const blankAnswer = (key: string): AnswerRow => ({ key, kind: 'speech', typed: BLANK })

export const ANSWER_OPTIONS = KINDS.map((value) => ({ value, label: CONTROLS[value].label }))

export function answerRow({ kind, ...members }: Answer, key: string): AnswerRow {
  const typed = Object.entries(members).map(([name, value]) => [name, textOf(name, value)])
  return { key, kind, typed: { ...BLANK, ...Object.fromEntries(typed) } }
}

/** A member as it would be typed. */
function textOf(name: string, value: unknown) {
  if (typeof value === 'object') return JSON.stringify(value)
  if (typeof value !== 'number') return String(value)
  if (name === 'after_ms') return String(value / 1_000)
  // without what is lost between decimal and binary
  return String(name === 'confidence' ? Number((value * 100).toPrecision(12)) : value)
}

/** The answer of a row, or what is wrong with which of its fields. */
export const answerOf = ({ kind, typed }: AnswerRow) =>
  answerOfTyped(
    kind,
    Object.fromEntries(
      CONTROLS[kind].fields.map(({ name }) => [fieldKey(kind, name), typed[name] ?? '']),
    ),
  )
