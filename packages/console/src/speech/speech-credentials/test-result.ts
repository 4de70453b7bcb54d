import type { SpeechCredential, TestResult } from '@switchroom/contract'

type Uses = Pick<SpeechCredential, 'use_for_tts' | 'use_for_stt'>
export type TestSummary = { status: 'ok' | 'fail' | 'not tested'; text: string }

export const STATUS_WORDS = {
  ok: 'Status ok',
  fail: 'Status fail',
  'not tested': 'Not tested',
  checking: 'Checking status...',
  error: 'Status error',
} as const

const UNUSED = 'Not in use'
const SUCCESSFUL = 'Connection test successful'
const NO_USES = 'In order to test your credentials you need to enable TTS/STT.'

/** The uses of a credential as text. */
export const usageText = ({ use_for_tts, use_for_stt }: Uses) =>
  use_for_tts ? (use_for_stt ? 'TTS/STT' : 'TTS') : use_for_stt ? 'STT' : UNUSED

/** The results of both uses as one status and one sentence. `ran`: whether it has been tested. */
export function summarize({ tts, stt }: TestResult, uses: Uses, ran = true): TestSummary {
  if (tts.status === 'fail' || stt.status === 'fail')
    return { status: 'fail', text: reasons({ tts, stt }) }
  if (tts.status === 'not tested' && stt.status === 'not tested')
    return {
      status: 'not tested',
      text: tts.reason ?? stt.reason ?? (ran || usageText(uses) === UNUSED ? NO_USES : ''),
    }
  return { status: 'ok', text: SUCCESSFUL }
}

function reasons({ tts, stt }: TestResult): string {
  const bad = tts.status === 'fail' && stt.status === 'fail'
  const why = (half: TestResult['tts']) => half.reason?.replace(/\.$/, '') || 'Test failed'
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
