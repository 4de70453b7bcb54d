import { createRequire } from 'node:module'

type Argon2 = typeof import('@node-rs/argon2')
// bypasses the alias that leads here
const real = createRequire(import.meta.url)('@node-rs/argon2') as Argon2

/** Replaces password hashing in tests with the lowest cost, a thousandth of the real one. */
export const hash: Argon2['hash'] = (plain, options, signal) =>
  real.hash(plain, { ...options, memoryCost: 64, timeCost: 1, parallelism: 1 }, signal)
export const verify: Argon2['verify'] = real.verify
