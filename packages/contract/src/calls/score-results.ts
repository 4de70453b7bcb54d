/** The best score; the worst is 1. */
export const TOP_SCORE = 5

/** Results of a scored call. */
export const SCORE_RESULTS = ['passed', 'failed', 'unsure'] as const
export type ScoreResult = (typeof SCORE_RESULTS)[number]

/** The scored calls that a list is filtered by. */
export const SCORE_FILTERS = ['scored', ...SCORE_RESULTS] as const
export type ScoreFilter = (typeof SCORE_FILTERS)[number]

/** Filters of calls that can be set beside that of their scores. */
export const BESIDE_SCORES = ['account_sid', 'application_sid', 'days', 'start', 'end'] as const
