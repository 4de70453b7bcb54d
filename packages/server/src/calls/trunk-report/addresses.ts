import { shortHost, shortUser } from './short.ts'

/** Parameters of a URI and of a header that are shown, if their value is one of these or a small number. */
const URI_PARAMETERS = new Set(['transport', 'user', 'lr'])
const HEADER_PARAMETERS = new Set(
  'reason counter limit privacy screen party index cause expires q lr'.split(' '),
)
const VALUES = new Set(
  `udp tcp tls ws wss sctp phone ip calling called subscriber term yes no full name uri off on user
  unknown user-busy no-answer unavailable unconditional time-of-day do-not-disturb deflection follow-me out-of-service
  away`.split(/\s+/),
)
const isShown = (value: string) => VALUES.has(value.toLowerCase()) || /^[\d.]{1,5}$/.test(value)

export type Naming = {
  /** Names of the carrier's hosts, in lower case. */
  hosts: readonly string[]
  /** A tag, branch or Call-ID, which may have a number in it. */
  opaque: (id: string) => string
}

/** Parts of a header at a character outside of quotes and angle brackets. */
export const splitAt = (text: string, separator: ',' | ';'): string[] =>
  text.match(
    separator === ','
      ? /(?:"(?:[^"\\]|\\.)*"|<[^>]*>|[^",<])+/g
      : /(?:"(?:[^"\\]|\\.)*"|<[^>]*>|[^";<])+/g,
  ) ?? []

function parameters(text: string, shown: ReadonlySet<string>, opaque?: Naming['opaque']) {
  return splitAt(text, ';')
    .map((part) => {
      const [, name = '', value] = /^\s*([\w-]+)\s*(?:=\s*(.*?))?\s*$/s.exec(part) ?? []
      const lower = name.toLowerCase()
      if (opaque && lower === 'tag' && value) return `;tag=${opaque(value)}`
      if (!shown.has(lower)) return ''
      if (value === undefined) return `;${lower}`
      const plain = value.replace(/^"(.*)"$/, '$1')
      return isShown(plain) ? `;${lower}=${plain}` : ''
    })
    .join('')
}

/** `host:port`; undefined for any other text. */
export function hostPort(text: string, { hosts }: Naming): string | undefined {
  const [, host, port = ''] = /^\s*(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?\s*$/i.exec(text) ?? []
  return host && `${shortHost(host, hosts)}${port}`
}

/** A URI without the number, password and unknown parameters; undefined for any other text. */
export function shortUri(text: string, naming: Naming): string | undefined {
  const [, scheme, rest] = /^\s*(sips?|tel):(.*)$/is.exec(text) ?? []
  if (!scheme || rest === undefined) return undefined
  if (scheme.toLowerCase() === 'tel') return `tel:${shortUser(rest)}`
  const [whole = ''] = rest.split('?', 1)
  const at = whole.lastIndexOf('@')
  const user = at < 0 ? '' : `${shortUser(whole.slice(0, at))}@`
  const [place = '', ...more] = whole.slice(at + 1).split(';')
  const host = hostPort(place, naming)
  return (
    host && `${scheme.toLowerCase()}:${user}${host}${parameters(more.join(';'), URI_PARAMETERS)}`
  )
}

/** One address of a From, Contact, Diversion or similar header, without the display name. */
function shortAddress(text: string, naming: Naming): string | undefined {
  if (text.trim() === '*') return '*'
  const [, inside, after] = /^(?:\s*"(?:[^"\\]|\\.)*"|[^"<]*)\s*<([^<>]*)>(.*)$/s.exec(text) ?? []
  const [bare = '', ...rest] = text.split(';')
  const uri = shortUri(inside ?? bare, naming)
  return (
    uri &&
    `<${uri}>${parameters(inside === undefined ? rest.join(';') : after!, HEADER_PARAMETERS, naming.opaque)}`
  )
}

/** All addresses of a header; those that cannot be read are left out. Undefined without any. */
export function shortAddresses(text: string, naming: Naming): string | undefined {
  const all = splitAt(text, ',').flatMap((one) => shortAddress(one, naming) ?? [])
  return all.length > 0 ? all.join(', ') : undefined
}

/** A hop of a Via header. */
function shortHop(text: string, naming: Naming): string | undefined {
  const [, transport, place, rest = ''] =
    /^\s*SIP\s*\/\s*2\.0\s*\/\s*([a-z]{2,4})\s+([^\s;]+)\s*(;.*)?$/is.exec(text) ?? []
  const host = place && hostPort(place, naming)
  if (!transport || !host) return undefined
  const kept = splitAt(rest, ';').map((part) => {
    const [, name = '', value = ''] = /^\s*(\w+)\s*(?:=\s*(\S*?))?\s*$/.exec(part) ?? []
    switch (name.toLowerCase()) {
      case 'branch':
        return `;branch=${naming.opaque(value)}`
      case 'received':
        return `;received=${shortHost(value, naming.hosts)}`
      case 'rport':
        return /^\d{1,5}$/.test(value) ? `;rport=${value}` : ';rport'
      default:
        return ''
    }
  })
  return `SIP/2.0/${transport.toUpperCase()} ${host}${kept.join('')}`
}

export function shortVia(text: string, naming: Naming): string | undefined {
  const hops = splitAt(text, ',').flatMap((hop) => shortHop(hop, naming) ?? [])
  return hops.length > 0 ? hops.join(', ') : undefined
}
