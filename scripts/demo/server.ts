import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from '../build.ts'
import { START } from '../start-command.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** This port if it is free, else another one. Only on this machine. */
async function free(usual: number) {
  for (const port of [usual, 0]) {
    const server = createServer()
    const taken = new Promise<number | undefined>((resolve) => {
      server.once('error', () => resolve(undefined))
      server.listen(port, '127.0.0.1', () => {
        const { port } = server.address() as { port: number }
        server.close(() => resolve(port))
      })
    })
    const found = await taken
    if (found !== undefined) return found
  }
  throw new Error('No port is free')
}

export type Ports = Awaited<ReturnType<typeof choosePorts>>
export const choosePorts = async () => ({
  http: await free(Number(process.env.HTTP_PORT) || 3000),
  influx: await free(8086),
  traces: await free(4318),
  hep: await free(9060),
  // not the usual ones: a platform on this machine must not take the demo for its own Redis
  redis: await free(16_379),
  feature_server: await free(13_000),
  voice: await free(13_001),
})

/**
 * Starts Switchroom as `npm start` does, with its own folder and nothing of this environment's configuration but
 * `more`, so that it cannot reach somebody's database.
 */
export async function startServer(
  folder: string,
  ports: Ports,
  password: string,
  more: Record<string, string> = {},
) {
  await build()
  const log = openSync(join(folder, 'server.log'), 'a', 0o600)
  const local = (port: number) => `127.0.0.1:${port}`
  const child = spawn(process.execPath, START, {
    cwd: ROOT,
    stdio: ['ignore', log, log],
    // Ctrl-C is for the demo, which stops it at the right time
    detached: true,
    env: {
      PATH: process.env.PATH,
      ...(process.env.TZ && { TZ: process.env.TZ }),
      ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
      // it then ends with its parent, this process
      npm_lifecycle_event: 'start',
      HTTP_PORT: String(ports.http),
      SWITCHROOM_DATA: folder,
      SWITCHROOM_ADMIN_PASSWORD: password,
      SWITCHROOM_INGEST_INFLUX: local(ports.influx),
      SWITCHROOM_INGEST_OTLP: local(ports.traces),
      SWITCHROOM_INGEST_HEP: local(ports.hep),
      SWITCHROOM_RECORDINGS_MAX_GB: '1',
      SWITCHROOM_ALLOW_NETWORKS: '127.0.0.1/32',
      JAMBONES_REDIS_HOST: '127.0.0.1',
      JAMBONES_REDIS_PORT: String(ports.redis),
      JAMBONES_LOGLEVEL: 'warn',
      ...more,
    },
  })
  const url = `http://127.0.0.1:${ports.http}`
  await untilReady(child, url, folder)
  return {
    url,
    pid: child.pid!,
    /** Resolves when it has ended. */
    ended: once(child, 'exit'),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

async function untilReady(child: ChildProcess, url: string, folder: string) {
  for (let tries = 0; tries < 1_200; tries++) {
    if (child.exitCode !== null)
      throw new Error(`Switchroom did not start. ${join(folder, 'server.log')} says why.`)
    const answer = await fetch(`${url}/ready`).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((r) => setTimeout(r, 50))
  }
  child.kill('SIGKILL')
  throw new Error('Switchroom is not ready after a minute.')
}
