import { type LimitsIn, USAGE_LIMITS } from '@switchroom/contract'
import { limits } from '../endpoints'
import { keysOf } from '../records'
import type { Send } from './server'
import type { Step } from './steps'

type Owner = { account_sid: string } | { service_provider_sid: string }
type Category = keyof LimitsIn

const nameOf = (category: Category) =>
  USAGE_LIMITS.find((l) => l.category === category)?.label ?? category

/** One request for each limit. */
export const limitSteps = (send: Send, owner: Owner, values: LimitsIn = {}): Step[] =>
  keysOf(values).flatMap((category) => {
    const quantity = values[category]
    if (quantity === undefined) return []
    return [{ what: nameOf(category), run: () => saveOne(send, owner, category, quantity) }]
  })

function saveOne(send: Send, owner: Owner, category: Category, quantity: number | null) {
  if ('account_sid' in owner)
    return quantity === null
      ? send(limits.removeFromAccount, { params: owner, query: { category } })
      : send(limits.setForAccount, { params: owner, body: { category, quantity } })
  return quantity === null
    ? send(limits.removeFromServiceProvider, { params: owner, query: { category } })
    : send(limits.setForServiceProvider, { params: owner, body: { category, quantity } })
}
