import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createConnection } from 'mysql2/promise'

/** ClickHouse's engine as a library, which a small HTTP server before it makes a server for the tests. Half a gigabyte. */
const CHDB = 'chdb@3.4.0'
const chdb = join(homedir(), '.cache', 'switchroom', CHDB)
const CLICKHOUSE_SERVER = new URL('../packages/server/test/clickhouse-server.ts', import.meta.url)

export const chdbProgram = join(chdb, 'node_modules/chdb/index.js')

/** Real programs that the tests use: where each is installed, and its Debian package, or `npm`. */
const WANTED = {
  MariaDB: { program: '/usr/sbin/mariadbd', package: 'mariadb-server' },
  Redis: { program: '/usr/bin/redis-server', package: 'redis-server' },
  InfluxDB: { program: '/usr/bin/influxd', package: 'influxdb' },
  Chromium: { program: '/usr/bin/chromium-headless-shell', package: 'chromium-headless-shell' },
  SIPp: { program: '/usr/bin/sipp', package: 'sip-tester' },
  TShark: { program: '/usr/bin/tshark', package: 'tshark' },
  ClickHouse: { program: chdbProgram, package: 'npm' },
} as const
export type Service = keyof typeof WANTED

export type Services = {
  /** Environment variables that tell the tests where the services are. */
  env: Record<string, string>
  /** Services that are not installed and could not be. */
  left_out: Service[]
  /** The running program of each service that has one. */
  programs: Partial<Record<Service, ChildProcess>>
  stop: () => void
}

/** Installs the library for everybody's tests, in a moment: who looks meanwhile finds nothing, or all of it. */
function installChdb() {
  console.error(`Installing ${CHDB}…`)
  mkdirSync(dirname(chdb), { recursive: true })
  const made = mkdtempSync(`${chdb}-`)
  try {
    writeFileSync(join(made, 'package.json'), '{"private":true}')
    execFileSync('npm', ['install', '--no-audit', '--no-fund', CHDB], {
      cwd: made,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    renameSync(made, chdb)
  } catch {
    rmSync(made, { recursive: true, force: true })
    if (!existsSync(WANTED.ClickHouse.program))
      console.error(`${CHDB} could not be installed. Continuing without it.`)
  }
}

/** Installs missing packages if it can: on Debian, as root. */
function install(all: Service[]) {
  if (all.includes('ClickHouse')) installChdb()
  const missing = all.filter((s) => s !== 'ClickHouse')
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  const packages = missing.map((s) => WANTED[s].package)
  console.error(`Installing ${packages.join(', ')}…`)
  const apt = (...args: string[]) =>
    execFileSync(
      'apt-get',
      ['-qq', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3', ...args],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      },
    )
  try {
    apt('update')
  } catch {
    // often another apt-get holds the lock and is updating the lists itself
    console.error('apt-get update failed. Continuing with the existing package lists.')
  }
  try {
    apt('install', '-y', '--no-install-recommends', ...packages)
  } catch {
    console.error('apt-get install failed. Continuing without the missing packages.')
  }
}

export const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

/** A folder in memory, if there is enough: creating databases syncs to disk often. Containers have little memory. */
export function fastestFolder() {
  const memory = '/dev/shm'
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > 4 * 2 ** 30 ? memory : tmpdir()
}

/** The output of a program that failed in `execFileSync`. */
const outputOf = (e: unknown) => {
  const { stdout = '', stderr = '' } = e as { stdout?: string; stderr?: string }
  return `${stdout}${stderr}`.trim()
}

async function waitUntil(what: string, ready: () => Promise<unknown>) {
  for (let tries = 0; ; tries++) {
    try {
      return await ready()
    } catch (e) {
      if (tries > 300) throw new Error(`${what} did not start`, { cause: e })
      await new Promise((r) => setTimeout(r, 100))
    }
  }
}

/**
 * Starts the services on free ports with temporary data. `stop` ends them, and so does the end of this process.
 * Throws with the services' output if one does not start.
 */
export async function startServices(
  wanted = Object.keys(WANTED) as Service[],
  {
    parent = fastestFolder(),
    mariadb = [],
  }: {
    /** Parent of the folder with their data. */
    parent?: string
    /** More options of MariaDB. */
    mariadb?: string[]
  } = {},
): Promise<Services> {
  install(wanted.filter((s) => !existsSync(WANTED[s].program)))
  const available = wanted.filter((s) => existsSync(WANTED[s].program))
  const folder = mkdtempSync(join(parent, 'switchroom-services-'))
  const programs: Partial<Record<Service, ChildProcess>> = {}
  /** The last output of each program. */
  const lastOutput: Record<string, string> = {}
  const run = (service: Service, args: string[]) => {
    const program = service === 'ClickHouse' ? process.execPath : WANTED[service].program
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd: folder })
    programs[service] = child
    const tail = (chunk: Buffer) => {
      lastOutput[program] = `${lastOutput[program] ?? ''}${chunk}`.slice(-4_000)
    }
    child.stdout.on('data', tail)
    child.stderr.on('data', tail)
    child.once('error', (e) => tail(Buffer.from(e.message)))
  }
  const stop = () => {
    for (const child of Object.values(programs)) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  process.once('exit', stop)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(130))

  const start: Record<Service, () => Promise<Record<string, string>>> = {
    async MariaDB() {
      const port = await freePort()
      const data = join(folder, 'mariadb')
      const common = [
        '--no-defaults',
        `--datadir=${data}`,
        // in a shared folder, its start deletes other servers' temporary tables
        `--tmpdir=${folder}`,
      ]
      execFileSync(
        'mariadb-install-db',
        [...common, '--auth-root-authentication-method=normal', '--skip-test-db', ...mariadb],
        // piped, so that its output is part of the error
        { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' },
      )
      run('MariaDB', [
        ...common,
        '--user=root',
        '--bind-address=127.0.0.1',
        `--port=${port}`,
        `--socket=${join(folder, 'mariadb.sock')}`,
        `--pid-file=${join(folder, 'mariadb.pid')}`,
        '--skip-log-bin',
        '--innodb-buffer-pool-size=256M',
        // what tests write need not survive a power cut
        '--innodb-flush-log-at-trx-commit=0',
        '--skip-innodb-doublewrite',
        '--innodb-log-file-size=256M',
        '--skip-name-resolve',
        '--performance-schema=off',
        ...mariadb,
      ])
      await waitUntil('MariaDB', async () => {
        const connection = await createConnection({ host: '127.0.0.1', port, user: 'root' })
        await connection.query('select 1')
        await connection.end()
      })
      return { TEST_MYSQL_URL: `mysql://root@127.0.0.1:${port}/` }
    },
    async Redis() {
      const port = await freePort()
      const where = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder]
      run('Redis', [...where, '--save', '', '--databases', '64'])
      const { Redis } = await import('ioredis')
      const redis = new Redis({ port, lazyConnect: true, retryStrategy: () => null })
      redis.on('error', () => undefined) // retried until it answers
      await waitUntil('Redis', () => redis.connect().then(() => redis.ping()))
      redis.disconnect()
      return { TEST_REDIS_URL: `redis://127.0.0.1:${port}` }
    },
    async InfluxDB() {
      const [port, rpc] = [await freePort(), await freePort()]
      const at = (name: string) => {
        mkdirSync(join(folder, 'influx', name), { recursive: true })
        return JSON.stringify(join(folder, 'influx', name))
      }
      const file = join(folder, 'influx.conf')
      writeFileSync(
        file,
        `reporting-disabled = true\nbind-address = "127.0.0.1:${rpc}"\n[meta]\ndir = ${at('meta')}\n[data]\ndir = ${at('data')}\nwal-dir = ${at('wal')}\n[http]\nbind-address = "127.0.0.1:${port}"\nlog-enabled = false\n`,
      )
      run('InfluxDB', ['-config', file])
      await waitUntil('InfluxDB', () => fetch(`http://127.0.0.1:${port}/ping`))
      return { TEST_INFLUX_URL: `http://127.0.0.1:${port}` }
    },
    async ClickHouse() {
      const port = await freePort()
      run('ClickHouse', [
        fileURLToPath(CLICKHOUSE_SERVER),
        WANTED.ClickHouse.program,
        join(folder, 'clickhouse'),
        String(port),
      ])
      await waitUntil('ClickHouse', async () => {
        const answer = await fetch(`http://127.0.0.1:${port}/ping`)
        if (!answer.ok) throw new Error(await answer.text())
      })
      return { TEST_CLICKHOUSE_URL: `http://127.0.0.1:${port}` }
    },
    Chromium: async () => ({ CHROMIUM: WANTED.Chromium.program }),
    SIPp: async () => ({ SIPP: WANTED.SIPp.program }),
    TShark: async () => ({ TSHARK: WANTED.TShark.program }),
  }
  try {
    const env = await Promise.all(available.map((service) => start[service]()))
    return {
      env: Object.assign({}, ...env),
      left_out: wanted.filter((s) => !available.includes(s)),
      programs,
      stop,
    }
  } catch (e) {
    stop()
    const output = Object.entries({ ...lastOutput, 'mariadb-install-db': outputOf(e) })
      .filter(([, text]) => text)
      .map(([program, text]) => `\n== ${program}\n${text}`)
    throw new Error(`${(e as Error).message}${output.join('')}`, { cause: e })
  }
}

if (import.meta.main) {
  const { env, left_out } = await startServices()
  for (const [name, value] of Object.entries(env)) console.log(`export ${name}=${value}`)
  if (left_out.length > 0) console.log(`# not installed: ${left_out.join(', ')}`)
  console.log('# Ctrl-C stops them')
  setInterval(() => undefined, 1 << 30)
}
