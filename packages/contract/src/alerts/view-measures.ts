/**
 * How the alert of a view measures: by its rows; by their share, the percentage of the calls that they are a part of
 * (`wholeOf`); or by their percentage of the usual number, the mean of the same minutes of the last weeks.
 */
export const VIEW_MEASURES = ['rows', 'share', 'usual'] as const
export type ViewMeasure = (typeof VIEW_MEASURES)[number]

/** How many weeks back the usual number looks, and how many of them need records. */
export const USUAL_WEEKS = 4
export const FEWEST_WEEKS = 2

/** Percentages of fewer calls say too little: these neither raise an alert nor end it. */
export const FEWEST_CALLS = { share: 20, usual: 10 } as const

/** `whole`: what is 100 %, null if there are too few weeks with records. Without it, nothing can be told. */
export const isJudged = (measure: ViewMeasure, whole: number | null) =>
  measure === 'rows' || (whole !== null && whole >= FEWEST_CALLS[measure])

/**
 * A percentage with one decimal, as it is shown and compared. Rounded, but neither to nothing what is something, nor
 * to 100 what is not all. `whole` is not 0.
 */
export function percentOfCalls(counted: number, whole: number): number {
  const tenths = Math.round((counted / whole) * 1_000)
  if (counted > 0 && tenths === 0) return 0.1
  if (counted < whole && tenths === 1_000) return 99.9
  return tenths / 10
}
