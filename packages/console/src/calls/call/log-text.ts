/** A time as UTC: 2026-11-21 09:05:01Z */
const utc = (time: number) => `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')}Z`
const isTime = (time: unknown): time is number =>
  typeof time === 'number' && Math.abs(time) <= 8.64e15

/** Formats one log line. A line that is not JSON is returned unchanged. */
export function logText(line: string): string {
  let entry: unknown
  try {
    entry = JSON.parse(line)
  } catch {
    return line
  }
  if (typeof entry !== 'object' || entry === null) return line
  const time = 'time' in entry ? entry.time : undefined
  return JSON.stringify(isTime(time) ? { ...entry, time: utc(time) } : entry, null, 2)
}
