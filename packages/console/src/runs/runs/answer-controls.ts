import { type Answer, type AnswerKind, isRecord, t } from '@switchroom/contract'

/** `seconds` and `number`: as typed. `choice`: one of `options`. */
export type AnswerField = {
  name: string
  label: string
  type: 'text' | 'seconds' | 'number' | 'percent' | 'json' | 'keys' | 'target' | 'choice'
  options?: readonly { value: string; label: string }[]
  help?: string
  required?: true
}
type Control = {
  /** On its button. */
  label: string
  fields: readonly AnswerField[]
}

const after = (label: string): AnswerField => ({ name: 'after_ms', label, type: 'seconds' })
const AFTER = after(t('Answers after (seconds)'))
const confidence: AnswerField = { name: 'confidence', label: t('Confidence (%)'), type: 'percent' }
const seconds = (label: string): AnswerField => ({ name: 'seconds', label, type: 'seconds' })
const words: AnswerField = { name: 'text', label: t('Words'), type: 'text', required: true }

/** Label and input fields of each kind of answer. */
export const CONTROLS: Record<AnswerKind, Control> = {
  speech: { label: t('Say'), fields: [words, confidence, AFTER] },
  low_confidence: { label: t('Not understood'), fields: [words, confidence, AFTER] },
  digits: {
    label: t('Send keys'),
    fields: [{ name: 'digits', label: t('Keys'), type: 'keys', required: true }, AFTER],
  },
  nothing: { label: t('Say nothing'), fields: [] },
  error: {
    label: t('Recognizer error'),
    fields: [{ name: 'details', label: t('Error details'), type: 'text' }, AFTER],
  },
  answered: {
    label: t('Answered'),
    fields: [
      { name: 'target', label: t('Who answers'), type: 'target' },
      seconds(t('Seconds they talk')),
      {
        name: 'by',
        label: t('Answered by'),
        type: 'choice',
        options: [
          { value: '', label: t('Not specified') },
          { value: 'person', label: t('A person') },
          { value: 'machine', label: t('A machine') },
        ],
      },
      {
        name: 'ended_by',
        label: t('Who hangs up first'),
        type: 'choice',
        options: [
          { value: '', label: t('Called party') },
          { value: 'caller', label: t('Caller') },
        ],
      },
      { name: 'digits', label: t('Keys the called party presses'), type: 'keys' },
      {
        name: 'on_hold',
        label: t('Puts the caller on hold'),
        type: 'choice',
        options: [
          { value: '', label: t('No') },
          { value: 'true', label: t('Yes') },
        ],
      },
      { name: 'transfer_to', label: t('Transfers the caller to'), type: 'text' },
      AFTER,
    ],
  },
  busy: { label: t('Busy'), fields: [AFTER] },
  no_answer: { label: t('No answer'), fields: [] },
  failed: {
    label: t('Failed'),
    fields: [{ name: 'status', label: t('SIP status'), type: 'number' }, AFTER],
  },
  status: {
    label: t('Reply'),
    fields: [
      { name: 'status', label: t('SIP status'), type: 'number' },
      { name: 'final_status', label: t('Final status of the transfer'), type: 'number' },
      AFTER,
    ],
  },
  bridged: { label: t('Connect'), fields: [seconds(t('Seconds they talk')), AFTER] },
  wait: { label: t('Keep waiting'), fields: [seconds(t('Seconds to wait'))] },
  ended: {
    label: t('End now'),
    fields: [
      seconds(t('Seconds it lasts')),
      { name: 'reason', label: t('Reason for the end'), type: 'text' },
    ],
  },
  tool_call: {
    label: t('Call function'),
    fields: [
      { name: 'name', label: t('Function'), type: 'text', required: true },
      {
        name: 'args',
        label: t('Arguments (JSON)'),
        type: 'json',
        help: t('An object, such as {example}', { example: '{"city":"Oslo"}' }),
        required: true,
      },
      AFTER,
    ],
  },
  hang_up: { label: t('Hang up'), fields: [after(t('Hangs up after (seconds)'))] },
}

/** Text typed into answer fields, by key: `answered.seconds`. */
export type Typed = Readonly<Record<string, string>>
export const fieldKey = (kind: AnswerKind, field: string) => `${kind}.${field}`

/** Text typed for one kind of answer, copied to the fields of another. */
export const typedAs = (kind: AnswerKind, as: AnswerKind, typed: Typed): Typed =>
  Object.fromEntries(
    CONTROLS[kind].fields.map(({ name }) => [
      fieldKey(kind, name),
      typed[fieldKey(as, name)] ?? '',
    ]),
  )

type Made = { answer: Answer } | { problem: string; field: string }

/** The answer of what is typed. Empty fields are left out; limits are the server's to check. */
export function answerOf(kind: AnswerKind, typed: Typed): Made {
  const answer: Record<string, unknown> = { kind }
  for (const field of CONTROLS[kind].fields) {
    const text = (typed[fieldKey(kind, field.name)] ?? '').trim()
    if (text === '') {
      if (field.required)
        return {
          field: field.name,
          problem: t('Enter a value for “{field}”', { field: field.label }),
        }
      continue
    }
    const value = readValue(field, text)
    if (value === undefined)
      return {
        field: field.name,
        problem:
          field.type === 'json'
            ? t('Enter a JSON object')
            : t('Enter a number for “{field}”', { field: field.label }),
      }
    answer[field.name] = value
  }
  // its members are those of the kind, which the request is checked for before it is sent
  return { answer: answer as Answer }
}

/** Undefined if the text is no value of this type. */
function readValue({ name, type }: AnswerField, text: string): unknown {
  if (type === 'json') return objectOf(text)
  if (type === 'choice') return name === 'on_hold' ? text === 'true' : text
  if (type === 'text' || type === 'keys') return text
  const number = Number(text.replace(',', '.'))
  if (!Number.isFinite(number)) return undefined
  if (name === 'after_ms') return Math.round(number * 1_000)
  return type === 'percent' ? number / 100 : number
}

function objectOf(text: string) {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

const TYPED_ALONE: readonly AnswerKind[] = ['speech', 'low_confidence', 'digits', 'tool_call']

/** Kinds that have no input of their own, in the order of the question; to hang up comes last, and stands alone. */
export const buttonsOf = (answers: readonly AnswerKind[]) =>
  answers.filter((kind) => kind !== 'hang_up' && !TYPED_ALONE.includes(kind))

/** Optional fields of a kind of answer, shown below its main input. */
export const moreFieldsOf = (kind: AnswerKind, targets: number) =>
  CONTROLS[kind].fields.filter(
    (field) => !field.required && (field.type !== 'target' || targets > 1),
  )
