import { type LimitsIn, limits } from '@switchroom/contract'
import { send } from './api'
import { messageOf, PartlySaved } from './failure'

type Owner = { account_sid: string } | { service_provider_sid: string }
type Category = keyof LimitsIn

/**
 * For a stock server, which takes limits one by one after the thing they limit is saved. Throws
 * `PartlySaved` at the first that fails.
 */
export async function saveLimitsOneByOne(owner: Owner, values: LimitsIn = {}) {
  for (const [category, quantity] of Object.entries(values) as [Category, number | null][]) {
    try {
      await saveOne(owner, category, quantity)
    } catch (e) {
      throw new PartlySaved(
        `Everything is saved but the limit ${category} and those after it: ${messageOf(e)}`,
      )
    }
  }
}

function saveOne(owner: Owner, category: Category, quantity: number | null) {
  if ('account_sid' in owner)
    return quantity === null
      ? send(limits.removeFromAccount, { params: owner, query: { category } })
      : send(limits.setForAccount, { params: owner, body: { category, quantity } })
  return quantity === null
    ? send(limits.removeFromServiceProvider, { params: owner, query: { category } })
    : send(limits.setForServiceProvider, { params: owner, body: { category, quantity } })
}
