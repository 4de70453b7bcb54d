import { type Expectation, numberText, t } from '@switchroom/contract'

/** What an application must do, as a sentence about it. */
export function expectationText(expected: Expectation): string {
  const { within_ms } = expected
  return within_ms === undefined ? plainly(expected) : inTime(expected, numberText(within_ms))
}

function plainly(expected: Expectation) {
  switch (expected.kind) {
    case 'says':
      return t('Says “{text}”', { text: expected.text })
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

function inTime(expected: Expectation, ms: string) {
  switch (expected.kind) {
    case 'says':
      return t('Says “{text}” within {ms} ms', { text: expected.text, ms })
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
