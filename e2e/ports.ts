import { createServer } from 'node:net'

const FIRST_PORT = 20_000
const PORTS_PER_RUN = 3_000
const PORTS_PER_WORKER = 900

// below the system's ephemeral ports, in a range for each worker and run
let nextPort =
  FIRST_PORT +
  (process.ppid % 4) * PORTS_PER_RUN +
  (Number(process.env.VITEST_POOL_ID ?? 0) % 4) * PORTS_PER_WORKER

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/** A free port that no other story takes, however long the server needs to start. */
export async function freePort() {
  while (!(await isFree(nextPort))) nextPort++
  return nextPort++
}
