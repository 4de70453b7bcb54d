import { sipStatusText } from '@switchroom/contract'
import { splitSip } from '../../stores/sip/sip.ts'
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
  /** Sentences are the carrier's own. Ours may be an application's. */
  isCarrier: boolean
}
type Rule = (value: string, of: Sender) => string | undefined

const matching =
  (pattern: RegExp): Rule =>
  (value) =>
    pattern.test(value) ? value : undefined
const digits = matching(/^\d{1,8}$/)
const words: Rule = (value) => {
  const all = value.split(/[,;]/).map((word) => word.trim())
  const shown = all.filter((word) => /^(?!.*\d{5})[a-z\d][a-z\d./+-]{0,39}$/i.test(word))
  return shown.length > 0 ? shown.join(', ') : undefined
}
const ofCarrier: Rule = (value, { isCarrier }) => (isCarrier ? shortText(value) : undefined)

const reason: Rule = (value, { isCarrier }) => {
  const all = splitAt(value, ',').flatMap((one) => {
    const [, protocol] = /^\s*(SIP|Q\.850|RELEASE_CAUSE|Preemption)\b/i.exec(one) ?? []
    if (!protocol) return []
    const [, cause] = /;\s*cause\s*=\s*"?(\d{1,3})\b/i.exec(one) ?? []
    const [, text] = /;\s*text\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(one) ?? []
    const said = isCarrier && text ? `;text="${shortText(text).replace(/["\\]/g, '')}"` : ''
    return [`${protocol}${cause ? `;cause=${cause}` : ''}${said}`]
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
  allow: ['Allow', words],
  supported: ['Supported', words],
  require: ['Require', words],
  unsupported: ['Unsupported', words],
  accept: ['Accept', words],
  privacy: ['Privacy', words],
  reason: ['Reason', reason],
  warning: ['Warning', warning],
  'user-agent': ['User-Agent', ofCarrier],
  server: ['Server', ofCarrier],
  'content-type': ['Content-Type', matching(/^application\/sdp$/i)],
}

function startLine(first: string, of: Sender): string | undefined {
  const answer = /^SIP\/2\.0 +(\d{3})(?: +(.*))?$/i.exec(first)
  if (answer) {
    const status = Number(answer[1])
    const ours = PROVISIONAL[status] ?? sipStatusText(status).slice(4)
    return `SIP/2.0 ${status} ${of.isCarrier ? shortText(answer[2] ?? '') : ours}`.trim()
  }
  const [, method, uri = ''] = /^([A-Z]{1,20}) +(\S{1,2048}) +SIP\/2\.0 *$/i.exec(first) ?? []
  return method && `${method} ${shortUri(uri, of) ?? 'sip:hidden.invalid'} SIP/2.0`
}

/**
 * A message as the carrier's support staff may see it. It is built anew from what is known to be harmless: what is not
 * understood is left out. Undefined for anything but SIP.
 */
export function redacted(text: string, of: Sender): string | undefined {
  const { first, headers, body } = splitSip(text)
  const start = startLine(first, of)
  if (start === undefined) return undefined
  let left = 0
  const lines = headers.flatMap(({ name, value }) => {
    const [shown, rule] = (Object.hasOwn(HEADERS, name) && HEADERS[name]) || []
    const kept = rule && value.length <= MAX_VALUE ? rule(value, of) : undefined
    if (kept !== undefined) return [`${shown}: ${kept}`]
    if (name !== 'content-length') left++
    return []
  })
  const isSdp = lines.some((line) => line.startsWith('Content-Type:'))
  const rest = body.trim() === '' ? '' : isSdp ? shortSdp(body) : '(body not shown)'
  const note =
    left === 0 ? [] : [left === 1 ? '(1 header not shown)' : `(${left} headers not shown)`]
  return [start, ...lines, ...note, '', rest].join('\r\n')
}
