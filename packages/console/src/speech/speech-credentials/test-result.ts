import { fromServer, type SpeechCredential, type TestResult, t } from '@switchroom/contract'

type Uses = Pick<SpeechCredential, 'use_for_tts' | 'use_for_stt'>
export type TestSummary = { status: 'ok' | 'fail' | 'not tested'; text: string }

export const STATUS_WORDS = {
  ok: t('Status ok'),
  fail: t('Status fail'),
  'not tested': t('Not tested'),
  checking: t('Checking status...'),
  error: t('Status error'),
} as const

const UNUSED = t('Not in use')
const SUCCESSFUL = t('Connection test successful')
const NO_USES = t('In order to test your credentials you need to enable TTS/STT.')

/** The uses of a credential as text. */
export const usageText = ({ use_for_tts, use_for_stt }: Uses) =>
  use_for_tts ? (use_for_stt ? 'TTS/STT' : 'TTS') : use_for_stt ? 'STT' : UNUSED

/** The results of both uses as one status and one sentence. `ran`: whether it has been tested. */
export function summarize({ tts, stt }: TestResult, uses: Uses, ran = true): TestSummary {
  if (tts.status === 'fail' || stt.status === 'fail')
    return { status: 'fail', text: reasons({ tts, stt }) }
  if (tts.status === 'not tested' && stt.status === 'not tested') {
    const reason = tts.reason ?? stt.reason
    const unsaid = ran || !(uses.use_for_tts || uses.use_for_stt) ? NO_USES : ''
    return { status: 'not tested', text: reason === undefined ? unsaid : fromServer(reason) }
  }
  return { status: 'ok', text: SUCCESSFUL }
}

function reasons({ tts, stt }: TestResult): string {
  const bad = tts.status === 'fail' && stt.status === 'fail'
  const why = (half: TestResult['tts']) =>
    (half.reason && fromServer(half.reason.replace(/\.$/, ''))) || t('Test failed')
  if (bad && why(tts) === why(stt)) return `${why(tts)}.`
  return [
    tts.status === 'fail' && `TTS: ${why(tts)}.`,
    stt.status === 'fail' && `STT: ${why(stt)}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

export type LastTest = { result: TestResult; at: string | null; real: boolean }

/**
 * The last test as stored. Our server keeps the reasons as well; other servers only have the
 * platform's columns.
 */
export function lastTest(row: SpeechCredential): LastTest {
  if (row.test_result) {
    const { tts, stt, at, real } = row.test_result
    return { result: { tts, stt }, at, real }
  }
  const half = (used: unknown, ok: unknown): TestResult['tts'] => ({
    status:
      !row.last_tested || !used || ok === null || ok === undefined
        ? 'not tested'
        : ok
          ? 'ok'
          : 'fail',
  })
  return {
    result: {
      tts: half(row.use_for_tts, row.tts_tested_ok),
      stt: half(row.use_for_stt, row.stt_tested_ok),
    },
    at: row.last_tested,
    real: false,
  }
}
