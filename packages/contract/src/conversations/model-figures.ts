import { z } from 'zod'
import { ApplicationPeriod } from '../calls/recent-calls.ts'
import { accountParams, serviceProviderParams } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'

const Count = z.number().int()

const counts = {
  /** Calls with events of model sessions. */
  calls: Count,
  /** Sums of tokens, and the number of calls that told them. Null if none did. `input` includes `cached`. */
  tokens: z.object({ calls: Count, input: Count, cached: Count, output: Count }).nullable(),
  /** Sums by currency at the account’s present prices, and the number of calls that have a price. Empty without any. */
  costs: z.array(z.object({ currency: z.string(), calls: Count, amount: z.number() })),
}
export const ModelCounts = z.object(counts)
export type ModelCounts = z.infer<typeof ModelCounts>

/**
 * Figures of the model sessions whose events came, by the beginning of their calls. A call counts half a minute after
 * the last event, once its record is there; later events correct it. What no event told is in no sum.
 */
export const ModelFigures = ModelCounts.extend({
  from: z.string(),
  /** Exclusive. */
  until: z.string(),
  /** Per hour or day, oldest first, without empty ones. `until` is exclusive. Days consist of full UTC hours, within the period. */
  times: z.array(z.object({ time: z.string(), until: z.string(), ...counts })),
  /** The most calls first, and so on for those below; at most 500 of each. */
  applications: z.array(z.object({ application_sid: z.string().nullable(), ...counts })),
  /** By version, of accounts that split figures by one: see the transcript settings. */
  versions: z.array(
    z.object({
      application_sid: z.string().nullable(),
      /** Null if the call has none; `*` stands for all beyond the first 50 of a day. */
      version: z.string().nullable(),
      ...counts,
    }),
  ),
  models: z.array(
    z.object({ vendor: z.string().nullable(), model: z.string().nullable(), ...counts }),
  ),
})
export type ModelFigures = z.infer<typeof ModelFigures>

const figures = {
  method: 'GET',
  own: true,
  costs: 'figures',
  query: ApplicationPeriod,
  response: ModelFigures,
} as const

export const accountModelFigures = endpoints({
  figures: {
    ...figures,
    path: '/Accounts/:account_sid/ModelFigures',
    params: accountParams,
    access: 'account',
    summary: 'Get tokens and cost of the model sessions of an account',
  },
})

export const providerModelFigures = endpoints({
  figures: {
    ...figures,
    path: '/ServiceProviders/:service_provider_sid/ModelFigures',
    params: serviceProviderParams,
    access: 'service_provider',
    summary: 'Get tokens and cost of the model sessions of a service provider’s accounts',
  },
})
