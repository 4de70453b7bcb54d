import type { ModelPrice, ModelTokens } from '@switchroom/contract'

const MILLION = 1_000_000
const MINUTE = 60
/** More than a price for all others, less than one for a name. */
const OF_VENDOR = 0.5

/** The price for a model: of its own name, of the longest beginning of it, of its vendor, or of all others. */
export function priceOf(
  prices: readonly ModelPrice[],
  { vendor, model }: { vendor: string | null; model: string | null },
): ModelPrice | undefined {
  const name = model?.toLowerCase() ?? ''
  const matching = prices.filter((price) => {
    const of = price.model.toLowerCase()
    return of === vendor || name.startsWith(of)
  })
  const rank = ({ model: of }: ModelPrice) =>
    name.startsWith(of.toLowerCase()) ? of.length : OF_VENDOR
  return matching.sort((a, b) => rank(b) - rank(a))[0]
}

export type Used = { tokens: ModelTokens | null; seconds: number; characters: number }

/** Cost of a session or turn; null if nothing that it used has a price. */
export function costOf(price: ModelPrice | undefined, { tokens, seconds, characters }: Used) {
  if (!price) return null
  const { input, cached_input, output, minute, characters: letters } = price
  const parts = [
    tokens && input !== null && ((tokens.input - tokens.cached) * input) / MILLION,
    tokens &&
      (cached_input ?? input) !== null &&
      (tokens.cached * (cached_input ?? input)!) / MILLION,
    tokens && output !== null && (tokens.output * output) / MILLION,
    seconds > 0 && minute !== null && (seconds * minute) / MINUTE,
    characters > 0 && letters !== null && (characters * letters) / MILLION,
  ].filter((part) => typeof part === 'number')
  return parts.length > 0 ? parts.reduce((sum, part) => sum + part, 0) : null
}
