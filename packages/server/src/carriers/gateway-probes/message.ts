import { randomBytes, randomUUID } from 'node:crypto'
import { PROBE_REASON_MAX } from '@switchroom/contract'

/** Most bytes read of a peer's answers. */
const MAX_BYTES = 65_536

export type Request = { text: string; branch: string; call_id: string }

/**
 * Builds an OPTIONS request (RFC 3261, 11.1). `local`: the address and port that the peer sends its answer
 * to.
 */
export function optionsRequest(how: {
  scheme: 'sip' | 'sips'
  transport: 'udp' | 'tcp' | 'tls'
  host: string
  port: number | null
  local: string
}): Request {
  const { scheme, transport, host, port, local } = how
  const branch = `z9hG4bK${randomBytes(12).toString('hex')}`
  const call_id = randomUUID()
  // the sips scheme already implies TLS
  const over = scheme === 'sips' || transport === 'udp' ? '' : `;transport=${transport}`
  const text = [
    `OPTIONS ${scheme}:${host}${port === null ? '' : `:${port}`}${over} SIP/2.0`,
    `Via: SIP/2.0/${transport.toUpperCase()} ${local};branch=${branch};rport`,
    'Max-Forwards: 70',
    `From: <${scheme}:switchroom@${local}>;tag=${randomBytes(6).toString('hex')}`,
    `To: <${scheme}:${host}>`,
    `Call-ID: ${call_id}`,
    'CSeq: 1 OPTIONS',
    `Contact: <${scheme}:switchroom@${local}${over}>`,
    'Accept: application/sdp',
    'User-Agent: Switchroom',
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n')
  return { text, branch, call_id }
}

export type Answer = { status: number; reason: string | null }

/** Makes a peer's text safe to store and show. */
export const printable = (text: string) => {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return [...plain].slice(0, PROBE_REASON_MAX).join('') || null
}

type Message = { answer?: Answer; ours: boolean; length: number }

/**
 * Parses the first message of a text with one character per byte; undefined while its headers are
 * incomplete.
 */
function firstMessage(text: string, { branch, call_id }: Request): Message | undefined {
  const end = /\r?\n\r?\n/.exec(text)
  if (!end) return undefined
  const [first = '', ...lines] = text
    .slice(0, end.index)
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
  const header = (name: RegExp) => {
    const line = lines.find((l) => name.test(l.slice(0, l.indexOf(':')).trimEnd()))
    return line?.slice(line.indexOf(':') + 1).trim()
  }
  const body = Number(header(/^(?:content-length|l)$/i) ?? 0)
  const length = end.index + end[0].length + (Number.isSafeInteger(body) && body > 0 ? body : 0)
  const line = /^SIP\/2\.0 +([1-6]\d\d)(?: +(.*))?$/i.exec(first)
  if (!line) return { ours: false, length }
  const via = header(/^(?:via|v)$/i) ?? ''
  const ours =
    header(/^(?:call-id|i)$/i) === call_id &&
    /;\s*branch\s*=\s*([^\s;,]+)/i.exec(via)?.[1] === branch &&
    /^1\s+OPTIONS$/i.test(header(/^cseq$/i) ?? '')
  const words = Buffer.from(line[2] ?? '', 'latin1').toString('utf8')
  return { answer: { status: Number(line[1]), reason: printable(words) }, ours, length }
}

/**
 * Parses answers to this request from a stream, or from datagrams that each hold a whole message. Ignores
 * everything else.
 */
export function listener(request: Request, kind: 'stream' | 'datagrams') {
  let text = ''
  let bytes = 0
  return {
    /** True if any bytes have arrived. */
    hasReceived: () => bytes > 0,
    /** Parses the next answer, provisional or final; 'too_much' beyond the size limit. */
    push(chunk: Buffer): Answer | 'too_much' | undefined {
      bytes += chunk.length
      if (bytes > MAX_BYTES) return 'too_much'
      text = (kind === 'stream' ? text : '') + chunk.toString('latin1')
      let latest: Answer | undefined
      for (;;) {
        // empty lines before a message are keep-alives
        text = text.replace(/^[\r\n]+/, '')
        const message = firstMessage(text, request)
        if (!message) return latest
        if (message.ours) latest = message.answer
        if (latest && latest.status >= 200) return latest
        if (text.length < message.length) return latest
        text = text.slice(message.length)
      }
    },
  }
}
