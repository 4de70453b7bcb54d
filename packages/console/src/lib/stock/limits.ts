import { type LimitsIn, limits, USAGE_LIMITS } from '@switchroom/contract'
import { keysOf } from '../records'
import type { Ask } from './server'
import type { Step } from './steps'

type Owner = { account_sid: string } | { service_provider_sid: string }
type Category = keyof LimitsIn

const nameOf = (category: Category) =>
  USAGE_LIMITS.find((l) => l.category === category)?.label ?? category

/** One call for each. */
export const limitSteps = (ask: Ask, owner: Owner, values: LimitsIn = {}): Step[] =>
  keysOf(values).flatMap((category) => {
    const quantity = values[category]
    if (quantity === undefined) return []
    return [{ what: nameOf(category), run: () => saveOne(ask, owner, category, quantity) }]
  })

function saveOne(ask: Ask, owner: Owner, category: Category, quantity: number | null) {
  if ('account_sid' in owner)
    return quantity === null
      ? ask(limits.removeFromAccount, { params: owner, query: { category } })
      : ask(limits.setForAccount, { params: owner, body: { category, quantity } })
  return quantity === null
    ? ask(limits.removeFromServiceProvider, { params: owner, query: { category } })
    : ask(limits.setForServiceProvider, { params: owner, body: { category, quantity } })
}
