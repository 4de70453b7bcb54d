/** A time as UTC: 2026-11-21 09:05:01Z */
const utc = (time: number) => `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')}Z`
const isTime = (time: unknown): time is number =>
  typeof time === 'number' && Math.abs(time) <= 8.64e15

/** A line of a log for reading. One that is no JSON is shown as it is. */
export function logText(line: string): string {
  let said: unknown
  try {
    said = JSON.parse(line)
  } catch {
    return line
  }
  if (typeof said !== 'object' || said === null) return line
  const time = 'time' in said ? said.time : undefined
  return JSON.stringify(isTime(time) ? { ...said, time: utc(time) } : said, null, 2)
}
