import { z } from 'zod'
import { NoContent, ofAccount, ofServiceProvider } from '../wire/common.ts'
import { endpoints, removes } from '../wire/endpoint.ts'

export const LIMIT_CATEGORIES = [
  'api_rate',
  'voice_call_session',
  'device',
  'voice_call_minutes',
  'voice_call_session_license',
  'voice_call_minutes_license',
] as const

const Category = z.enum(LIMIT_CATEGORIES)
// otherwise empty text would become 0, which means unlimited
const Quantity = z.preprocess(
  (sent: number | string) => (typeof sent === 'string' && sent.trim() !== '' ? Number(sent) : sent),
  z.number().int().min(0).max(2_147_483_647),
)

const Limit = z.object({ category: z.string(), quantity: z.number() })
export const AccountLimit = Limit.extend({
  account_limits_sid: z.string(),
  account_sid: z.string(),
})
export const ServiceProviderLimit = Limit.extend({
  service_provider_limits_sid: z.string(),
  service_provider_sid: z.string(),
})

/**
 * All limits of an owner: omitted categories stay, null removes one, 0 means unlimited. The rows of a
 * read are accepted as well.
 */
export type LimitsIn = Partial<Record<z.infer<typeof Category>, number | null>>
export const LimitsIn = z.preprocess(
  (limits: LimitsIn) =>
    Array.isArray(limits)
      ? Object.fromEntries(limits.map((row) => [row?.category, row?.quantity]))
      : limits,
  z.partialRecord(Category, Quantity.nullable()),
)

const query = z.object({ category: Category.optional() })
const body = z.object({ category: Category, quantity: Quantity })
const created = z.object({ sid: z.string() })
const ofOneAccount = ofAccount('/Limits')
const ofProvider = ofServiceProvider('/Limits')

export const limits = endpoints({
  ofAccount: {
    ...ofOneAccount,
    method: 'GET',
    summary: 'List limits of an account',
    query,
    response: z.array(AccountLimit),
  },
  setForAccount: {
    ...ofOneAccount,
    method: 'POST',
    idempotent: true,
    summary: 'Set a limit of an account; the account itself may only send the current value',
    body,
    status: 201,
    response: created,
  },
  removeFromAccount: {
    ...ofOneAccount,
    ...removes,
    summary: 'Remove one or all limits of an account; the account itself only where none is set',
    query,
  },
  ofServiceProvider: {
    ...ofProvider,
    method: 'GET',
    summary: 'List limits of a service provider',
    query,
    response: z.array(ServiceProviderLimit),
  },
  setForServiceProvider: {
    ...ofProvider,
    method: 'POST',
    idempotent: true,
    summary: 'Set a limit of a service provider',
    body,
    status: 201,
    response: created,
  },
  setForServiceProviderByPut: {
    ...ofProvider,
    method: 'PUT',
    summary: 'Set a limit of a service provider (as the specification has it too)',
    body,
    status: 204,
    response: NoContent,
  },
  removeFromServiceProvider: {
    ...ofProvider,
    ...removes,
    summary: 'Remove one or all limits of a service provider',
    query,
  },
})
