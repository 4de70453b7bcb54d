import { createServer, type Server } from 'node:net'

// below the system's ephemeral ports
const FIRST_PORT = 20_000
const RANGES = 80
const PORTS = 150

const listen = (port: number) =>
  new Promise<Server | undefined>((resolve) => {
    const server = createServer().once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => resolve(server))
  })

async function isFree(port: number) {
  const server = await listen(port)
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)))
  return server !== undefined
}

let next = 0
let end = 0

/** A range for this worker alone: whoever listens at its first port has it, in whatever run, until it ends. */
async function claimRange() {
  for (let i = 0; i < RANGES; i++) {
    const first = FIRST_PORT + ((process.pid + i) % RANGES) * PORTS
    const claim = await listen(first)
    if (!claim) continue
    claim.unref()
    next = first + 1
    end = first + PORTS
    return
  }
  throw new Error('Other runs have all ports')
}

/** A free port that no other story takes, however long the server needs to start. */
export async function freePort() {
  for (;;) {
    if (next === end) await claimRange()
    const port = next++
    if (await isFree(port)) return port
  }
}
