import { BESIDE_SCORES } from './score-results.ts'

/** Filters of calls that can be set beside those of their model sessions. */
export const BESIDE_MODELS = [...BESIDE_SCORES, 'voice_of'] as const
