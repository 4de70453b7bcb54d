import { EVENT_KINDS, EVENTS, keysOf, TestEvent } from '@switchroom/contract'
import type { z } from 'zod'
import { type Document, type Parameter, schemaOf, type Webhook } from './openapi-document.ts'

/** The headers of a delivery, as standardwebhooks.com has them. */
const SIGNED: Parameter[] = Object.entries({
  'webhook-id': 'The event’s `id`: the same in every attempt',
  'webhook-timestamp': 'Seconds since 1970 of this attempt',
  'webhook-signature':
    '`v1,` and the HMAC-SHA-256 of id, timestamp and body, joined by dots, in base64; one for each valid secret, separated by spaces',
}).map(([name, description]) => ({
  ...{ name, in: 'header', required: true },
  schema: { type: 'string', description },
}))

const webhook = (summary: string, description: string, schema: z.ZodType): { post: Webhook } => ({
  post: {
    ...{ summary, description, parameters: SIGNED },
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemaOf(schema, 'output') } },
    },
    responses: { '2XX': { description: 'Taken; anything else is tried again for a day' } },
  },
})

export const webhooks = (): Document['webhooks'] => ({
  ...Object.fromEntries(
    keysOf(EVENT_KINDS).map((type) => {
      const { name, when } = EVENT_KINDS[type]
      return [type, webhook(name, when, EVENTS[type])]
    }),
  ),
  'event.test': webhook('Test', 'Somebody tries the webhook.', TestEvent),
})
