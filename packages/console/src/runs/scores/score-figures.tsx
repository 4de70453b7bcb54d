import {
  decimalText,
  fromServer,
  numberText,
  plural,
  type ScoreFigures,
  TOP_SCORE,
  t,
} from '@switchroom/contract'
import { Figure } from '../../calls/dashboard/figures'
import { callsHref, type FigureFilter } from '../../calls/dashboard/links'
import { countedShown, countShown, shareShown } from '../../conversations/voice/changes'
import { Chart, HEIGHT } from '../../conversations/voice/chart'
import { otherText } from '../../conversations/voice/other-text'
import { Part } from '../../conversations/voice/part'
import { endsOf, placesOf } from '../../conversations/voice/spans'
import { type Column, VoiceTable } from '../../conversations/voice/voice-table'
import { dayText, timeText } from '../../ui/dates'
import { Applications, type OtherScores, RESULTS, shareOf, Versions } from './score-tables'
import '../../lib/table.css'

type Props = {
  data: ScoreFigures
  other: OtherScores | undefined
  filter: { account_sid: string | undefined; application_sid: string | undefined }
  provider: string
  hourly: boolean
}
type Slot = ScoreFigures['times'][number]
type Item = ScoreFigures['items'][number]

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
      {data.versions.length > 0 && (
        <Versions data={data} other={other} hrefOf={hrefOf} provider={provider} />
      )}
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

function Items({ data, other }: Pick<Props, 'data' | 'other'>) {
  const thenOf = ({ kind, name }: Item) =>
    other?.figures.items.find((one) => one.kind === kind && one.name === name)
  return (
    <Part title={t('By rule and criterion')}>
      <div className="table-box voice-table">
        <table className="table" aria-label={t('Scores by rule and criterion')}>
          <thead>
            <tr>
              <th scope="col">{t('Rule or criterion')}</th>
              <th scope="col" data-align="end">
                {t('Judged')}
              </th>
              <th scope="col" data-align="end">
                {t('Passed')}
              </th>
              <th scope="col" data-align="end">
                {t('Not certain')}
              </th>
              <th scope="col" data-align="end">
                {t('Mean score')}
              </th>
            </tr>
          </thead>
          <tbody>
            {data.items.map((item) => {
              const then = thenOf(item)
              const passed = shareShown(
                { n: item.passed, of: item.judged },
                then && { n: then.passed, of: then.judged },
                'down',
              )
              return (
                <tr key={`${item.kind} ${item.name}`}>
                  <td data-label={t('Rule or criterion')} dir="auto">
                    {item.kind === 'rule' ? fromServer(item.name) : item.name}
                  </td>
                  <td data-label={t('Judged')} data-align="end">
                    {numberText(item.judged)}
                  </td>
                  <td data-label={t('Passed')} data-align="end">
                    <span className="voice-cell">
                      {passed.text}
                      {passed.change && (
                        <span className="voice-note">{otherText(passed, other)}</span>
                      )}
                    </span>
                  </td>
                  <td data-label={t('Not certain')} data-align="end">
                    {numberText(item.unsure)}
                  </td>
                  <td data-label={t('Mean score')} data-align="end">
                    <Mean item={item} then={thenOf(item)} other={other} />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </Part>
  )
}

const meanText = (mean: number) =>
  t('{score} of {top}', { score: decimalText(mean), top: TOP_SCORE })

function Mean({
  item: { mean },
  then,
  other,
}: {
  item: Item
  then: Item | undefined
  other: OtherScores | undefined
}) {
  if (mean === null) return '–'
  const text = meanText(mean)
  const was = then?.mean == null ? undefined : meanText(then.mean)
  return (
    <span className="voice-cell">
      {text}
      {was !== undefined && was !== text && (
        <span className="voice-note">{otherText({ text, other: was }, other)}</span>
      )}
    </span>
  )
}
