import { API_KEY_KINDS, type ApiKeyKind, t } from '@switchroom/contract'
import ipaddr from 'ipaddr.js'
import { parseNetwork } from '../outbound/guard.ts'
import type { LightEndpoint } from './endpoints.ts'
import { Failure } from './failure.ts'
import type { KeyLimits, Scope } from './scope.ts'

/** True if a key may be used from this address. */
export function isFrom(networks: string[] | null, ip: string) {
  if (networks === null) return true
  if (!ipaddr.isValid(ip)) return false
  // an IPv4 address mapped into IPv6 is checked as IPv4
  const address = ipaddr.process(ip)
  return networks.map(parseNetwork).some(([network, bits]) => {
    return network.kind() === address.kind() && address.match(network, bits)
  })
}

const isWithin = (inner: string, outer: string) => {
  const [address, bits] = parseNetwork(inner)
  const [network, outerBits] = parseNetwork(outer)
  return address.kind() === network.kind() && bits >= outerBits && address.match(network, outerBits)
}

/** Throws 403 for an API key that does not cover this kind. */
export function refuseOtherKind(scope: Scope, kind: ApiKeyKind | 'any') {
  const kinds = scope.key_limits?.kinds
  if (!kinds || kind === 'any' || kinds.includes(kind)) return
  throw new Failure(
    'forbidden',
    t('This API key does not cover: {kind}', { kind: API_KEY_KINDS[kind] }),
  )
}

/** Throws 403 when an API key would create or change one that then may do more, or longer, than itself. */
export function refuseWiderKey(
  own: KeyLimits | undefined,
  verb: 'create' | 'change',
  { expires_at, kinds, networks }: KeyLimits,
) {
  if (!own) return
  const tooMuch = (what: string) =>
    new Failure('forbidden', t('An API key cannot {verb} {what}', { verb, what }))
  const expiry = verb === 'create' ? 'expiry_secs' : 'expires_at'
  if (own.expires_at && (!expires_at || Date.parse(expires_at) > Date.parse(own.expires_at)))
    throw tooMuch(t('a key that outlives it. Set {expiry} to less than it has left.', { expiry }))
  const covered = own.kinds
  if (covered && !kinds?.every((kind) => covered.includes(kind)))
    throw tooMuch(t('a key for kinds that it does not cover itself. Set kinds.'))
  const around = own.networks
  if (around && !networks?.every((inner) => around.some((outer) => isWithin(inner, outer))))
    throw tooMuch(t('a key for networks that it may not be used from itself. Set networks.'))
}

/** Throws 403 when a user who may not manage the others of its account would get a key that may. */
export function refuseKeyForUsers(scope: Scope, { kinds }: Pick<KeyLimits, 'kinds'>) {
  if (!scope.manages_itself_only || (kinds && !kinds.includes('access'))) return
  const message = t('You may not manage users, so choose what the key is for, without: {kind}', {
    kind: API_KEY_KINDS.access,
  })
  throw new Failure('forbidden', message, { issues: [{ path: ['kinds'], message }] })
}

/** Throws 403 for an API key with an expiry or limits on an endpoint that gives access without either. */
export function refuseGrantByLimitedKey(scope: Scope, e: LightEndpoint) {
  const own = scope.key_limits
  if (e.grantsAccess && (own?.expires_at || own?.kinds || own?.networks))
    throw new Failure(
      'forbidden',
      t('An API key that expires or has limits cannot create or change users, or how they log in'),
    )
}
