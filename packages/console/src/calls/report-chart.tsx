import { numberText, plural, t } from '@switchroom/contract'
import { rich } from '../ui/rich'

const HEIGHT = 100

/** Calls of days, months or hours; failures stacked on top, where they are known. */
export function ReportChart<T extends { calls: number; not_answered?: number }>({
  times,
  nameOf,
}: {
  times: readonly T[]
  nameOf: (time: T) => string
}) {
  const most = Math.max(...times.map((time) => time.calls), 1)
  const high = (n: number) => (n / most) * HEIGHT
  return (
    <div className="times" aria-hidden>
      <svg
        className="report-chart"
        viewBox={`0 0 ${times.length * 10} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden
      >
        {times.map((time, i) => (
          <g key={nameOf(time)}>
            <title>
              {time.not_answered === undefined
                ? plural(time.calls, '{time}: 1 call|{time}: {n} calls', { time: nameOf(time) })
                : t('{date}: {calls} calls, {not_answered} failed', {
                    date: nameOf(time),
                    calls: numberText(time.calls),
                    not_answered: numberText(time.not_answered),
                  })}
            </title>
            <rect
              x={i * 10 + 1}
              y={HEIGHT - high(time.calls)}
              width="8"
              height={high(time.calls)}
            />
            <rect
              className="report-failed"
              x={i * 10 + 1}
              y={HEIGHT - high(time.calls)}
              width="8"
              height={high(time.not_answered ?? 0)}
            />
          </g>
        ))}
      </svg>
      <p className="times-axis">
        <span>{nameOf(times[0]!)}</span>
        <span className="times-legend">
          {times[0]!.not_answered === undefined
            ? t('Highest: {most}', { most: numberText(most) })
            : rich(
                'Highest: {most} {answered_mark} Answered or unknown {not_answered_mark} Failed',
                {
                  most: numberText(most),
                  answered_mark: <i />,
                  not_answered_mark: <i className="times-failed" />,
                },
              )}
        </span>
        <span>{nameOf(times.at(-1)!)}</span>
      </p>
    </div>
  )
}
