import { existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDb } from '../packages/server/src/db/open.ts'
import { prepareDatabase } from '../packages/server/src/db/prepare.ts'
import { calls } from './bench/calls.ts'
import { fill, removeAdded } from './bench/data.ts'
import { startDatabases } from './bench/databases.ts'
import { logIn } from './bench/one-by-one.ts'
import { load, processorTime, type Server, startServer } from './bench/server.ts'

/**
 * Measures what a second process on the same MariaDB and Redis gives. Each process may use a part of a processor only,
 * so that MariaDB, Redis and the generator of the load have enough of the others. Needs root and cgroup v1.
 */
const { values } = parseArgs({
  options: {
    /** How much of a processor each process may use. */
    processor: { type: 'string', default: '0.2' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    numbers: { type: 'string', default: '100000' },
  },
})
const seconds = Number(values.seconds)
const folder = mkdtempSync(join(tmpdir(), 'switchroom-bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const median = (all: number[]) => all.toSorted((a, b) => a - b)[all.length >> 1]!

const CONTROLLER = '/sys/fs/cgroup/cpu'
/** Short, so that a process that has used its part does not wait for long. */
const PERIOD_US = 10_000
const groups: string[] = []
function limit({ pid }: Server) {
  if (!existsSync(CONTROLLER)) throw new Error(`this needs cgroup v1: ${CONTROLLER} is not there`)
  const group = join(CONTROLLER, `switchroom-bench-${pid}`)
  mkdirSync(group)
  groups.push(group)
  writeFileSync(join(group, 'cpu.cfs_period_us'), String(PERIOD_US))
  writeFileSync(join(group, 'cpu.cfs_quota_us'), String(Number(values.processor) * PERIOD_US))
  writeFileSync(join(group, 'cgroup.procs'), String(pid))
}

const { databases, programs, stop } = await startDatabases(folder, 'mysql')
const { config, environment } = databases[0]!
const db = openDb(config)
await prepareDatabase(db)
await fill(db, Number(values.numbers))

const servers: Server[] = []
for (const _ of [1, 2]) servers.push(await startServer('scripts/start.js', environment))
const { token, user_sid } = await logIn(servers[0]!)
const WANTED = [
  'applications, page 1',
  'phone numbers, any page',
  'one account',
  'one carrier with its gateways',
  'add a phone number',
]
const wanted = calls(Number(values.numbers), user_sid).filter(({ name }) => WANTED.includes(name))

/** Each adds numbers of its own. */
let run = 0
type Measured = { perSecond: number; mariadb: number; redis: number }

/** Requests per second of these processes together, and the processors that MariaDB and Redis used meanwhile. */
async function measure(servers: Server[], call: (typeof wanted)[number]): Promise<Measured> {
  const pids = [programs.MariaDB!.pid!, programs.Redis!.pid!]
  const before = pids.map(processorTime)
  const loads = await Promise.all(
    servers.map((server) =>
      load(
        { server, path: `/api/v1${call.path}`, token, script: call.script?.(run++) },
        { seconds, folder: mkdtempSync(join(folder, 'wrk-')) },
      ),
    ),
  )
  if (loads.some(({ refused }) => refused > 0)) throw new Error(`${call.name} was refused`)
  const used = pids.map((pid, i) => (processorTime(pid) - before[i]!) / 1_000 / seconds)
  return {
    perSecond: loads.reduce((sum, { perSecond }) => sum + perSecond, 0),
    mariadb: used[0]!,
    redis: used[1]!,
  }
}

// warm before they are limited
for (const call of wanted) for (const server of servers) await measure([server], call)
for (const server of servers) limit(server)

const rows = []
for (const call of wanted) {
  const one: Measured[] = []
  const two: Measured[] = []
  for (let round = 0; round < Number(values.rounds); round++) {
    one.push(await measure(servers.slice(0, 1), call))
    two.push(await measure(servers, call))
  }
  const of = (all: Measured[], name: keyof Measured) => median(all.map((each) => each[name]))
  rows.push({
    call: call.name,
    'one, a second': Math.round(of(one, 'perSecond')),
    'two, a second': Math.round(of(two, 'perSecond')),
    times: Math.round((of(two, 'perSecond') / of(one, 'perSecond')) * 100) / 100,
    'MariaDB, processors': Math.round(of(two, 'mariadb') * 100) / 100,
    'Redis, processors': Math.round(of(two, 'redis') * 100) / 100,
  })
}
console.table(rows)
await removeAdded(db)
await db.destroy()
for (const server of servers) await server.stop()
for (const group of groups) rmdirSync(group)
await stop()
process.exit()
