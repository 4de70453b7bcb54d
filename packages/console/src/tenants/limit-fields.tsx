import { type LimitsIn, t, USAGE_LIMITS } from '@switchroom/contract'
import { config } from '../lib/config'
import type { FormLike } from '../lib/form-like'
import { recordOf } from '../lib/records'

const CATEGORIES = USAGE_LIMITS.map(({ category }) => category)
/** Form values: null is no limit, 0 is unlimited. */
export type LimitValues = Record<(typeof CATEGORIES)[number], number | null>

/** Only the number of calls, unless the configuration shows all limits. */
const visibleLimits = () =>
  config.ENABLE_ACCOUNT_LIMITS_ALL ? USAGE_LIMITS : USAGE_LIMITS.slice(0, 1)

export const limitValues = (stored: { category: string; quantity: number }[]): LimitValues =>
  recordOf(CATEGORIES, (category) => stored.find((l) => l.category === category)?.quantity ?? null)

/** The limits on the form; others stay unchanged. */
export const limitsToSend = (values: LimitValues): LimitsIn =>
  Object.fromEntries(visibleLimits().map(({ category }) => [category, values[category]]))

/** One input per category, under the form's `limits`. */
export function LimitFields({ form }: { form: FormLike<{ limits: LimitValues }> }) {
  return (
    <div className="columns">
      {visibleLimits().map(({ category, label }) => (
        <form.NumberField
          key={category}
          name={`limits.${category}`}
          label={label}
          optional
          min={0}
          placeholder={t('Enter quantity (0=unlimited)')}
        />
      ))}
    </div>
  )
}
