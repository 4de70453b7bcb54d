import { appendFileSync } from 'node:fs'

/**
 * How often something generated is tried: `short` in `npm test`, `long` in `npm run trust`, whose summary says so
 * in these words.
 */
export function caseCount(what: string, short: number, long: number) {
  if (process.env.SWITCHROOM_TRUST !== '1') return short
  if (process.env.TRUST_SUMMARY) appendFileSync(process.env.TRUST_SUMMARY, `${long}\t${what}\n`)
  return long
}
