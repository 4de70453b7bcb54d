import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { membersOf } from '@switchroom/contract'

export type SecretBox = {
  seal: (text: string) => string
  /** Decrypts; undefined when the text was encrypted with another secret or not at all. */
  open: (stored: string) => string | undefined
  /** A keyed digest, to compare texts without storing them. */
  digest: (text: string) => string
}

const CBC = 'aes-256-cbc'
const CTR = 'aes-256-ctr'

/**
 * Encrypts as the platform's components do. `legacy` writes their LEGACY_CRYPTO format. Stored text does
 * not name its format, so both are tried.
 */
export function secretBox({ secret, legacy }: { secret: string; legacy: boolean }): SecretBox {
  // like the platform, the key is the first 32 characters of the base64 digest
  const digest = createHash('sha256').update(secret).digest('base64')
  const key = Buffer.from(digest.slice(0, 32), 'ascii')

  return {
    // uses a key of its own
    digest: (text) =>
      createHmac('sha256', `switchroom digest ${secret}`).update(text).digest('hex'),
    seal(text) {
      const iv = randomBytes(16)
      const cipher = createCipheriv(legacy ? CTR : CBC, key, iv)
      const content = cipher.update(text, 'utf8', 'hex') + cipher.final('hex')
      return JSON.stringify({ iv: iv.toString('hex'), content })
    },
    open(stored) {
      const sealed = parse(stored)
      if (!sealed) return undefined
      const whole = sealed.content.length > 0 && sealed.content.length % 16 === 0
      return (whole ? decipher(CBC, key, sealed) : undefined) ?? decipher(CTR, key, sealed)
    },
  }
}

/** True if a stored text looks encrypted, by whatever secret. */
export const isSealed = (stored: string) => parse(stored) !== undefined

type Sealed = { iv: Buffer; content: Buffer }

function parse(stored: string): Sealed | undefined {
  let json: unknown
  try {
    json = JSON.parse(stored)
  } catch {
    return undefined
  }
  const { iv, content } = membersOf(json)
  if (typeof iv !== 'string' || !/^[0-9a-f]{32}$/i.test(iv)) return undefined
  if (typeof content !== 'string' || !/^([0-9a-f]{2})*$/i.test(content)) return undefined
  return { iv: Buffer.from(iv, 'hex'), content: Buffer.from(content, 'hex') }
}

// neither mode authenticates: invalid UTF-8 reveals a wrong key or mode
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decipher(mode: typeof CBC | typeof CTR, key: Buffer, { iv, content }: Sealed) {
  const opener = createDecipheriv(mode, key, iv)
  try {
    return utf8.decode(Buffer.concat([opener.update(content), opener.final()]))
  } catch {
    return undefined
  }
}
