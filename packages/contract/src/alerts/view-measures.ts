/**
 * How the alert of a view measures: by its rows; by their share, the percentage of the calls that they are a part of
 * (`denominatorOf`); or by their percentage of the usual number, the mean of the same minutes of the last weeks.
 */
export const VIEW_MEASURES = ['rows', 'share', 'usual'] as const
export type ViewMeasure = (typeof VIEW_MEASURES)[number]

/** Weeks that the usual number looks back. `FEWEST_WEEKS` of them need records. */
export const USUAL_WEEKS = 4
export const FEWEST_WEEKS = 2

/** Percentages of fewer calls say too little: these neither raise an alert nor end it. */
export const FEWEST_CALLS = { share: 20, usual: 10 } as const

/** True if there are enough calls to judge a percentage of them. `denominator` is null with too few weeks of records. */
export const isJudged = (measure: ViewMeasure, denominator: number | null) =>
  measure === 'rows' || (denominator !== null && denominator >= FEWEST_CALLS[measure])

/**
 * Percentage with one decimal, as shown and compared. Rounded, but never to 0 if any were counted, nor to 100 unless
 * all were. `denominator` is not 0.
 */
export function percentOfCalls(counted: number, denominator: number): number {
  const tenths = Math.round((counted / denominator) * 1_000)
  if (counted > 0 && tenths === 0) return 0.1
  if (counted < denominator && tenths === 1_000) return 99.9
  return tenths / 10
}
