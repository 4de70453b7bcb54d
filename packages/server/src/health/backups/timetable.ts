import { dirname } from 'node:path'
import type { Config } from '../../config/config.ts'
import type { Run } from './records.ts'

type Schedule = Config['backups']['schedule']

const HOUR_MS = 3_600_000
/** After a failure, the next try is this much later. */
const RETRY_MS = HOUR_MS

/** Clocks of machines that share a folder differ a little. */
const SLACK_MS = 60_000

/**
 * Time of the next backup. The first one in a folder is due at once, so that wrong settings show; so is the one after a
 * run that a wrong clock has recorded ahead of time, which would delay all others until then.
 */
export function dueAt(schedule: Schedule, runs: Run[], folder: string, now: number): number {
  const [latest] = runs
  const isFirst = !runs.some(({ file }) => file !== null && dirname(file) === folder)
  return isFirst || !latest || latest.began_at > now + SLACK_MS ? 0 : nextAt(schedule, latest)
}

/** The same from the latest one on, wherever that is. */
export function nextAt(schedule: Schedule, latest: Run): number {
  const planned =
    'hours' in schedule
      ? latest.began_at + schedule.hours * HOUR_MS
      : following(schedule.at, latest.began_at)
  return latest.state === 'failed' ? Math.min(planned, latest.began_at + RETRY_MS) : planned
}

/** The first `HH:MM` of a local day after a time. */
function following(at: string, ms: number) {
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  const day = new Date(ms)
  day.setHours(hours, minutes, 0, 0)
  // by day rather than by 24 hours, which are not a day when the clocks change
  if (day.getTime() <= ms) {
    day.setDate(day.getDate() + 1)
    day.setHours(hours, minutes, 0, 0)
  }
  return day.getTime()
}

/** The longest time between two backups, if all goes well. */
export const intervalMs = (schedule: Schedule) =>
  ('hours' in schedule ? schedule.hours : 24) * HOUR_MS
