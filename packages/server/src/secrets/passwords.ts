import { randomBytes } from 'node:crypto'

/** Options of argon2, as on the platform. The 1 is argon2i: the library's const enum cannot be imported. */
export const hashOptions = () => ({
  algorithm: 1,
  memoryCost: 65_536,
  timeCost: 3,
  parallelism: 4,
  outputLen: 32,
  salt: randomBytes(32),
})

/** Hashes and verifies passwords. */
export type Passwords = {
  hash: (plain: string) => Promise<string>
  /** Verifies argon2 hashes of any type and cost. Other hashes match no password. */
  verify: (stored: string, plain: string) => Promise<boolean>
  close: () => Promise<void>
}

// a server hashes in threads, and does without the library itself
const argon2 = () => import('@node-rs/argon2')

export const hashPassword = async (plain: string) => (await argon2()).hash(plain, hashOptions())

export const verifyPassword = async (stored: string, plain: string) =>
  (await argon2()).verify(stored, plain).catch(() => false)

/** In Node's own threads, as commands and tests do. */
export const passwordsHere: Passwords = {
  hash: hashPassword,
  verify: verifyPassword,
  close: async () => undefined,
}
