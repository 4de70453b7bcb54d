import {
  LOCALE,
  type ModelCost,
  type ModelTokens,
  type ModelTurn,
  numberText,
  t,
} from '@switchroom/contract'
import { LEFT_OUT } from './kept-words'

/** Small amounts with the digits that tell them apart. */
export const costText = ({ amount, currency }: ModelCost) =>
  new Intl.NumberFormat(LOCALE, {
    ...{ style: 'currency', currency },
    ...(amount > 0 && amount < 0.1 && { maximumSignificantDigits: 2 }),
  }).format(amount)

/** Tokens of both directions. */
export const tokensText = ({ input, cached, output }: ModelTokens) =>
  cached > 0
    ? t('Tokens: {input} in ({cached} cached), {output} out', {
        ...{ input: numberText(input), cached: numberText(cached), output: numberText(output) },
      })
    : t('Tokens: {input} in, {output} out', {
        ...{ input: numberText(input), output: numberText(output) },
      })

/** Sentence of what happened; undefined for words and tools, which somebody said or called. */
export function modelEvent({ what, text }: ModelTurn) {
  if (what === 'interruption')
    return { tone: 'info' as const, text: t('The caller interrupted the model.') }
  if (what === 'usage') return { tone: 'info' as const, text: t('The model reported its use.') }
  if (what === 'error')
    return {
      tone: 'bad' as const,
      text: text
        ? t('The model reported an error: {text}', { text })
        : t('The model reported an error.'),
    }
  if (what === 'other')
    return { tone: 'info' as const, text: t('Event {type} of the model', { type: text ?? '' }) }
  return undefined
}

/** Words of a turn, or the tool that was called. */
export const modelWords = ({ text, tool }: ModelTurn): string =>
  tool ? t('Tool {name}', { name: tool.name }) : (text ?? LEFT_OUT)
