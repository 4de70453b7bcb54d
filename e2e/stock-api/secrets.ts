import { argon2Sync, createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/** Password hashing and credential encryption as the platform does them. */

const hash = (password: string, salt: Buffer, cost: { m: number; t: number; p: number }) =>
  argon2Sync('argon2i', {
    message: password,
    nonce: salt,
    parallelism: cost.p,
    tagLength: 32,
    memory: cost.m,
    passes: cost.t,
  })
const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

/** A hash as on the platform, at the lowest cost: nobody guesses these passwords. */
export function hashPassword(password: string) {
  const salt = randomBytes(32)
  const hashed = hash(password, salt, { m: 64, t: 1, p: 1 })
  return `$argon2i$v=19$m=64,t=1,p=1$${base64(salt)}$${base64(hashed)}`
}

export function verifyPassword(stored: unknown, password: string) {
  const [, kind, , cost, salt, expected] = String(stored).split('$')
  if (kind !== 'argon2i' || !cost || !salt) return false
  const [m, t, p] = cost.split(',').map((part) => Number(part.slice(2))) as [number, number, number]
  return base64(hash(password, Buffer.from(salt, 'base64'), { m, t, p })) === expected
}

const key = () =>
  createHash('sha256')
    .update(process.env.ENCRYPTION_SECRET ?? process.env.JWT_SECRET ?? 'stock-api-secret')
    .digest('base64')
    .slice(0, 32)
/** One per process, as on the real server. */
const iv = randomBytes(16)

export function encrypt(text: string) {
  const cipher = createCipheriv('aes-256-cbc', key(), iv)
  const content = Buffer.concat([cipher.update(text), cipher.final()])
  return JSON.stringify({ iv: iv.toString('hex'), content: content.toString('hex') })
}

/** Returns `{}` for null and anything that cannot be decrypted. */
export function decrypt(stored: unknown): string {
  try {
    const { iv, content } = JSON.parse(String(stored)) as { iv: string; content: string }
    const decipher = createDecipheriv('aes-256-cbc', key(), Buffer.from(iv, 'hex'))
    return decipher.update(content, 'hex', 'utf8') + decipher.final('utf8')
  } catch {
    return '{}'
  }
}

export const obscure = (secret: unknown, shown = 6) => {
  const text = String(secret ?? '')
  return text.length <= shown ? text : text.slice(0, shown) + 'X'.repeat(text.length - shown)
}
