import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

/** As the platform stores it. The 1 is argon2i, whose name is a const enum of the library. */
export const hashPassword = (plain: string) =>
  hash(plain, {
    algorithm: 1,
    memoryCost: 65_536,
    timeCost: 3,
    parallelism: 4,
    outputLen: 32,
    salt: randomBytes(32),
  })

/** For argon2 hashes of any kind and cost. What is no such hash fits no password. */
export const verifyPassword = (stored: string, plain: string) =>
  verify(stored, plain).catch(() => false)
