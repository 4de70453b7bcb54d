import { appendFileSync } from 'node:fs'

/**
 * The number of generated cases: `short` in `npm test`, `long` in `npm run trust`, whose summary lists it
 * under this description.
 */
export function caseCount(what: string, short: number, long: number) {
  if (process.env.SWITCHROOM_TRUST !== '1') return short
  if (process.env.TRUST_SUMMARY) appendFileSync(process.env.TRUST_SUMMARY, `${long}\t${what}\n`)
  return long
}
