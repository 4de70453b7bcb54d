import { randomBytes } from 'node:crypto'
import type { Context } from '../../http/context.ts'
import { signature } from '../alert-destinations/message.ts'
import type { Row } from './queries.ts'

/** A secret as standardwebhooks.com has them. */
export const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/** The secrets that sign now, the newest first; undefined if it cannot be decrypted. */
export function secretsOf(
  { box }: Pick<Context, 'box'>,
  row: Pick<Row, 'sealed_secret' | 'sealed_previous' | 'previous_until'>,
  now: number,
): string[] | undefined {
  const secret = box.open(row.sealed_secret)
  if (secret === undefined) return undefined
  const isOver = row.previous_until === null || Number(row.previous_until) <= now
  const previous =
    row.sealed_previous === null || isOver ? undefined : box.open(row.sealed_previous)
  return previous === undefined ? [secret] : [secret, previous]
}

/** The headers of a delivery. A receiver takes it if it knows one of the secrets. */
export function signedHeaders(secrets: readonly string[], id: string, now: number, body: string) {
  const seconds = Math.floor(now / 1_000)
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map((secret) => signature(secret, id, seconds, body)).join(' '),
  }
}
