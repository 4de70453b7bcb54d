import { type LimitsIn, limits, USAGE_LIMITS } from '@switchroom/contract'
import { send } from './api'
import { messageOf, PartlySaved } from './failure'

type Owner = { account_sid: string } | { service_provider_sid: string }
type Category = keyof LimitsIn

/**
 * For a stock server, which takes limits one by one after the thing they limit is saved. Throws
 * `PartlySaved` at the first that fails.
 */
export async function saveLimitsOneByOne(owner: Owner, values: LimitsIn = {}) {
  const all = Object.entries(values) as [Category, number | null][]
  for (const [i, [category, quantity]] of all.entries()) {
    try {
      await saveOne(owner, category, quantity)
    } catch (e) {
      throw new PartlySaved(
        `Everything is saved but ${all.slice(i).map(nameOf).join(', ')}: ${messageOf(e)}`,
      )
    }
  }
}

const nameOf = ([category]: [Category, unknown]) =>
  USAGE_LIMITS.find((l) => l.category === category)?.label ?? category

function saveOne(owner: Owner, category: Category, quantity: number | null) {
  if ('account_sid' in owner)
    return quantity === null
      ? send(limits.removeFromAccount, { params: owner, query: { category } })
      : send(limits.setForAccount, { params: owner, body: { category, quantity } })
  return quantity === null
    ? send(limits.removeFromServiceProvider, { params: owner, query: { category } })
    : send(limits.setForServiceProvider, { params: owner, body: { category, quantity } })
}
