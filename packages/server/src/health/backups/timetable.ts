import { dirname } from 'node:path'
import type { Config } from '../../config/config.ts'
import type { Run } from './records.ts'

type Schedule = Config['backups']['schedule']

const HOUR_MS = 3_600_000
/** After a failure, the next try is this much later. */
const RETRY_MS = HOUR_MS

/** When the next backup is due. The first one in a folder is at once, so that what is wrong with the settings shows. */
export const dueAt = (schedule: Schedule, runs: Run[], folder: string): number =>
  runs.some(({ file }) => file !== null && dirname(file) === folder) ? nextAt(schedule, runs[0]) : 0

/** The same from the latest one on, wherever that is. */
export function nextAt(schedule: Schedule, latest: Run | undefined): number {
  if (!latest) return 0
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
