import { every } from '../../live/every.ts'
import { failureLog } from '../kit/failure-log.ts'
import { type ClickHouse, reasonOf } from './client.ts'
import { UNMERGED } from './conditions.ts'
import { type Summed, sumHour, unsummedHours } from './hours.ts'

const EVERY_MS = 30_000
const HOUR_S = 3_600
const MOST_ROUNDS = 20

/**
 * A kind of sums: `insert` is the statement for `sumHour`, `lacking` a query of hours to sum again between `first` and
 * `end`, in seconds since 1970.
 */
export type Summing = { of: Summed; name: string; insert: string; lacking?: string }

/** Sums the hours whose calls have come. Every process does; one that finds nothing left is done. */
export function keepSums(db: ClickHouse, { of, name, insert, lacking }: Summing, days: number) {
  const trouble = failureLog(name)
  /** Hours with all their calls: of others the sums are all there is. */
  async function lackingHours() {
    if (!lacking) return []
    const hour = Math.floor(Date.now() / 1_000 / HOUR_S)
    const span = { first: (hour + 1 - days * 24) * HOUR_S, end: hour * HOUR_S }
    return (await db.rows<{ at: number }>(`${lacking} ${UNMERGED}`, span)).map(({ at }) => at)
  }
  async function run() {
    const hour = Math.floor(Date.now() / 1_000 / HOUR_S)
    const span = { first: (hour - (days + 1) * 24) * HOUR_S, end: (hour + 25) * HOUR_S }
    // another process may sum the same hours, and calls may come faster than they are summed
    for (let rounds = 0; rounds < MOST_ROUNDS; rounds++) {
      const hours = [...(await unsummedHours(db, of, span)), ...(await lackingHours())]
      if (hours.length === 0) break
      for (const at of hours) await sumHour(db, of, insert, at)
    }
    trouble.worked()
  }
  const rounds = every(EVERY_MS, run, { onError: (e) => trouble.failed(reasonOf(e)) })
  return { now: run, stop: rounds.stop }
}
