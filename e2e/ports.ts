import { createServer } from 'node:net'

const FIRST = 20_000
const OF_A_RUN = 3_000
const OF_A_WORKER = 900

// below those that the system gives out by itself, and apart from those of other workers and other runs
let next =
  FIRST +
  (process.ppid % 4) * OF_A_RUN +
  (Number(process.env.VITEST_POOL_ID ?? 0) % 4) * OF_A_WORKER

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/** A port that nothing else takes before the story does, however long its server needs to start. */
export async function freePort() {
  while (!(await isFree(next))) next++
  return next++
}
