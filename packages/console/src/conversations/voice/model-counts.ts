import { listText, type ModelCounts, numberText, t } from '@switchroom/contract'
import { costText } from '../../calls/call/conversation/model-text'
import type { FigureFilter } from '../../calls/dashboard/links'
import { countShown, percentText, type Shown } from './changes'
import type { Column } from './voice-table'

/** Unknown is never zero. */
const UNKNOWN: Shown = { text: t('Unknown') }

export type TokenName = 'input' | 'output'

export const tokensShown = (
  { tokens }: ModelCounts,
  other: ModelCounts | undefined,
  name: TokenName,
): Shown => (tokens ? countShown(tokens[name], other?.tokens?.[name]) : UNKNOWN)

/** Tokens in and out of a call, in the mean of those that told them; undefined if none did. */
export const meanTokens = ({ tokens }: ModelCounts) =>
  tokens ? Math.round((tokens.input + tokens.output) / tokens.calls) : undefined

export function meanTokensShown(counts: ModelCounts, other: ModelCounts | undefined): Shown {
  const mean = meanTokens(counts)
  return mean === undefined ? UNKNOWN : countShown(mean, other && meanTokens(other))
}

export const cachedText = ({ tokens }: ModelCounts) =>
  tokens && tokens.cached > 0
    ? t('{percent} from the model’s cache', {
        percent: percentText({ n: tokens.cached, of: tokens.input }),
      })
    : undefined

type Cost = ModelCounts['costs'][number]
export const meanCost = ({ amount, calls }: Cost) => amount / calls

/** An amount with that of the same currency that it is compared with. */
export function amountShown(
  cost: Cost,
  other: ModelCounts | undefined,
  amountIn: (cost: Cost) => number,
): Shown {
  const { currency } = cost
  const same = other?.costs.find((one) => one.currency === currency)
  const text = costText({ amount: amountIn(cost), currency })
  if (!same) return { text }
  const then = costText({ amount: amountIn(same), currency })
  return { text, other: then, change: amountChange(amountIn(cost), amountIn(same)) }
}

function amountChange(now: number, other: number): Shown['change'] {
  const percent = other === 0 ? undefined : Math.round((Math.abs(now - other) / other) * 100)
  if (percent === 0 || now === other) return { way: 'same', text: t('The same') }
  if (percent === undefined) return undefined
  const text = numberText(percent)
  return now > other
    ? { way: 'up', text: t('{percent} % higher', { percent: text }) }
    : { way: 'down', text: t('{percent} % lower', { percent: text }) }
}

/** Amounts of a row: of one currency, unless accounts have several. */
function amountsShown(
  { costs }: ModelCounts,
  other: ModelCounts | undefined,
  amountIn: (cost: Cost) => number,
): Shown {
  const [first, ...more] = costs
  if (!first) return UNKNOWN
  if (more.length === 0) return amountShown(first, other, amountIn)
  const texts = costs.map((cost) => costText({ amount: amountIn(cost), currency: cost.currency }))
  return { text: listText(texts, 'conjunction') }
}

/**
 * Columns about model sessions. `filterOf`: the calls of a row; undefined if no list shows them. `baselineOf`: the row
 * that a row is compared with. `hasPrices`: true if calls can be listed by cost, which they are within one account.
 */
export const modelColumns = <R extends ModelCounts>(
  filterOf: (row: R) => FigureFilter | undefined,
  baselineOf: (row: R) => ModelCounts | undefined,
  hasPrices: boolean,
): Column<R>[] => {
  const known = (row: R, tokens_at_least: number | undefined): FigureFilter | undefined => {
    const filter = filterOf(row)
    return filter && tokens_at_least !== undefined ? { ...filter, tokens_at_least } : undefined
  }
  const priced = (row: R): FigureFilter | undefined => {
    const filter = filterOf(row)
    return filter && hasPrices && row.costs.length > 0 ? { ...filter, cost_at_least: 0 } : undefined
  }
  const tokens = (head: string, name: TokenName): Column<R> => ({
    head,
    cell: (row) => ({
      shown: tokensShown(row, baselineOf(row), name),
      filter: known(row, row.tokens ? 0 : undefined),
    }),
  })
  return [
    {
      head: t('Calls'),
      cell: (row) => ({ shown: countShown(row.calls, baselineOf(row)?.calls), filter: undefined }),
    },
    tokens(t('Tokens in'), 'input'),
    tokens(t('Tokens out'), 'output'),
    {
      head: t('Tokens per call'),
      cell: (row) => ({
        shown: meanTokensShown(row, baselineOf(row)),
        filter: known(row, meanTokens(row)),
      }),
    },
    {
      head: t('Cost'),
      cell: (row) => ({
        shown: amountsShown(row, baselineOf(row), ({ amount }) => amount),
        filter: priced(row),
      }),
    },
    {
      head: t('Cost per call'),
      cell: (row) => ({
        shown: amountsShown(row, baselineOf(row), meanCost),
        filter: priced(row),
      }),
    },
  ]
}
