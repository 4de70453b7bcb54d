import { type CallFigures, plural, t } from '@switchroom/contract'
import { PlainLink } from '../../lib/plain-link'
import { dayText, timeText } from '../../ui/dates'
import { rich } from '../../ui/rich'
import { Moment } from '../../ui/time'
import { type Ends, partOf } from '../call-span'
import { ratioText } from '../call-text'
import { Bars, count } from './figures'
import type { FigureFilter } from './links'

type Time = CallFigures['times'][number]
const HEIGHT = 100

/** Calls over time, failures stacked on top. The table below it says the same. */
export function TimesChart({
  times,
  hourly,
  ends,
  hrefOf,
}: {
  times: readonly Time[]
  hourly: boolean
  ends: Ends
  hrefOf: (filter: FigureFilter, span?: Ends) => string
}) {
  const most = Math.max(...times.map((span) => span.calls), 1)
  const first = Date.parse(times[0]?.time ?? '')
  const length = Date.parse(times.at(-1)?.until ?? '') - first
  const spanOf = (span: Time) =>
    partOf(ends, Date.parse(span.time), Date.parse(span.until) - Date.parse(span.time))
  const nameOf = (span: Time) => (hourly ? timeText(span.time) : dayText(span.time))
  // of an hour or day that is not over, or that began before, fewer calls are counted: that is no fall
  const isCut = (span: Time) =>
    Date.parse(span.time) < ends.start || Date.parse(span.until) > ends.end + 1
  return (
    <>
      {times.length > 0 && (
        // a mouse reaches the columns; the table has the same links for keyboards and screen readers
        <div className="times" aria-hidden>
          <div className="times-columns">
            {times.map((span) => {
              const at = Date.parse(span.time)
              const high = (n: number) => (n / most) * HEIGHT
              const text = plural(
                span.calls,
                '{time}: 1 call, {missed} not answered|{time}: {n} calls, {missed} not answered',
                { time: nameOf(span), missed: count(span.not_answered) },
              )
              return (
                <PlainLink
                  key={span.time}
                  href={hrefOf({}, spanOf(span))}
                  tabIndex={-1}
                  title={isCut(span) ? t('{text} (only a part is counted)', { text }) : text}
                  className={isCut(span) ? 'times-cut' : undefined}
                  style={{
                    left: `${((at - first) / length) * 100}%`,
                    width: `${((Date.parse(span.until) - at) / length) * 100}%`,
                  }}
                >
                  <svg viewBox={`0 0 10 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
                    <rect y={HEIGHT - high(span.calls)} width="10" height={high(span.calls)} />
                    <rect
                      className="bars-failed"
                      y={HEIGHT - high(span.calls)}
                      width="10"
                      height={high(span.not_answered)}
                    />
                  </svg>
                </PlainLink>
              )
            })}
          </div>
          <p className="times-axis">
            <span>{nameOf(times[0]!)}</span>
            <span className="times-legend">
              {rich(
                'Highest: {count} {answered_mark} Answered or unknown {not_answered_mark} Not answered',
                {
                  count: count(most),
                  answered_mark: <i />,
                  not_answered_mark: <i className="times-failed" />,
                },
              )}
              {times.some(isCut) && (
                <>
                  <i className="times-cut" /> {t('Only a part is counted')}
                </>
              )}
            </span>
            <span>{times.length > 1 && nameOf(times.at(-1)!)}</span>
          </p>
        </div>
      )}
      <details className="times-table" open={times.length === 0}>
        <summary>{t('Show as a table')}</summary>
        <Bars
          label={t('Calls by time')}
          head={hourly ? t('Hour') : t('Day')}
          more={[t('Answered ratio')]}
          all
          rows={times.map((span) => ({
            key: span.time,
            name: (
              <>
                {hourly ? <Moment at={span.time} /> : dayText(span.time)}
                {isCut(span) && <span className="none"> {t('(in part)')}</span>}
              </>
            ),
            calls: span.calls,
            not_answered: span.not_answered,
            href: hrefOf({}, spanOf(span)),
            more: [{ text: ratioText(span), href: hrefOf({ answered: 'known' }, spanOf(span)) }],
          }))}
        />
      </details>
    </>
  )
}
