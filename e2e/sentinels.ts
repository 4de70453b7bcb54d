import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { expect } from 'vitest'
import { freePort } from './ports.ts'

const PROGRAM = '/usr/bin/redis-server'
export const hasRedis = existsSync(PROGRAM)

const HOST = '127.0.0.1'
const NAME = 'main'
const PASSWORDS = { redis: 'of the data', sentinel: 'of the sentinels' }
/** How long a primary may be silent before the sentinels replace it. */
const DOWN_MS = 2_000

/** Two real Redis servers, a primary and its replica, watched by three real sentinels. All ask for passwords. */
export async function startSentinels() {
  const folder = mkdtempSync(join(tmpdir(), 'switchroom-sentinels-'))
  const programs = new Map<number, ChildProcess>()
  const clients: Redis[] = []

  function run(port: number, lines: string[], ...options: string[]) {
    const home = join(folder, String(port))
    mkdirSync(home, { recursive: true })
    const file = join(home, 'redis.conf')
    // both kinds of server rewrite their file, and a replica becomes a primary in it
    if (!existsSync(file))
      writeFileSync(
        file,
        [`port ${port}`, `bind ${HOST}`, `dir ${home}`, 'save ""', ...lines].join('\n'),
      )
    programs.set(port, spawn(PROGRAM, [file, ...options], { stdio: 'ignore' }))
  }
  const dataLines = [
    `requirepass "${PASSWORDS.redis}"`,
    `masterauth "${PASSWORDS.redis}"`,
    // a new replica would have to wait five seconds for others
    'repl-diskless-sync-delay 0',
  ]
  const client = (port: number, password: string) => {
    const redis = new Redis({ host: HOST, port, password, retryStrategy: () => 50 })
    redis.on('error', () => undefined) // asked again until it answers
    clients.push(redis)
    return redis
  }

  const [first, second] = [await freePort(), await freePort()]
  run(first, dataLines)
  run(second, [...dataLines, `replicaof ${HOST} ${first}`])
  const replicating = (port: number) => {
    const replica = client(port, PASSWORDS.redis)
    return expect.poll(() => replica.info('replication')).toContain('master_link_status:up')
  }
  await replicating(second)

  const ports = [await freePort(), await freePort(), await freePort()]
  const ids = ports.map(() => randomBytes(20).toString('hex'))
  for (const [i, port] of ports.entries())
    run(
      port,
      [
        `requirepass "${PASSWORDS.sentinel}"`,
        `sentinel sentinel-pass "${PASSWORDS.sentinel}"`,
        `sentinel monitor ${NAME} ${HOST} ${first} 2`,
        `sentinel auth-pass ${NAME} "${PASSWORDS.redis}"`,
        `sentinel myid ${ids[i]}`,
        // what they would find out by themselves in ten seconds
        `sentinel known-replica ${NAME} ${HOST} ${second}`,
        ...ids.flatMap((id, other) =>
          other === i ? [] : [`sentinel known-sentinel ${NAME} ${HOST} ${ports[other]} ${id}`],
        ),
        `sentinel down-after-milliseconds ${NAME} ${DOWN_MS}`,
        `sentinel failover-timeout ${NAME} 2000`,
      ],
      '--sentinel',
    )
  const sentinels = ports.map((port) => client(port, PASSWORDS.sentinel))
  /** Returns each sentinel's view: the primary, and how many others watch it. */
  const known = () =>
    Promise.all(
      sentinels.map(async (sentinel) => {
        const flat = (await sentinel.call('sentinel', 'master', NAME)) as string[]
        const of = (name: string) => flat[flat.indexOf(name) + 1]
        return [of('port'), of('num-slaves'), of('num-other-sentinels'), of('flags')].join(' ')
      }),
    )
  const agreeOn = (port: number) =>
    expect.poll(known).toEqual(ports.map(() => `${port} 1 2 master`))
  await agreeOn(first)

  return {
    environment: {
      JAMBONES_REDIS_SENTINELS: ports.map((port) => `${HOST}:${port}`).join(','),
      JAMBONES_REDIS_SENTINEL_MASTER_NAME: NAME,
      JAMBONES_REDIS_SENTINEL_PASSWORD: PASSWORDS.redis,
      JAMBONES_REDIS_SENTINEL_SERVER_PASSWORD: PASSWORDS.sentinel,
    },
    first,
    second,
    /** Resolves when all sentinels name this primary, and its replica follows it. */
    agreeOn,
    signal: (port: number, signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT') =>
      programs.get(port)?.kill(signal),
    /** Starts a server that was killed as the replica of the other. */
    async rejoin(port: number) {
      run(port, dataLines, '--replicaof', HOST, String(port === first ? second : first))
      await replicating(port)
    },
    stop() {
      for (const redis of clients) redis.disconnect()
      for (const program of programs.values()) program.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
