import { numberText, plural, type ScoreCounts, type ScoreFigures, t } from '@switchroom/contract'
import { useApplicationNames } from '../../calls/application-names'
import { Figure } from '../../calls/dashboard/figures'
import { callsHref, type FigureFilter } from '../../calls/dashboard/links'
import {
  countedShown,
  countShown,
  percentText,
  shareShown,
} from '../../conversations/voice/changes'
import { Chart, HEIGHT } from '../../conversations/voice/chart'
import { otherText } from '../../conversations/voice/other-text'
import { Part } from '../../conversations/voice/part'
import { endsOf, placesOf } from '../../conversations/voice/spans'
import { type Column, VoiceTable } from '../../conversations/voice/voice-table'
import '../../lib/table.css'
import { dayText, timeText } from '../../ui/dates'
import { Items, type Props } from './score-items'

const RESULTS = [
  { score: 'passed', name: t('Passed'), worse: 'down' },
  { score: 'failed', name: t('Failed'), worse: 'up' },
  { score: 'unsure', name: t('Not certain'), worse: 'up' },
] as const

type Slot = ScoreFigures['times'][number]
type Application = ScoreFigures['applications'][number]
const shareOf = (counts: ScoreCounts, score: 'passed' | 'failed' | 'unsure') => ({
  n: counts[score],
  of: counts.scored,
})

/** Figures of scored calls; those of calls link to them. */
export function Figures({ data, other, filter, provider, hourly }: Props) {
  const then = other?.figures
  const hrefOf = (more: FigureFilter, span: { from: string; until: string } = data) =>
    callsHref(endsOf(span), { ...filter, ...more })
  const scored = countShown(data.scored, then?.scored)
  return (
    <>
      <dl className="figures">
        <Figure
          name={t('Scored calls')}
          href={hrefOf({ score: 'scored' })}
          was={otherText(scored, other)}
          change={scored.change}
        >
          {scored.text}
        </Figure>
        {RESULTS.map(({ score, name, worse }) => {
          const shown = shareShown(shareOf(data, score), then && shareOf(then, score), worse)
          return (
            <Figure
              key={score}
              name={name}
              href={hrefOf({ score })}
              was={otherText(shown, other)}
              change={shown.change}
              hint={plural(data.scored, '{count} of 1 call|{count} of {n} calls', {
                count: numberText(data[score]),
              })}
            >
              {shown.text}
            </Figure>
          )
        })}
        <Figure name={t('Tokens')} href={undefined}>
          {numberText(data.tokens)}
        </Figure>
      </dl>
      <Part title={t('Results over time')}>
        <Trend times={data.times} hourly={hourly} hrefOf={hrefOf} />
      </Part>
      <Items data={data} other={other} />
      <Applications data={data} other={other} hrefOf={hrefOf} provider={provider} />
    </>
  )
}

type HrefOf = (more: FigureFilter, span?: { from: string; until: string }) => string

function Trend({
  times,
  hourly,
  hrefOf,
}: {
  times: readonly Slot[]
  hourly: boolean
  hrefOf: HrefOf
}) {
  const nameOf = ({ time }: Slot) => (hourly ? timeText(time) : dayText(time))
  const spanOf = ({ time, until }: Slot) => ({ from: time, until })
  const columns: Column<Slot>[] = [
    {
      head: t('Scored calls'),
      cell: (slot) => ({ shown: countShown(slot.scored, undefined), filter: { score: 'scored' } }),
    },
    ...RESULTS.map(
      ({ score, name }): Column<Slot> => ({
        head: name,
        cell: (slot) => ({
          shown: countedShown(shareOf(slot, score), undefined),
          filter: { score },
        }),
      }),
    ),
  ]
  return (
    <>
      <Chart
        times={times}
        highest={Math.max(...times.map(({ scored }) => scored), 0)}
        valueText={numberText}
        nameOf={nameOf}
        legend={RESULTS.map(({ score, name }) => ({ mark: score, name }))}
        linkOf={(slot) => ({
          text: RESULTS.map(({ score, name }) => `${name} ${numberText(slot[score])}`).join(', '),
          href: hrefOf({ score: 'scored' }, spanOf(slot)),
        })}
      >
        {(top) =>
          placesOf(times).map(({ slot, left, width }) => {
            let below = 0
            return RESULTS.map(({ score }) => {
              const high = (slot[score] / top) * HEIGHT
              below += high
              return (
                <rect
                  key={`${slot.time} ${score}`}
                  data-mark={score}
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
      <details className="times-table dashboard-part">
        <summary>{t('Show as a table')}</summary>
        <VoiceTable
          label={t('Scores by time')}
          head={hourly ? t('Hour') : t('Day')}
          columns={columns}
          rows={times}
          all
          keyOf={({ time }) => time}
          nameOf={nameOf}
          hrefOf={(filter, slot) => hrefOf(filter, spanOf(slot))}
          filterOf={() => ({ score: 'scored' })}
          other={undefined}
        />
      </details>
    </>
  )
}

function Applications({
  data,
  other,
  hrefOf,
  provider,
}: Pick<Props, 'data' | 'other' | 'provider'> & { hrefOf: HrefOf }) {
  const names = useApplicationNames(provider, data.applications.length > 0)
  // another application is compared with each
  const thenOf = ({ application_sid }: Application): ScoreCounts | undefined =>
    other?.application === undefined
      ? other?.figures.applications.find((one) => one.application_sid === application_sid)
      : other.figures
  const columns: Column<Application>[] = [
    {
      head: t('Scored calls'),
      cell: (row) => ({
        shown: countShown(row.scored, thenOf(row)?.scored),
        filter: { application_sid: row.application_sid, score: 'scored' },
      }),
    },
    ...RESULTS.map(
      ({ score, name, worse }): Column<Application> => ({
        head: name,
        cell: (row) => {
          const then = thenOf(row)
          return {
            shown: {
              ...shareShown(shareOf(row, score), then && shareOf(then, score), worse),
              text: percentText(shareOf(row, score)),
            },
            filter: { application_sid: row.application_sid, score },
          }
        },
      }),
    ),
  ]
  return (
    <Part title={t('By application')}>
      <VoiceTable
        label={t('Scores by application')}
        head={t('Application')}
        columns={columns}
        rows={data.applications}
        keyOf={({ application_sid }) => application_sid}
        nameOf={({ application_sid: sid }) => names.get(sid) ?? sid}
        filterOf={({ application_sid }) => ({ application_sid, score: 'scored' })}
        hrefOf={(more) => hrefOf(more)}
        other={other}
      />
    </Part>
  )
}
