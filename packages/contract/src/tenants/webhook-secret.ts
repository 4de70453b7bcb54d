import { z } from 'zod'
import { t } from '../wire/text.ts'

const BASE58 = '123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ'
/** Length for 128 random bits. */
const CHARACTERS = 22

/** Makes a webhook signing secret in the platform's format, at random. Runs in browsers as well. */
export function webhookSecret() {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  let rest = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  let id = ''
  while (rest > 0n) {
    id = BASE58[Number(rest % 58n)] + id
    rest /= 58n
  }
  return `wh_secret_${id.padStart(CHARACTERS, BASE58[0])}`
}

/** A secret in that format. */
export const WebhookSecret = z
  .string()
  .trim()
  .regex(
    new RegExp(`^wh_secret_[${BASE58}]{${CHARACTERS}}$`),
    t('Enter a webhook secret in the platform’s format'),
  )
