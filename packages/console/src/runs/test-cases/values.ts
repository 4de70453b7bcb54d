import { type Expectation, type Issue, type RunStart, type TestCase, t } from '@switchroom/contract'
import { newKey } from '../../lib/unset'
import { type AnswerRow, answerOf, answerRow, blankAnswer } from './answer-values'

const BLANK_EXPECTATION = {
  text: '',
  url: '',
  input: '',
  number: '',
  to: '',
  is_pattern: false,
  within_ms: null as number | null,
  after_answer: null as number | null,
  before_answer: null as number | null,
  /** How long it took in the run that it was made from; not sent. */
  took_ms: null as number | null,
  /** Text of a call with its variable parts as a pattern; not sent. */
  looser: null as string | null,
}
export type ExpectationRow = { key: string; kind: Expectation['kind'] } & typeof BLANK_EXPECTATION
export type HeaderRow = { key: string; name: string; value: string }

export const blank = {
  answer: (): AnswerRow => blankAnswer(newKey()),
  expectation: (): ExpectationRow => ({ key: newKey(), kind: 'says', ...BLANK_EXPECTATION }),
  header: (): HeaderRow => ({ key: newKey(), name: '', value: '' }),
}

/** Without members that are not given. */
const given = <M extends Record<string, unknown>>(members: M) =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== false),
  ) as { [K in keyof M]?: Exclude<M[K], null | false> }

export function expectationOf(row: ExpectationRow): Expectation {
  const { kind, text, url, input, number, to, is_pattern } = row
  const { within_ms, after_answer, before_answer } = row
  const when = given({ after_answer, before_answer })
  const timed = { ...given({ within_ms }), ...when }
  const words = { text, ...given({ is_pattern }) }
  switch (kind) {
    case 'says':
    case 'returns':
      return { kind, ...words, ...timed }
    case 'does_not_say':
      return { kind, ...words, ...when }
    case 'plays':
      return { kind, url, ...timed }
    case 'asks':
      return { kind, ...((input === 'speech' || input === 'digits') && { input }), ...timed }
    case 'dials':
      return { kind, number, ...timed }
    case 'transfers':
      return { kind, to, ...timed }
    case 'hangs_up':
      return { kind, ...timed }
  }
}

type Content = Pick<TestCase, 'name' | 'start' | 'answers' | 'expectations'>

/** Rows have keys by their place, so that two readings of the same test case are equal. */
export const valuesOf = (
  { name, start, answers, expectations }: Content,
  /** Further details of each expectation. */
  known: readonly Partial<Pick<ExpectationRow, 'took_ms' | 'looser'>>[] = [],
) => ({
  name,
  start: {
    from: start.from,
    to: start.to,
    caller_name: start.caller_name ?? '',
    sip_headers: Object.entries(start.sip_headers ?? {}).map(([name, value], i): HeaderRow => {
      return { key: String(i), name, value }
    }),
  },
  answers: answers.map((answer, i) => answerRow(answer, String(i))),
  expectations: expectations.map((expected, i): ExpectationRow => {
    return { key: String(i), ...BLANK_EXPECTATION, ...expected, ...known[i] }
  }),
})
export type Values = ReturnType<typeof valuesOf>

export const NEW: Content = {
  name: '',
  start: { direction: 'inbound', from: '', to: '' },
  answers: [],
  expectations: [],
}

function startOf({ from, to, caller_name, sip_headers }: Values['start']): RunStart {
  return {
    direction: 'inbound',
    from,
    to,
    ...(caller_name && { caller_name }),
    ...(sip_headers.length > 0 && {
      sip_headers: Object.fromEntries(sip_headers.map(({ name, value }) => [name, value])),
    }),
  }
}

export const toBody = ({ name, start, answers, expectations }: Values): Content => ({
  name,
  start: startOf(start),
  answers: answers.map((row) => {
    const made = answerOf(row)
    // what cannot be read is refused by `issuesOf`
    return 'answer' in made ? made.answer : { kind: 'nothing' }
  }),
  expectations: expectations.map(expectationOf),
})

/** Errors in values that cannot be sent. */
export const issuesOf = ({ start, answers }: Values): Issue[] => [
  ...answers.flatMap((row, i) => {
    const made = answerOf(row)
    return 'problem' in made
      ? [{ path: ['answers', i, 'typed', made.field], message: made.problem }]
      : []
  }),
  ...start.sip_headers.flatMap(({ name }, i, all) =>
    all.findIndex((other) => other.name.toLowerCase() === name.toLowerCase()) < i
      ? [
          {
            path: ['start', 'sip_headers', i, 'name'],
            message: t('This header is already in the list'),
          },
        ]
      : [],
  ),
]

/** The form has the members of an answer below `typed`, and headers as a list. */
export function fieldFor(path: Issue['path'], { start }: Values): Issue['path'] {
  const [list, row, member] = path
  if (list === 'answers' && row !== undefined && typeof member === 'string' && member !== 'kind')
    return member === 'typed' ? path : [list, row, 'typed', member]
  if (path[1] !== 'sip_headers' || path.length < 3) return path
  const at = start.sip_headers.findIndex(({ name }) => name === member)
  const isTooLong = (start.sip_headers[at]?.value.length ?? 0) > 1_000
  return ['start', 'sip_headers', at, isTooLong ? 'value' : 'name']
}
