import { t } from '@switchroom/contract'
import { ArrowDownLeft, ArrowUpRight } from 'lucide-react'
import { clockText, dayText, timeText } from '../../ui/dates'
import { Moment } from '../../ui/time'

export const unknown = <span className="none">{t('Unknown')}</span>
export const Direction = ({ direction }: { direction: string | null }) => (
  <span className="direction" title={direction ?? undefined}>
    {direction === 'inbound' && <ArrowDownLeft aria-hidden />}
    {direction === 'outbound' && <ArrowUpRight aria-hidden />}
    <span className="direction-word">{direction ?? unknown}</span>
  </span>
)

/** A list of today leaves out the day, but for a call of yesterday that it still shows after midnight. */
export const StartTime = ({ at, isOfToday }: { at: string; isOfToday: boolean }) =>
  isOfToday && dayText(at) === dayText(Date.now()) ? (
    <time className="moment moment-clock numbers" dateTime={at} title={timeText(at)}>
      {clockText(at)}
    </time>
  ) : (
    <Moment at={at} />
  )

export const noneText = (said: string | undefined) =>
  said === undefined
    ? t('No calls match these filters.')
    : t(
        'No calls with “{said}” match these filters. Calls can be found by their words ten seconds after they end. Calls from before Switchroom searched words are not found.',
        { said },
      )
