import { z } from 'zod'
import { accountParams, NoContent, versioned } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'
import { t } from '../wire/text.ts'

/** Bytes of an event of a model session. */
export const MODEL_EVENT_BYTES = 65_536
/** Events that are kept of one call. */
export const MODEL_EVENTS_MAX = 5_000
/** How long after the end of its call an event is still taken. */
export const MODEL_EVENT_LATE_MINUTES = 5

/** Why events were refused. */
export const REFUSED_EVENTS = {
  secret: t('Without the secret, and not signed with the account’s webhook secret'),
  unknown_call: t('Of a call that is not the account’s'),
  late: t('More than {n} minutes after the end of the call', { n: MODEL_EVENT_LATE_MINUTES }),
  garbage: t('Not an event in JSON'),
  too_large: t('Larger than 64 kB'),
  too_many: t('Too many at once, or for one call'),
} as const
export type RefusedEvent = keyof typeof REFUSED_EVENTS
const REASONS = Object.keys(REFUSED_EVENTS) as [RefusedEvent, ...RefusedEvent[]]

export const MODEL_PRICES_MAX = 50
const AMOUNT = t('Enter an amount from 0 to 1,000,000')
const Amount = z.number(AMOUNT).min(0, AMOUNT).max(1_000_000, AMOUNT).nullable().default(null)
const NAME = t('Enter up to 100 characters')

/** Prices that an account pays for a model; null for what is free. */
export const ModelPrice = z.object({
  /** The model or its vendor, or how its name begins. Empty for all that no other price is for. */
  model: z.string(NAME).trim().max(100, NAME),
  /** Per million tokens that the model reads. */
  input: Amount,
  /** Per million of those that it had in its cache; null for the price of the others. */
  cached_input: Amount,
  /** Per million tokens that the model writes. */
  output: Amount,
  /** Per minute of the session. */
  minute: Amount,
  /** Per million characters that the model says. */
  characters: Amount,
})
export type ModelPrice = z.infer<typeof ModelPrice>

const CURRENCY = t('Enter the three letters of a currency, such as USD')

const ModelSessionsBody = z
  .object({
    currency: z
      .string(CURRENCY)
      .trim()
      .toUpperCase()
      .regex(/^[A-Z]{3}$/, CURRENCY),
    prices: z
      .array(ModelPrice)
      .max(MODEL_PRICES_MAX, t('Enter up to {n} prices', { n: MODEL_PRICES_MAX })),
  })
  .superRefine(({ prices }, ctx) => {
    const seen = new Set<string>()
    for (const [i, { model }] of prices.entries()) {
      const name = model.toLowerCase()
      if (seen.has(name))
        ctx.addIssue({
          code: 'custom',
          path: ['prices', i, 'model'],
          message: t('There is a price for this model already'),
        })
      seen.add(name)
    }
  })

export const ModelSessions = z.object({
  /** Takes the events of an account's model sessions. A slash and the call's sid follow. */
  address: z.string(),
  /** When the secret was made: ISO 8601. Null without one: then no events are taken. */
  open_since: z.string().nullable(),
  currency: z.string(),
  prices: z.array(ModelPrice),
})
export type ModelSessions = z.infer<typeof ModelSessions>

/** Events refused in the last 7 days, most frequent reason first. */
export const RefusedEvents = z.object({
  refused: z.array(
    z.object({ reason: z.enum(REASONS), count: z.number().int(), last_at: z.string() }),
  ),
})
export type RefusedEvents = z.infer<typeof RefusedEvents>

const one = {
  path: '/Accounts/:account_sid/ModelSessions',
  params: accountParams,
  access: 'account',
  own: true,
} as const

export const modelSessions = endpoints({
  view: {
    ...one,
    method: 'GET',
    versioned: true,
    summary: 'Get the address for events of model sessions, and the prices of models',
    response: ModelSessions.extend(versioned),
  },
  update: {
    ...one,
    method: 'PUT',
    versioned: true,
    summary: 'Set the prices of models',
    body: ModelSessionsBody,
    status: 204,
    response: NoContent,
  },
  refused: {
    ...one,
    path: `${one.path}/Refused`,
    method: 'GET',
    summary: 'Get how many events of model sessions were refused, and why',
    response: RefusedEvents,
  },
  rotateSecret: {
    ...one,
    path: `${one.path}/Secret`,
    method: 'POST',
    grantsAccess: true,
    summary:
      'Make the secret for events of model sessions, in place of an earlier one, and return it once',
    response: z.object({ secret: z.string() }),
  },
  removeSecret: {
    ...one,
    path: `${one.path}/Secret`,
    method: 'DELETE',
    status: 204,
    summary: 'Take no more events of model sessions',
    response: NoContent,
  },
})
