import { t } from '@switchroom/contract'
import type { Config } from './config.ts'

/** HS256 wants a key as long as its hash (RFC 7518, section 3.2). */
export const SECRET_BYTES = 32

export const isShortSecret = ({ jwt_secret }: Pick<Config, 'jwt_secret'>) =>
  jwt_secret !== undefined && Buffer.byteLength(jwt_secret) < SECRET_BYTES

export const SHORT_SECRET = t(
  'JWT_SECRET has fewer than {SECRET_BYTES} characters. Whoever has a session token can try to guess it offline. See docs/adr/015-secret-lengths.md for how to replace it.',
  { SECRET_BYTES },
)
