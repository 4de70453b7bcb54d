import type { ProgramEvent, TestEvent } from '@switchroom/contract'
import { SwitchroomError } from './errors.ts'

/** Thrown for a delivery that was not signed with the secret, or is too old. */
export class NotVerified extends SwitchroomError {
  override name = 'NotVerified'
}

/** Event that a webhook receives. */
export type WebhookEvent = ProgramEvent | TestEvent

export type ReceivedWebhook = {
  /** The body as received: not parsed and serialized again. */
  body: string
  headers: Headers | Record<string, string | string[] | undefined>
  /** The secret `whsec_…`, as shown when the webhook was added or its secret rotated. */
  secret: string
  /** Tolerance in seconds for a delivery's age, and for how far ahead its time may be. Defaults to 300. */
  tolerance_seconds?: number
  /** Current time in milliseconds since 1970. */
  now?: number
}

/**
 * The event of a delivery, once its signature and time are verified. Throws `NotVerified`. Needs Node 20 or later, or
 * another runtime with Web Crypto.
 */
export async function verifyWebhook({
  body,
  headers,
  secret,
  tolerance_seconds = 300,
  now = Date.now(),
}: ReceivedWebhook): Promise<WebhookEvent> {
  const header = (name: string) =>
    String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? '')
  const id = header('webhook-id')
  const timestamp = header('webhook-timestamp')
  const age = Math.abs(now / 1_000 - Number(timestamp || Number.NaN))
  if (!(age <= tolerance_seconds)) throw new NotVerified('The delivery is too old')
  const { subtle } = globalThis.crypto
  const bytes = (base64: string) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))
  const key = await subtle.importKey(
    'raw',
    bytes(secret.replace(/^whsec_/, '')),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  // while a secret is rotated there is one of each
  for (const signature of header('webhook-signature').split(' ')) {
    const base64 = /^v1,([A-Za-z0-9+/]{43}=)$/.exec(signature)?.[1]
    if (base64 && (await subtle.verify('HMAC', key, bytes(base64), signed)))
      return JSON.parse(body) as WebhookEvent
  }
  throw new NotVerified('The delivery is not signed with this secret')
}
