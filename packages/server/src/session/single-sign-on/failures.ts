import { t } from '@switchroom/contract'
import { errorCode, errorMember } from '../../errors/members.ts'
import { Failure } from '../../http/failure.ts'
import { Blocked } from '../../outbound/guard.ts'
import { TooLarge } from '../../outbound/outbound.ts'

const NETWORK = /^(?:E[A-Z]+|UND_ERR_\w+|ABORT_ERR)$/

/** The first answer of `is` along the causes of an error. */
function causeOf<T>(e: unknown, is: (one: unknown) => T | undefined, depth = 0): T | undefined {
  if (depth > 5 || typeof e !== 'object' || e === null) return undefined
  return is(e) ?? causeOf(errorMember(e, 'cause'), is, depth + 1)
}

const isNetworkError = (e: unknown) =>
  e instanceof TooLarge ||
  (e instanceof Error && ['TimeoutError', 'AbortError'].includes(e.name)) ||
  NETWORK.test(String(errorCode(e) ?? ''))
    ? true
    : undefined

const isBlocked = (e: unknown) => (e instanceof Blocked ? true : undefined)

const BLOCKED = t(
  'The issuer is in an internal network. Add that network to SWITCHROOM_ALLOW_NETWORKS.',
)

/** Why the identity provider's configuration cannot be used, for the log-in page and the screen. */
export function unreachable(name: string, cause: unknown): Failure {
  if (causeOf(cause, isBlocked)) return new Failure('vendor_failed', BLOCKED, { cause })
  if (causeOf(cause, isNetworkError))
    return new Failure(
      'vendor_failed',
      t('{name} cannot be reached right now. Try again.', { name }),
      {
        cause,
      },
    )
  return new Failure(
    'vendor_failed',
    t('{name} does not publish a usable OpenID Connect configuration. Check the issuer.', { name }),
    { cause },
  )
}

/** True if the provider could not be reached, rather than giving a bad answer. */
export const isUnreachable = (cause: unknown) =>
  (causeOf(cause, isNetworkError) ?? causeOf(cause, isBlocked)) !== undefined

/** An error without the provider's own message, which may hold secrets. */
export const refused = (name: string, cause: unknown) =>
  new Failure('forbidden', t('{name} did not confirm this log-in. Try again.', { name }), { cause })
