import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

/** As the platform does. The 1 is argon2i: the library's const enum cannot be imported. */
export const hashOptions = () => ({
  algorithm: 1,
  memoryCost: 65_536,
  timeCost: 3,
  parallelism: 4,
  outputLen: 32,
  salt: randomBytes(32),
})

/** What hashes and verifies passwords. */
export type Passwords = {
  hash: (plain: string) => Promise<string>
  /** Verifies argon2 hashes of any type and cost. Other hashes match no password. */
  verify: (stored: string, plain: string) => Promise<boolean>
  close: () => Promise<void>
}

export const hashPassword = (plain: string) => hash(plain, hashOptions())

export const verifyPassword = (stored: string, plain: string) =>
  verify(stored, plain).catch(() => false)

/** In Node's own threads, as commands and tests do. */
export const passwordsHere: Passwords = {
  hash: hashPassword,
  verify: verifyPassword,
  close: async () => undefined,
}
