import { t } from '@switchroom/contract'
import type { ReactNode } from 'react'
import { PlainLink } from '../../lib/plain-link'
import { placesOf, scaleOf, type Timed } from './spans'

/** The height that charts are drawn in. */
export const HEIGHT = 100

/** The frame of a chart over time: its scale, a link for each time, and a legend. A table below says the same. */
export function Chart<S extends Timed>({
  times,
  highest,
  valueText,
  nameOf,
  linkOf,
  legend,
  children,
}: {
  times: readonly S[]
  /** The highest value. */
  highest: number
  valueText: (value: number) => string
  nameOf: (slot: S) => string
  /** Tooltip and link of a time slot. */
  linkOf: (slot: S) => { text: string; href: string }
  legend: readonly { mark: string; name: string }[]
  /** Draws the chart, 1,000 units wide, on a scale that ends at `top`. */
  children: (top: number) => ReactNode
}) {
  const scale = scaleOf(highest)
  const top = scale.at(-1)!
  return (
    // a mouse reaches the columns; the table has the same links for keyboards and screen readers
    <div className="voice-chart" aria-hidden>
      <div className="voice-plot">
        {scale.map((value) => (
          <span key={value} className="voice-grid" style={{ bottom: `${(value / top) * 100}%` }}>
            {value > 0 && valueText(value)}
          </span>
        ))}
        <div className="voice-columns">
          <svg viewBox={`0 0 1000 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
            {children(top)}
          </svg>
          {placesOf(times).map(({ slot, left, width }) => {
            const { text, href } = linkOf(slot)
            return (
              <PlainLink
                key={slot.time}
                href={href}
                tabIndex={-1}
                title={t('{time}: {text}', { time: nameOf(slot), text })}
                style={{ left: `${left * 100}%`, width: `${width * 100}%` }}
              />
            )
          })}
        </div>
      </div>
      <p className="times-axis voice-axis">
        <span>{times[0] && nameOf(times[0])}</span>
        <span>{times.length > 1 && nameOf(times.at(-1)!)}</span>
      </p>
      <p className="voice-legend">
        {legend.map(({ mark, name }) => (
          <span key={mark}>
            <i data-mark={mark} /> {name}
          </span>
        ))}
      </p>
    </div>
  )
}
