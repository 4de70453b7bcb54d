/** A UTC day in nanoseconds and milliseconds. */
export const DAY_NS = 86_400_000_000_000
export const DAY_MS = 86_400_000
export const HOUR_NS = 3_600_000_000_000
export const QUARTER_NS = HOUR_NS / 4

const pad = (n: number, width: number) => String(n).padStart(width, '0')

/** RFC 3339 with only the needed fractional digits, as in InfluxDB. */
export function timeOf(day: number, at: number): string {
  const ms = Math.floor(at / 1_000_000)
  const iso = new Date(day * DAY_MS + ms).toISOString().slice(0, 19)
  const rest = `${pad(ms % 1_000, 3)}${pad(at % 1_000_000, 6)}`.replace(/0+$/, '')
  return rest ? `${iso}.${rest}Z` : `${iso}Z`
}

const DAY = BigInt(DAY_NS)
/** A day and the nanoseconds within it. */
export const splitTime = (ns: bigint): [number, number] => {
  const within = ((ns % DAY) + DAY) % DAY
  return [Number((ns - within) / DAY), Number(within)]
}
