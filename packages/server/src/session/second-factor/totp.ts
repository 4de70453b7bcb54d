import { TOTP_DIGITS } from '@switchroom/contract'
import { Secret, TOTP } from 'otpauth'

/** RFC 6238 with the parameters that every authenticator app knows. */
const PARAMETERS = { algorithm: 'SHA1', digits: TOTP_DIGITS, period: 30 }
/** Accepts one step before and after, for clocks that differ and people who type slowly. */
const WINDOW = 1

export const newSecret = () => new Secret({ size: 20 }).base32

/** Contents of the QR code. */
export const otpauthUri = (secret: string, label: string) =>
  new TOTP({
    ...PARAMETERS,
    issuer: 'Switchroom',
    label,
    secret: Secret.fromBase32(secret),
  }).toString()

/** The time step of a code; undefined for a wrong one. Spaces, as apps show them, are ignored. */
export function stepOf(secret: string, code: string, now = Date.now()): number | undefined {
  const token = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const totp = { ...PARAMETERS, secret: Secret.fromBase32(secret), timestamp: now }
  const delta = TOTP.validate({ ...totp, token, window: WINDOW })
  return delta === null ? undefined : TOTP.counter({ period: totp.period, timestamp: now }) + delta
}
