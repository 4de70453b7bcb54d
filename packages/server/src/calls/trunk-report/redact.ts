import { sipStatusText } from '@switchroom/contract'
import { splitSip, startLineOf } from '../../stores/sip/sip.ts'
import { type Naming, shortAddresses, shortUri, shortVia, splitAt } from './addresses.ts'
import { shortSdp } from './sdp.ts'
import { shortText } from './short.ts'

/** Longer values are not shown. */
const MAX_VALUE = 1_000
const PROVISIONAL: Record<number, string> = {
  100: 'Trying',
  180: 'Ringing',
  181: 'Call Is Being Forwarded',
  182: 'Queued',
  183: 'Session Progress',
}

type Sender = Naming & {
  /** True if the carrier sent it. Free text of our side may come from an application. */
  isCarrier: boolean
}
type Rule = (value: string, sender: Sender) => string | undefined

const matching =
  (pattern: RegExp): Rule =>
  (value) =>
    pattern.test(value) ? value : undefined
const digits = matching(/^\d{1,8}$/)
const tokens: Rule = (value) => {
  const all = value.split(/[,;]/).map((token) => token.trim())
  const shown = all.filter((token) => /^(?!.*\d{5})[a-z\d][a-z\d./+-]{0,39}$/i.test(token))
  return shown.length > 0 ? shown.join(', ') : undefined
}
const carrierText: Rule = (value, { isCarrier }) => (isCarrier ? shortText(value) : undefined)

const reason: Rule = (value, { isCarrier }) => {
  const all = splitAt(value, ',').flatMap((entry) => {
    const [, protocol] = /^\s*(SIP|Q\.850|RELEASE_CAUSE|Preemption)\b/i.exec(entry) ?? []
    if (!protocol) return []
    const [, cause] = /;\s*cause\s*=\s*"?(\d{1,3})\b/i.exec(entry) ?? []
    const [, text] = /;\s*text\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(entry) ?? []
    const shownText = isCarrier && text ? `;text="${shortText(text).replace(/["\\]/g, '')}"` : ''
    return [`${protocol}${cause ? `;cause=${cause}` : ''}${shownText}`]
  })
  return all.length > 0 ? all.join(', ') : undefined
}

const warning: Rule = (value, { isCarrier }) => {
  const [, code, text] = /^\s*(\d{3})\s+\S+\s+"((?:[^"\\]|\\.)*)"\s*$/.exec(value) ?? []
  return code && isCarrier && text !== undefined
    ? `${code} - "${shortText(text).replace(/["\\]/g, '')}"`
    : undefined
}

/** The headers that are shown, by their names in lower case, and how. No other header is. */
const HEADERS: Record<string, [name: string, rule: Rule]> = {
  via: ['Via', shortVia],
  from: ['From', shortAddresses],
  to: ['To', shortAddresses],
  contact: ['Contact', shortAddresses],
  route: ['Route', shortAddresses],
  'record-route': ['Record-Route', shortAddresses],
  'p-asserted-identity': ['P-Asserted-Identity', shortAddresses],
  'p-preferred-identity': ['P-Preferred-Identity', shortAddresses],
  'remote-party-id': ['Remote-Party-ID', shortAddresses],
  diversion: ['Diversion', shortAddresses],
  'history-info': ['History-Info', shortAddresses],
  'call-id': ['Call-ID', (value, { opaque }) => opaque(value)],
  cseq: ['CSeq', matching(/^\d{1,10} +[A-Z]{1,20}$/)],
  'max-forwards': ['Max-Forwards', digits],
  expires: ['Expires', digits],
  'min-se': ['Min-SE', digits],
  'session-expires': ['Session-Expires', matching(/^\d{1,8}(?:\s*;\s*refresher=ua[cs])?$/i)],
  'retry-after': ['Retry-After', digits],
  rseq: ['RSeq', digits],
  allow: ['Allow', tokens],
  supported: ['Supported', tokens],
  require: ['Require', tokens],
  unsupported: ['Unsupported', tokens],
  accept: ['Accept', tokens],
  privacy: ['Privacy', tokens],
  reason: ['Reason', reason],
  warning: ['Warning', warning],
  'user-agent': ['User-Agent', carrierText],
  server: ['Server', carrierText],
  'content-type': ['Content-Type', matching(/^application\/sdp$/i)],
}

function startLine(first: string, sender: Sender): string | undefined {
  const start = startLineOf(first)
  if (!start) return undefined
  if (start.status === undefined) {
    // a method is shown unchanged, so only letters are accepted
    if (!/^[A-Z]{1,20}$/i.test(start.method)) return undefined
    return `${start.method} ${shortUri(start.uri, sender) ?? 'sip:hidden.invalid'} SIP/2.0`
  }
  const { status, reason } = start
  const ours = PROVISIONAL[status] ?? sipStatusText(status).slice(4)
  return `SIP/2.0 ${status} ${sender.isCarrier ? shortText(reason) : ours}`.trim()
}

/**
 * A message as the carrier's support staff may see it. It is rebuilt from parts known to be harmless: unknown parts are
 * left out. Undefined for anything but SIP.
 */
export function redacted(text: string, sender: Sender): string | undefined {
  const { first, headers, body } = splitSip(text)
  const start = startLine(first, sender)
  if (start === undefined) return undefined
  let hiddenCount = 0
  const lines = headers.flatMap(({ name, value }) => {
    const [shown, rule] = (Object.hasOwn(HEADERS, name) && HEADERS[name]) || []
    const text = rule && value.length <= MAX_VALUE ? rule(value, sender) : undefined
    if (text !== undefined) return [`${shown}: ${text}`]
    if (name !== 'content-length') hiddenCount++
    return []
  })
  const isSdp = lines.some((line) => line.startsWith('Content-Type:'))
  const rest = body.trim() === '' ? '' : isSdp ? shortSdp(body) : '(body not shown)'
  const note =
    hiddenCount === 0
      ? []
      : [hiddenCount === 1 ? '(1 header not shown)' : `(${hiddenCount} headers not shown)`]
  return [start, ...lines, ...note, '', rest].join('\r\n')
}
