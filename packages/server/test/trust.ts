import { TestRunner } from 'vitest'

/** A part of the table that `npm run trust` prints, as one test reports it. */
export type Trust = {
  part: string
  tried: number
  /** Counts by outcome: `refused`, `found again`, `delivered`. */
  found?: Record<string, number>
  /** Only of stories, which choose the database themselves. */
  database?: string
}
declare module 'vitest' {
  interface TaskMeta {
    trust?: Trust[]
  }
}

/**
 * 1 in `npm run trust`, undefined in `npm test`. A fraction in `SWITCHROOM_TRUST` gives the long form fewer cases.
 */
const share = Number(process.env.SWITCHROOM_TRUST) || undefined

/** The number of generated cases: `short` in `npm test`, `long` in `npm run trust`. */
export const caseCount = (short: number, long: number) =>
  share === undefined ? short : Math.max(short, Math.round(long * share))

/** `short` of these in `npm test`, another choice for each index; all of them in `npm run trust`. */
export const sample = <T>(all: readonly T[], short: number, index: number): T[] =>
  Array.from({ length: caseCount(Math.min(short, all.length), all.length) }, (_, i) => {
    return all[(index + i) % all.length]!
  })

/** Adds this test's figures to its part of the table. */
export function report(trust: Trust) {
  const meta = TestRunner.getCurrentTest()?.meta
  if (!meta) throw new Error('Only a test that runs can report')
  meta.trust = [...(meta.trust ?? []), trust]
}

/** The number of generated cases, as a part of the table. Repeated calls in a test add to the part. */
export function reportedCases(part: string, short: number, long: number, database?: string) {
  const tried = caseCount(short, long)
  report({ part, tried, ...(database && { database }) })
  return tried
}
