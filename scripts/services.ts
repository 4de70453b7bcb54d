import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'

/** What the tests run against, for real: the program that is looked for, and Debian's package of it. */
const WANTED = {
  MariaDB: { program: '/usr/sbin/mariadbd', package: 'mariadb-server' },
  Redis: { program: '/usr/bin/redis-server', package: 'redis-server' },
  InfluxDB: { program: '/usr/bin/influxd', package: 'influxdb' },
  Chromium: { program: '/usr/bin/chromium', package: 'chromium' },
  SIPp: { program: '/usr/bin/sipp', package: 'sip-tester' },
  TShark: { program: '/usr/bin/tshark', package: 'tshark' },
} as const
export type Service = keyof typeof WANTED

export type Services = {
  /** Where they are, as the tests expect to be told. */
  env: Record<string, string>
  /** What could not be had here, by name. */
  left_out: Service[]
  stop: () => void
}

/** Installs what is missing where that is possible: on Debian, as root. */
function install(missing: Service[]) {
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  const packages = missing.map((s) => WANTED[s].package)
  console.log(`Installing ${packages.join(', ')}…`)
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
    // another apt may hold the lists, which are then being renewed anyway
    console.error('apt-get update failed; trying with the lists that are there')
  }
  try {
    apt('install', '-y', '--no-install-recommends', ...packages)
  } catch {
    console.error('apt-get failed; going on with what is there')
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

/** What a program printed that `execFileSync` ran and that failed. */
const outputOf = (e: unknown) => {
  const { stdout = '', stderr = '' } = e as { stdout?: string; stderr?: string }
  return `${stdout}${stderr}`.trim()
}

async function until(what: string, ready: () => Promise<unknown>) {
  for (let tries = 0; ; tries++) {
    try {
      return await ready()
    } catch (e) {
      if (tries > 300) throw new Error(`${what} did not come up`, { cause: e })
      await new Promise((r) => setTimeout(r, 100))
    }
  }
}

/**
 * Brings up servers of our own on free ports, with data that is thrown away, and takes them down again:
 * by `stop`, and in any case when this process ends.
 */
export async function startServices(wanted = Object.keys(WANTED) as Service[]): Promise<Services> {
  install(wanted.filter((s) => !existsSync(WANTED[s].program)))
  const there = wanted.filter((s) => existsSync(WANTED[s].program))
  const folder = mkdtempSync(join(tmpdir(), 'switchroom-services-'))
  const children: ChildProcess[] = []
  /** The end of what each program has said. */
  const said: Record<string, string> = {}
  const run = (program: string, args: string[]) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd: folder })
    children.push(child)
    const tail = (chunk: Buffer) => {
      said[program] = `${said[program] ?? ''}${chunk}`.slice(-4_000)
    }
    child.stdout.on('data', tail)
    child.stderr.on('data', tail)
    child.once('error', (e) => tail(Buffer.from(e.message)))
  }
  const stop = () => {
    for (const child of children) child.kill('SIGKILL')
    children.length = 0
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  process.once('exit', stop)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(130))

  const start: Record<Service, () => Promise<Record<string, string>>> = {
    async MariaDB() {
      const port = await freePort()
      const data = join(folder, 'mariadb')
      const common = ['--no-defaults', `--datadir=${data}`]
      execFileSync(
        'mariadb-install-db',
        [...common, '--auth-root-authentication-method=normal', '--skip-test-db'],
        // what it says is part of the error when it fails
        { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' },
      )
      run(WANTED.MariaDB.program, [
        ...common,
        '--user=root',
        '--bind-address=127.0.0.1',
        `--port=${port}`,
        `--socket=${join(folder, 'mariadb.sock')}`,
        `--pid-file=${join(folder, 'mariadb.pid')}`,
        '--skip-log-bin',
        '--innodb-buffer-pool-size=256M',
      ])
      await until('MariaDB', async () => {
        const connection = await createConnection({ host: '127.0.0.1', port, user: 'root' })
        await connection.query('select 1')
        await connection.end()
      })
      return { TEST_MYSQL_URL: `mysql://root@127.0.0.1:${port}/` }
    },
    async Redis() {
      const port = await freePort()
      const where = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder]
      run(WANTED.Redis.program, [...where, '--save', '', '--databases', '64'])
      const { Redis } = await import('ioredis')
      const redis = new Redis({ port, lazyConnect: true, retryStrategy: () => null })
      redis.on('error', () => undefined) // asked again until it answers
      await until('Redis', () => redis.connect().then(() => redis.ping()))
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
      run(WANTED.InfluxDB.program, ['-config', file])
      await until('InfluxDB', () => fetch(`http://127.0.0.1:${port}/ping`))
      return { TEST_INFLUX_URL: `http://127.0.0.1:${port}` }
    },
    Chromium: async () => ({ CHROMIUM: WANTED.Chromium.program }),
    SIPp: async () => ({ SIPP: WANTED.SIPp.program }),
    TShark: async () => ({ TSHARK: WANTED.TShark.program }),
  }
  try {
    const env = await Promise.all(there.map((service) => start[service]()))
    return {
      env: Object.assign({}, ...env),
      left_out: wanted.filter((s) => !there.includes(s)),
      stop,
    }
  } catch (e) {
    stop()
    const output = Object.entries({ ...said, 'mariadb-install-db': outputOf(e) })
      .filter(([, text]) => text)
      .map(([program, text]) => `\n== ${program}\n${text}`)
    throw new Error(`${(e as Error).message}${output.join('')}`, { cause: e })
  }
}

if (import.meta.main) {
  const { env, left_out } = await startServices()
  for (const [name, value] of Object.entries(env)) console.log(`export ${name}=${value}`)
  if (left_out.length > 0) console.log(`# not here: ${left_out.join(', ')}`)
  console.log('# Ctrl-C takes them down')
  setInterval(() => undefined, 1 << 30)
}
