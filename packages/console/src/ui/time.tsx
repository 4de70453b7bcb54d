import { t } from '@switchroom/contract'
import { agoText, clockText, dayText, readTime, timeText, zonedText, zoneText } from './dates'
import { Tooltip } from './tooltip'

const ZonedTime = ({ at }: { at: Date }) => zonedText(at)

/** A relative time, with the exact one and its zone on hover and focus. */
export function Time({
  at,
  none = t('Never'),
}: {
  at: string | number | Date | null
  none?: string
}) {
  const then = at === null ? undefined : readTime(at)
  if (!then || Number.isNaN(then.getTime())) return <span className="time-none">{none}</span>
  return (
    <Tooltip text={<ZonedTime at={then} />}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time must be reachable by keyboard */}
      <time dateTime={then.toISOString()} tabIndex={0}>
        {agoText(then)}
      </time>
    </Tooltip>
  )
}

/** A time to the second. */
export const ExactTime = ({ at }: { at: string }) => <time dateTime={at}>{timeText(at)}</time>

/** A time to the second in a table. It wraps between day and time where there is little room. */
export const Moment = ({ at }: { at: string }) => (
  <time className="moment numbers" dateTime={at}>
    <span>{dayText(at)}, </span>
    <span>{clockText(at)}</span>
  </time>
)

/** Header of a column of times, which names the zone for the whole page. */
export const timeHeader = () => t('Time ({zone})', { zone: zoneText() })
