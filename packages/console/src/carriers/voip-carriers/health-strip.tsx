import { type CarrierHealthView, t } from '@switchroom/contract'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useRef, useState } from 'react'
import { linkTo } from '../../lib/link-to'
import { zoneText } from '../../ui/dates'
import { type StripHour, stripDays } from './strip-days'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const STEPS: Record<string, [dx: number, dy: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
const two = (n: number) => String(n).padStart(2, '0')

/** Calls by hour: a grid of one tab stop, in which the arrow keys move. An hour leads to its calls. */
export function HealthStrip({
  strip,
  trunk,
}: {
  strip: CarrierHealthView['strip']
  trunk: string
}) {
  const days = stripDays(strip)
  const grid = useRef<HTMLTableElement>(null)
  const [current, setCurrent] = useState<[x: number, y: number]>([0, 0])
  const [shown, setShown] = useState<StripHour>()
  const move = (event: KeyboardEvent) => {
    const [dx, dy] = STEPS[event.key] ?? (event.key === 'Home' ? [-24, 0] : [24, 0])
    if (!STEPS[event.key] && event.key !== 'Home' && event.key !== 'End') return
    event.preventDefault()
    const y = Math.max(0, Math.min(days.length - 1, current[1] + dy))
    const last = days[y]!.hours.length - 1
    const x = Math.max(0, Math.min(last, current[0] + dx))
    setCurrent([x, y])
    grid.current?.querySelector<HTMLElement>(`[data-at="${x} ${y}"]`)?.focus()
  }
  return (
    <div className="strip-box">
      <table
        className="strip"
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table with a single tab stop is a grid
        role="grid"
        aria-label={t('Calls by hour, {zone}', { zone: zoneText() })}
        ref={grid}
        onKeyDown={move}
      >
        <thead>
          <tr>
            <th scope="col">{zoneText()}</th>
            {HOURS.map((hour) => (
              <th key={hour} scope="col">
                {hour % 3 === 0 && two(hour)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map(({ label, hours }, y) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {hours.map((hour, x) => {
                const props = {
                  'data-at': `${x} ${y}`,
                  'aria-label': hour.text,
                  tabIndex: current[0] === x && current[1] === y ? 0 : -1,
                  onFocus: () => {
                    setCurrent([x, y])
                    setShown(hour)
                  },
                  onPointerEnter: () => setShown(hour),
                }
                return (
                  <td key={hour.start} data-level={hour.level}>
                    {hour.calls > 0 ? (
                      <Link {...props} {...linkTo(callsOf(hour, trunk))} preload={false} />
                    ) : (
                      <span {...props} role="img" />
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="strip-shown">{shown?.text ?? t('Select an hour to see its calls.')}</p>
      <p className="strip-legend" aria-hidden>
        {t('Answered')}
        {LEVELS.map(([level, text]) => (
          <span key={level}>
            <i data-level={level} />
            {text}
          </span>
        ))}
      </p>
    </div>
  )
}

const LEVELS = [
  [1, t('80 % or more')],
  [2, t('{percent} %', { percent: 60 })],
  [3, t('{percent} %', { percent: 40 })],
  [4, t('{percent} %', { percent: 20 })],
  [5, t('less')],
  [0, t('no calls')],
] as const

function callsOf({ start, end }: StripHour, trunk: string) {
  const search = { trunk, start: new Date(start).toISOString(), end: new Date(end).toISOString() }
  return `/internal/recent-calls?${new URLSearchParams(search)}`
}
