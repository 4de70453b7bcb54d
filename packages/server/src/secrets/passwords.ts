import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

/** Hashes as the platform does. The 1 is argon2i: the library's const enum cannot be imported. */
export const hashPassword = (plain: string) =>
  hash(plain, {
    algorithm: 1,
    memoryCost: 65_536,
    timeCost: 3,
    parallelism: 4,
    outputLen: 32,
    salt: randomBytes(32),
  })

/** Verifies argon2 hashes of any type and cost. Other hashes match no password. */
export const verifyPassword = (stored: string, plain: string) =>
  verify(stored, plain).catch(() => false)
