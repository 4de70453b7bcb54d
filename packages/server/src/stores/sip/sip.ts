import type { Captured } from './store.ts'

/** More headers than any capture agent sends; further ones are ignored. */
const MAX_HEADERS = 400

/** A parsed SIP message (RFC 3261, 7). Malformed parts are skipped. */
export type Sip = {
  /** The method of the request, or of the one it responds to. */
  method: string
  /** Undefined for a response. */
  uri: string | undefined
  /** Undefined for a request. */
  status: number | undefined
  reason: string
  /** All headers of this name, in order. Case and compact forms do not matter. */
  all: (name: string) => string[]
  /** The first header of this name. */
  header: (name: string) => string | undefined
  body: string
}

const COMPACT_FORMS: Record<string, string> = {
  i: 'call-id',
  f: 'from',
  t: 'to',
  v: 'via',
  m: 'contact',
  c: 'content-type',
  l: 'content-length',
  e: 'content-encoding',
  s: 'subject',
  k: 'supported',
}
const fullName = (name: string) => {
  const lower = name.trim().toLowerCase()
  return COMPACT_FORMS[lower] ?? lower
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes bytes as UTF-8 if valid, otherwise as Latin-1. */
export function textOf(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    return utf8.decode(buffer)
  } catch {
    return buffer.toString('latin1')
  }
}

/**
 * The start line, the headers in order (full names in lower case), and the body. Malformed lines
 * are skipped.
 */
export function splitSip(text: string) {
  const end = /\r?\n\r?\n/.exec(text)
  const head = end ? text.slice(0, end.index) : text
  const [first = '', ...lines] = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/, MAX_HEADERS)
  const headers = lines.flatMap((line) => {
    const colon = line.indexOf(':')
    return colon < 1
      ? []
      : [{ name: fullName(line.slice(0, colon)), value: line.slice(colon + 1).trim() }]
  })
  return { first, headers, body: end ? text.slice(end.index + end[0].length) : '' }
}

/** Parts of a request's or response's first line. Undefined for anything but SIP. */
export function startLineOf(first: string) {
  const [, status, reason = ''] = /^SIP\/2\.0 +(\d{3})(?: +(.*))?$/i.exec(first) ?? []
  if (status !== undefined) return { status: Number(status), reason: reason.trim() }
  const [, method, uri] = /^([\w!%*+`'~.-]{1,32}) +(\S{1,2048}) +SIP\/2\.0 *$/i.exec(first) ?? []
  return method !== undefined && uri !== undefined ? { method, uri } : undefined
}

/** Parses a message. Undefined for anything but SIP, such as keep-alives. */
export function parseSip(text: string): Sip | undefined {
  const { first, headers: lines, body } = splitSip(text)
  const start = startLineOf(first)
  if (!start) return undefined
  const headers = new Map<string, string[]>()
  for (const { name, value } of lines) {
    const known = headers.get(name)
    if (known) known.push(value)
    else headers.set(name, [value])
  }
  const all = (name: string) => headers.get(fullName(name)) ?? []
  const header = (name: string) => all(name)[0]
  const method = start.method ?? /^\d+\s+(\S{1,32})/.exec(header('CSeq') ?? '')?.[1] ?? ''
  return {
    method: method.toUpperCase(),
    uri: start.uri,
    status: start.status,
    reason: start.reason ?? '',
    all,
    header,
    body,
  }
}

/** Methods that belong to a call, as Homer groups them. */
const CALL_METHODS = new Set('INVITE ACK BYE CANCEL UPDATE PRACK REFER INFO NOTIFY'.split(' '))
export const kindOfMethod = (method: string) =>
  CALL_METHODS.has(method) ? 'call' : method === 'REGISTER' ? 'registration' : 'other'

/** The kind of a message in searches: `rtcp`, or the kind of its SIP method. */
export const messageKindOf = ({ kind, bytes }: Captured) =>
  kind === 'rtcp' ? 'rtcp' : kindOfMethod(parseSip(textOf(bytes))?.method ?? '')
