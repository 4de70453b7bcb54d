import { randomUUID } from 'node:crypto'

const BASE58 = '123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ'

/** Creates a webhook signing secret in the platform's format. */
export function webhookSecret() {
  let rest = BigInt(`0x${randomUUID().replaceAll('-', '')}`)
  let id = ''
  while (rest > 0n) {
    id = BASE58[Number(rest % 58n)] + id
    rest /= 58n
  }
  return `wh_secret_${id.padStart(22, BASE58[0])}`
}
