import type { ModelPrice, ModelTokens } from '@switchroom/contract'
import { sql } from 'kysely'

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

/** Cost of a session or turn, or of several with the same price; null if nothing that it used has a price. */
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

/** The same of a row of `switchroom_model_use`, as SQL. Multiplies only: MariaDB cuts quotients off. */
function costIn({ input, cached_input, output, minute, characters }: ModelPrice) {
  const parts = [
    ...(input === null ? [] : [sql`(input - cached) * ${input / MILLION}`]),
    ...((cached_input ?? input) === null
      ? []
      : [sql`cached * ${(cached_input ?? input)! / MILLION}`]),
    ...(output === null ? [] : [sql`output * ${output / MILLION}`]),
  ]
  const ofTokens = parts.length > 0 ? [sql`(${sql.join(parts, sql` + `)})`] : []
  const ofRest = [
    ...(minute === null ? [] : [sql`nullif(seconds, 0) * ${minute / MINUTE}`]),
    ...(characters === null ? [] : [sql`nullif(characters, 0) * ${characters / MILLION}`]),
  ]
  const all = [...ofTokens, ...ofRest]
  if (all.length === 0) return sql`null`
  const sum = sql.join(
    all.map((part) => sql`coalesce(${part}, 0)`),
    sql` + `,
  )
  return sql`case when coalesce(${sql.join(all)}, null) is null then null else ${sum} end`
}

/** `costOf` the price that `priceOf` finds, as SQL over `switchroom_model_use`. */
export function costExpression(prices: readonly ModelPrice[]) {
  const named = prices
    .map((price) => ({ price, name: price.model.toLowerCase() }))
    .sort((a, b) => b.name.length - a.name.length)
  const cases = [
    ...named
      .filter(({ name }) => name !== '')
      .map(
        ({ price, name }) =>
          sql`when substr(model_name, 1, ${[...name].length}) = ${name} then ${costIn(price)}`,
      ),
    ...named
      .filter(({ name }) => name !== '')
      .map(({ price, name }) => sql`when vendor = ${name} then ${costIn(price)}`),
    ...named
      .filter(({ name }) => name === '')
      .map(({ price }) => sql`when 1 = 1 then ${costIn(price)}`),
  ]
  return cases.length === 0
    ? sql<number | null>`null`
    : sql<number | null>`case ${sql.join(cases, sql` `)} end`
}
