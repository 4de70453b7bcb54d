import { createRequire } from 'node:module'
import { isMainThread } from 'node:worker_threads'

/**
 * Preloaded into the servers of stories: their threads hash passwords at the lowest cost, as the server's tests do. A
 * real hash takes a third of a second of a processor. Verifying has the cost of the hash, so that it stays real.
 */
if (!isMainThread) {
  const argon2 = createRequire(import.meta.url)('@node-rs/argon2')
  const { hashSync } = argon2
  argon2.hashSync = (plain, options, signal) =>
    hashSync(plain, { ...options, memoryCost: 64, timeCost: 1, parallelism: 1 }, signal)
}
