import { MASK, type RequestBody } from '@switchroom/contract'
import { maskedText, normalize } from '../../secrets/without-secrets.ts'

/** Bytes of a body that are kept. */
export const KEPT_BYTES = 16_384
const MAX_HEADERS = 100
const MAX_NAME = 200
const MAX_VALUE = 1_000
/** Masking shorter ones would mask half of a text. */
const MIN_SECRET = 4

/** Masks these secrets wherever they are in a text. */
export function secretMasker(secrets: readonly string[]) {
  const forms = secrets
    .filter((secret) => secret.length >= MIN_SECRET)
    .flatMap((s) => [s, JSON.stringify(s).slice(1, -1), encodeURIComponent(s)])
    .sort((a, b) => b.length - a.length)
  return (text: string) => forms.reduce((all, secret) => all.replaceAll(secret, MASK), text)
}

/** Masks these secrets wherever they are in a text, and values whose names in it mark them as secret. */
export function masker(secrets: readonly string[]) {
  const withoutThese = secretMasker(secrets)
  return (text: string) => {
    const without = withoutThese(text)
    const plain = maskedText(without)
    // masking rewrites JSON in one line, which hides where in it something is
    return plain !== without && without.trim().includes('\n') ? inLines(plain) : plain
  }
}
export type Masker = ReturnType<typeof masker>

function inLines(text: string) {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}

/** A body as the log keeps it; `bytes` is the size of the original. */
export function keptBody(
  text: string,
  mask: Masker,
  bytes = Buffer.byteLength(text),
  most = KEPT_BYTES,
): RequestBody {
  const masked = mask(text)
  const whole = Buffer.from(masked)
  if (whole.length <= most) return { text: masked, bytes, is_cut: false }
  let end = most
  // not in the middle of a character
  while ((whole[end]! & 0xc0) === 0x80) end -= 1
  return { text: whole.subarray(0, end).toString(), bytes, is_cut: true }
}

/** Headers as the log keeps them. */
export const keptHeaders = (headers: Record<string, unknown>, mask: Masker) =>
  Object.entries(headers)
    .flatMap(([name, values]) => [values].flat().map((value) => ({ name, value: String(value) })))
    .slice(0, MAX_HEADERS)
    .map(({ name, value }) => ({
      name: name.slice(0, MAX_NAME),
      value: String(normalize(value, name, mask)).slice(0, MAX_VALUE),
    }))
