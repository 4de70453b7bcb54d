import { t, type VoiceFigures } from '@switchroom/contract'

/** Response times, or times from the recognition result to the answer, which more turns have. */
export type TimeMeasure = 'response' | 'answer'
export const PERCENTILES = ['p50', 'p95', 'p99'] as const

export const TIME_NAMES = {
  response: {
    name: t('Response time'),
    p50: t('Response time, median'),
    p95: t('Response time p95'),
    p99: t('Response time p99'),
  },
  answer: {
    name: t('Answer time'),
    p50: t('Answer time, median'),
    p95: t('Answer time p95'),
    p99: t('Answer time p99'),
  },
}

/** Times of interruptions. Their names do not fit in a sentence. */
export const PAUSE_NAMES = {
  talk_over: {
    name: t('Both spoke'),
    p50: t('Both spoke, median'),
    p95: t('Both spoke, p95'),
  },
  silence_before: {
    name: t('Silence before the caller'),
    p50: t('Silence before the caller, median'),
    p95: t('Silence before the caller, p95'),
  },
}
export type PauseMeasure = keyof typeof PAUSE_NAMES

/** The main measure: response times, unless fewer than half of the turns have one. */
export const mainTime = ({ response, answer }: VoiceFigures): TimeMeasure =>
  response.known > 0 && response.known * 2 >= answer.known ? 'response' : 'answer'
