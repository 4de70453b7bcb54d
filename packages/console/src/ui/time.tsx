import { Tooltip } from './tooltip'

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' })
const steps = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
  ['year', Number.POSITIVE_INFINITY],
] as const

/** Databases answer times without a zone, and mean UTC. */
export function readTime(value: string | number | Date): Date {
  if (typeof value !== 'string' || /(?:z|[+-]\d\d:?\d\d)$/i.test(value)) return new Date(value)
  return new Date(`${value.replace(' ', 'T')}Z`)
}

function ago(then: Date): string {
  let n = (then.getTime() - Date.now()) / 1000
  for (const [unit, size] of steps) {
    if (Math.abs(n) < size)
      return unit === 'second' ? 'just now' : relative.format(Math.round(n), unit)
    n /= size
  }
  return ''
}

/** How long ago; when exactly, with the zone, on hover and focus. */
export function Time({ at, none = 'Never' }: { at: string | number | Date | null; none?: string }) {
  const then = at === null ? undefined : readTime(at)
  if (!then || Number.isNaN(then.getTime())) return <span className="time-none">{none}</span>
  return (
    <Tooltip text={absolute.format(then)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time must be reachable by keyboard */}
      <time dateTime={then.toISOString()} tabIndex={0}>
        {ago(then)}
      </time>
    </Tooltip>
  )
}
