import { createHmac } from 'node:crypto'

/** The header in which the platform signs its requests to webhooks. */
export const SIGNATURE_HEADER = 'Jambonz-Signature'

/** Value of the header: time and body, signed with an account's webhook secret. */
export function signatureOf(webhook_secret: string, seconds: number, body: string) {
  const mac = createHmac('sha256', webhook_secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${mac}`
}
