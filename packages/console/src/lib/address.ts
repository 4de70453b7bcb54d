import { linkedProvider, openLinkedProvider } from './current-provider'
import { parseSearch, type Raw } from './list-search'

const PROVIDER = 'service_provider'

/** The members of an address's search part. The provider among them becomes the current one. */
export function parseAddress(search: string): Raw {
  const { [PROVIDER]: sid, ...members } = parseSearch(search)
  if (typeof sid === 'string' && sid) openLinkedProvider(sid)
  return members
}

export const namesProvider = (search: string) => PROVIDER in parseSearch(search)

/** The search part of an address, which opens for others with the provider that is the current one here. */
export function stringifyAddress(members: Raw): string {
  const all = Object.entries({ ...members, [PROVIDER]: linkedProvider() })
  const params = all.filter(([, v]) => v !== undefined && v !== '')
  return params.length ? `?${new URLSearchParams(params.map(([k, v]) => [k, String(v)]))}` : ''
}

/** The address with the current provider named in it, and otherwise letter by letter: it may be that of no screen. */
export const withProvider = ({ pathname, search, hash }: Location) =>
  pathname + stringifyAddress(parseSearch(search)) + hash
