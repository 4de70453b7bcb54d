/** Headers with digests that allow offline password guessing, including folded ones. */
const HEADERS =
  /^(?:(?:proxy-)?authorization|(?:proxy-)?authentication-info)[ \t]*:[^\n]*(?:\n[ \t]+[^\n]*)*/gim
const PROOF = /\b(response|rspauth)([ \t]*=[ \t]*"?)([^",\s]+)/gi

const masked = (header: string) => {
  const colon = header.indexOf(':') + 1
  const value = header.slice(colon)
  // callers may send any header, so each is scanned only once
  if (/^\s*digest\b/i.test(value) || /\brspauth\b/i.test(value))
    return header.replace(PROOF, (_, name, sign, proof) => name + sign + 'x'.repeat(proof.length))
  // in other schemes the whole value is secret
  const scheme = /^\s*\S*/.exec(value)![0].length
  return header.slice(0, colon + scheme) + value.slice(scheme).replace(/[^\s]/g, 'x')
}

/** SIP with credentials masked. The length in bytes stays the same. */
export function withoutProofs(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  return Buffer.from(text.replace(HEADERS, masked), 'latin1')
}
