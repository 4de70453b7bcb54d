import { numberText, t } from '../wire/text.ts'
import type { Expectation } from './run-expectations.ts'

type Timed = Exclude<Expectation, { kind: 'does_not_say' }>

/** What an application must do, as a sentence about it. */
export function expectationText(expected: Expectation): string {
  const what = expected.kind === 'does_not_say' ? plainly(expected) : inTime(expected)
  return when(what, expected)
}

function when(expectation: string, { after_answer: after, before_answer: before }: Expectation) {
  if (after && before)
    return t('{expectation}, after answer {after} and before answer {before}', {
      ...{ expectation, after, before },
    })
  if (after) return t('{expectation}, after answer {after}', { expectation, after })
  return before ? t('{expectation}, before answer {before}', { expectation, before }) : expectation
}

const quoted = (expected: { text: string; is_pattern?: boolean | undefined }) =>
  expected.is_pattern ? `/${expected.text}/` : t('“{text}”', { text: expected.text })

function plainly(expected: Expectation) {
  switch (expected.kind) {
    case 'says':
      return t('Says {text}', { text: quoted(expected) })
    case 'does_not_say':
      return t('Does not say {text}', { text: quoted(expected) })
    case 'returns':
      return t('Returns {text} from a tool', { text: quoted(expected) })
    case 'plays':
      return t('Plays {url}', { url: expected.url })
    case 'asks':
      return expected.input === 'speech'
        ? t('Asks for speech')
        : expected.input === 'digits'
          ? t('Asks for digits')
          : t('Asks for input')
    case 'dials':
      return t('Dials {number}', { number: expected.number })
    case 'transfers':
      return t('Transfers the caller to {to}', { to: expected.to })
    case 'hangs_up':
      return t('Hangs up')
  }
}

function inTime(expected: Timed): string {
  if (expected.within_ms === undefined) return plainly(expected)
  const ms = numberText(expected.within_ms)
  switch (expected.kind) {
    case 'says':
      return t('Says {text} within {ms} ms', { text: quoted(expected), ms })
    case 'returns':
      return t('Returns {text} from a tool within {ms} ms', { text: quoted(expected), ms })
    case 'plays':
      return t('Plays {url} within {ms} ms', { url: expected.url, ms })
    case 'asks':
      return expected.input === 'speech'
        ? t('Asks for speech within {ms} ms', { ms })
        : expected.input === 'digits'
          ? t('Asks for digits within {ms} ms', { ms })
          : t('Asks for input within {ms} ms', { ms })
    case 'dials':
      return t('Dials {number} within {ms} ms', { number: expected.number, ms })
    case 'transfers':
      return t('Transfers the caller to {to} within {ms} ms', { to: expected.to, ms })
    case 'hangs_up':
      return t('Hangs up within {ms} ms', { ms })
  }
}
