import { type LimitsIn, limits, USAGE_LIMITS } from '@switchroom/contract'
import type { Ask } from './server'
import type { Step } from './steps'

type Owner = { account_sid: string } | { service_provider_sid: string }
type Category = keyof LimitsIn

const nameOf = (category: Category) =>
  USAGE_LIMITS.find((l) => l.category === category)?.label ?? category

/** One call for each. */
export const limitSteps = (ask: Ask, owner: Owner, values: LimitsIn = {}): Step[] =>
  (Object.entries(values) as [Category, number | null][]).map(([category, quantity]) => ({
    what: nameOf(category),
    run: () => saveOne(ask, owner, category, quantity),
  }))

function saveOne(ask: Ask, owner: Owner, category: Category, quantity: number | null) {
  if ('account_sid' in owner)
    return quantity === null
      ? ask(limits.removeFromAccount, { params: owner, query: { category } })
      : ask(limits.setForAccount, { params: owner, body: { category, quantity } })
  return quantity === null
    ? ask(limits.removeFromServiceProvider, { params: owner, query: { category } })
    : ask(limits.setForServiceProvider, { params: owner, body: { category, quantity } })
}
