/** Static RTP payload types (RFC 3551). */
const STATIC: Record<string, string> = {
  0: 'PCMU',
  3: 'GSM',
  4: 'G723',
  8: 'PCMA',
  9: 'G722',
  13: 'CN',
  15: 'G728',
  18: 'G729',
}
const NO_CODEC = /^(?:telephone-event|CN)$/i
const MAX_PAYLOAD_TYPES = 40

export type Audio = { codecs: string[]; isDeclined: boolean }

/** The first audio stream of an SDP body (RFC 8866); undefined when there is none. */
export function audioOf(body: string): Audio | undefined {
  const media = /^m=audio (\d{1,5})\S* (\S+) ([^\r\n]*)/m.exec(body)
  if (!media) return undefined
  const names = new Map(
    [...body.matchAll(/^a=rtpmap:(\d{1,3}) ([^\s/]{1,40})/gm)].map((m) => [m[1]!, m[2]!]),
  )
  const numbers = media[3]!.trim().split(/\s+/, MAX_PAYLOAD_TYPES)
  const codecs = numbers
    .map((n) => names.get(n) ?? STATIC[n] ?? n)
    .filter((codec) => !NO_CODEC.test(codec))
  return { codecs: [...new Set(codecs)], isDeclined: media[1] === '0' }
}
