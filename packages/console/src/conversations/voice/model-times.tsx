import { type ModelFigures, numberText, t } from '@switchroom/contract'
import type { FigureFilter } from '../../calls/dashboard/links'
import { dayText, timeText } from '../../ui/dates'
import { Chart, HEIGHT } from './chart'
import { modelColumns } from './model-counts'
import { Part } from './part'
import { placesOf } from './spans'
import { VoiceTable } from './voice-table'

type Slot = ModelFigures['times'][number]

/** Stacked from below. */
const BARS = [
  { mark: 'input', name: t('Tokens in') },
  { mark: 'output', name: t('Tokens out') },
] as const

const tokensIn = ({ tokens }: Slot) => (tokens ? tokens.input + tokens.output : 0)
const spanOf = ({ time, until }: Slot) => ({ from: time, until })
/** Fits beside the chart. */
const shortNumber = (n: number) => numberText(n, { notation: 'compact' })

/** Tokens over time, and the same with cost as a table. */
export function ModelTimes({
  times,
  isHourly,
  hrefIn,
  hasPrices,
}: {
  times: readonly Slot[]
  isHourly: boolean
  hrefIn: (span: { from: string; until: string }, more: FigureFilter) => string
  hasPrices: boolean
}) {
  const nameOf = ({ time }: Slot) => (isHourly ? timeText(time) : dayText(time))
  const ofAll = () => ({ tokens_at_least: 0 })
  return (
    <>
      <Part title={t('Tokens over time')}>
        <Chart
          times={times}
          highest={Math.max(...times.map(tokensIn), 0)}
          valueText={shortNumber}
          nameOf={nameOf}
          legend={BARS}
          linkOf={(slot) => ({
            text: slot.tokens
              ? BARS.map(({ mark, name }) => `${name} ${numberText(slot.tokens![mark])}`).join(', ')
              : t('Unknown'),
            href: hrefIn(spanOf(slot), ofAll()),
          })}
        >
          {(top) =>
            placesOf(times).map(({ slot, left, width }) => {
              let below = 0
              return BARS.map(({ mark }) => {
                const high = ((slot.tokens?.[mark] ?? 0) / top) * HEIGHT
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
      </Part>
      <details className="times-table dashboard-part">
        <summary>{t('Show as a table')}</summary>
        <VoiceTable
          label={t('Tokens and cost by time')}
          head={isHourly ? t('Hour') : t('Day')}
          columns={modelColumns<Slot>(
            () => ({}),
            () => undefined,
            hasPrices,
          )}
          rows={times}
          all
          keyOf={({ time }) => time}
          nameOf={nameOf}
          filterOf={ofAll}
          hrefOf={(filter, slot) => hrefIn(spanOf(slot), filter)}
          other={undefined}
        />
      </details>
    </>
  )
}
