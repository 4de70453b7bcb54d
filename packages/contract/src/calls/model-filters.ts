import { z } from 'zod'
import { t } from '../wire/text.ts'

const TOKENS = t('Enter a whole number of tokens')
const COST = t('Enter an amount from 0 to 1,000,000')

/** Selects calls by what their model sessions used. Beside them, calls are filtered by application, version, account and time alone. */
export const modelFilters = {
  /** Only calls that used at least so many tokens, in and out. 0: all whose tokens are known. */
  tokens_at_least: z.coerce
    .number<number>(TOKENS)
    .int(TOKENS)
    .min(0, TOKENS)
    .max(1_000_000_000, TOKENS)
    .optional(),
  /** Only calls that cost at least so much at the account’s present prices. 0: all that have a price. Needs an account. */
  cost_at_least: z.coerce.number<number>(COST).min(0, COST).max(1_000_000, COST).optional(),
}
