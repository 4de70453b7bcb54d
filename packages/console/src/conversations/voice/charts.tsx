import { numberText, t } from '@switchroom/contract'
import type { Ends } from '../../calls/call-span'
import type { FigureFilter } from '../../calls/dashboard/links'
import { shortTime } from '../../calls/recent-calls/voice-text'
import { dayText, timeText as momentText } from '../../ui/dates'
import { EmptyState } from '../../ui/states'
import { Moment } from '../../ui/time'
import { countedShown, isUncertain, timeShown, timeText } from './changes'
import { Chart, HEIGHT } from './chart'
import { interruptionColumns, NOT_MEASURED } from './interruptions'
import { atLeast } from './links'
import { Part } from './part'
import { endsOf, linesOf, placesOf, type Slot } from './spans'
import { PAUSE_NAMES, type PauseMeasure, TIME_NAMES, type TimeMeasure } from './times'
import { type Column, VoiceTable } from './voice-table'

type Props = {
  times: readonly Slot[]
  isHourly: boolean
  measure: TimeMeasure
  hrefIn: (span: Ends, filter: FigureFilter) => string
}

const LINES = [
  { mark: 'p95', name: t('p95') },
  { mark: 'p50', name: t('Median') },
] as const
const PROBLEMS = [
  { mark: 'not_understood', name: t('Not understood') },
  { mark: 'timed_out', name: t('No input') },
  { mark: 'failed', name: t('Recognizer failed') },
  { mark: 'hung_up', name: t('Hung up while waiting') },
] as const

const problemsOf = (slot: Slot) => PROBLEMS.reduce((sum, { mark }) => sum + slot[mark], 0)
const nameIn = (isHourly: boolean) => (slot: Slot) =>
  isHourly ? momentText(slot.time) : dayText(slot.time)

/** Response times and problems over time, and the table of both. */
export function Charts(props: Props) {
  return (
    <>
      <div className="dashboard-columns">
        <Part title={TIME_NAMES[props.measure].name}>
          <TimeChart {...props} />
        </Part>
        <Part title={t('Problems')}>
          <ProblemsChart {...props} />
        </Part>
      </div>
      <div className="dashboard-columns">
        {PAUSES.map((measure) => (
          <Part key={measure} title={PAUSE_NAMES[measure].name}>
            {props.times.some((slot) => slot[measure].known > 0) ? (
              <TimeChart {...props} measure={measure} />
            ) : (
              <EmptyState text={NOT_MEASURED} />
            )}
          </Part>
        ))}
      </div>
      <Times {...props} />
    </>
  )
}

const PAUSES = ['talk_over', 'silence_before'] as const

function TimeChart({
  times,
  isHourly,
  measure,
  hrefIn,
}: Omit<Props, 'measure'> & { measure: TimeMeasure | PauseMeasure }) {
  const places = placesOf(times)
  return (
    <Chart
      times={times}
      highest={Math.max(...times.map((slot) => slot[measure].p95 ?? 0), 0)}
      valueText={shortTime}
      nameOf={nameIn(isHourly)}
      legend={LINES}
      linkOf={(slot) => {
        const { p50, p95 } = slot[measure]
        return {
          text: t('median {median}, p95 {high}', { median: timeText(p50), high: timeText(p95) }),
          href: hrefIn(endsOf(spanOf(slot)), atLeast(measure, p95) ?? { voice: 'turns' }),
        }
      }}
    >
      {(top) =>
        LINES.map(({ mark }) => (
          <path
            key={mark}
            data-mark={mark}
            d={linesOf(places, (slot) => slot[measure][mark])
              .map((line) =>
                line
                  .map(({ place, value }, i) => {
                    const x = (place.left + place.width / 2) * 1_000
                    return `${i === 0 ? 'M' : 'L'}${x.toFixed(1)} ${(HEIGHT - (value / top) * HEIGHT).toFixed(2)}`
                  })
                  // a line of no length is drawn as a dot
                  .concat(line.length === 1 ? ['h0'] : [])
                  .join(''),
              )
              .join('')}
          />
        ))
      }
    </Chart>
  )
}

function ProblemsChart({ times, isHourly, hrefIn }: Props) {
  return (
    <Chart
      times={times}
      highest={Math.max(...times.map(problemsOf), 0)}
      valueText={numberText}
      nameOf={nameIn(isHourly)}
      legend={PROBLEMS}
      linkOf={(slot) => ({
        text: PROBLEMS.map(({ mark, name }) => `${name} ${numberText(slot[mark])}`).join(', '),
        href: hrefIn(endsOf(spanOf(slot)), { voice: mostOf(slot) }),
      })}
    >
      {(top) =>
        placesOf(times).map(({ slot, left, width }) => {
          let below = 0
          return PROBLEMS.map(({ mark }) => {
            const high = (slot[mark] / top) * HEIGHT
            below += high
            return (
              <rect
                key={`${slot.time} ${mark}`}
                data-mark={mark}
                x={(left + width * 0.1) * 1_000}
                width={width * 800}
                y={HEIGHT - below}
                height={high}
              />
            )
          })
        })
      }
    </Chart>
  )
}

/** The commonest problem: a list shows calls of one. */
const mostOf = (slot: Slot) =>
  PROBLEMS.reduce((most, one) => (slot[one.mark] > slot[most.mark] ? one : most)).mark

const spanOf = ({ time, until }: Slot) => ({ from: time, until })

function Times({ times, isHourly, measure, hrefIn }: Props) {
  const columns: Column<Slot>[] = [
    {
      head: t('Calls'),
      cell: ({ calls }) => ({ shown: { text: numberText(calls) }, filter: { voice: 'calls' } }),
    },
    {
      head: t('Turns'),
      cell: ({ turns }) => ({ shown: { text: numberText(turns) }, filter: { voice: 'turns' } }),
    },
    ...(['p50', 'p95'] as const).map(
      (percentile): Column<Slot> => ({
        head: TIME_NAMES[measure][percentile],
        cell: (slot) => ({
          shown: timeShown(slot[measure][percentile], undefined),
          filter: atLeast(measure, slot[measure][percentile]),
          few: isUncertain(slot[measure]) ? slot[measure].known : undefined,
        }),
      }),
    ),
    ...interruptionColumns<Slot>(
      () => ({}),
      () => undefined,
    ),
    ...PROBLEMS.map(
      ({ mark, name }): Column<Slot> => ({
        head: name,
        cell: (slot) => ({
          shown: countedShown({ n: slot[mark], of: slot.turns }, undefined),
          filter: { voice: mark },
        }),
      }),
    ),
  ]
  return (
    <details className="times-table dashboard-part" open={times.length === 0}>
      <summary>{t('Show as a table')}</summary>
      <VoiceTable
        label={t('Conversations by time')}
        head={isHourly ? t('Hour') : t('Day')}
        columns={columns}
        rows={times}
        all
        keyOf={(slot) => slot.time}
        nameOf={(slot) => (isHourly ? <Moment at={slot.time} /> : dayText(slot.time))}
        hrefOf={(filter, slot) => hrefIn(endsOf(spanOf(slot)), filter)}
        filterOf={() => ({ voice: 'calls' })}
        other={undefined}
      />
    </details>
  )
}
