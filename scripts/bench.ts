import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDb } from '../packages/server/src/db/open.ts'
import { prepareDatabase } from '../packages/server/src/db/prepare.ts'
import { checkOut, compare, compareBuilds, sharedCalls, twoOf } from './bench/beside.ts'
import { calls, coldLists, WARM_UP } from './bench/calls.ts'
import { fill, removeAdded } from './bench/data.ts'
import { type Database, startDatabases } from './bench/databases.ts'
import { askEveryOn, slowest } from './bench/endpoints.ts'
import { type Measured as Loads, loadRow } from './bench/loads.ts'
import { addApiKey, ask, askForAll, logIn, search, storm } from './bench/one-by-one.ts'
import { print, type Section, write } from './bench/report.ts'
import { load, type Server, startServer } from './bench/server.ts'
import { type Single, type Measured as Singles, singleRows } from './bench/singles.ts'

/**
 * Measures the API on a filled database beside its limits, a bare ceiling (the same rows from the same HTTP framework,
 * without authentication or counting), and the stock server's figures, which were measured elsewhere.
 * docs/performance.md explains the columns and keeps the last run.
 */
const { values } = parseArgs({
  options: {
    /** Duration of each call in each round. */
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    numbers: { type: 'string', default: '100000' },
    /** sqlite or mysql. */
    database: { type: 'string' },
    /** Only calls whose name has this text; `endpoints`: only every endpoint once. */
    only: { type: 'string' },
    /** A commit to compare with: its build and this one are asked in turns, and nothing else is measured. */
    against: { type: 'string' },
    /** Addresses of a stock server and of ours on one database, to compare with BENCH_TOKEN, an API key. */
    stock: { type: 'string' },
    ours: { type: 'string', default: 'http://127.0.0.1:3000' },
    /** Keep the result in docs/performance.md. */
    write: { type: 'boolean', default: false },
    /** Exit with 1 if a limit is not reached. */
    check: { type: 'boolean', default: false },
  },
})
const seconds = Number(values.seconds)
const numbers = Number(values.numbers)
const rounds = Number(values.rounds)
const folder = mkdtempSync(join(tmpdir(), 'switchroom-bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/** After this long V8 has given back what starting took. */
const IDLE_SECONDS = 15
const pause = (seconds: number) => new Promise((r) => setTimeout(r, seconds * 1_000))

const loads = new Map<string, Map<string, Loads>>()
const singles = new Map<string, Singles>()

/** One round on one database: a few starts with what only happens after a start, then every call. */
async function round({ kind, config, environment }: Database, nth: number) {
  const add = (key: Single, value: number) => {
    const of = getOrAdd(singles, kind, () => new Map())
    getOrAdd(of, key, () => []).push(value)
  }
  const start = () => startServer('scripts/start.js', environment)
  if (nth === 0) {
    // builds the console and fills the compile cache, if need be
    const first = await start()
    await pause(5)
    await first.stop()
  }

  let server: Server | undefined
  for (let starts = 0; starts < 3; starts++) {
    await server?.stop()
    server = await start()
    add('start', server.start_ms)
    await pause(starts === 0 ? IDLE_SECONDS : 3)
    if (starts === 0) add('idle', server.memory())
    await askCold(server, add)
  }
  const api = server!
  const { token, user_sid } = await logIn(api)
  const key = await addApiKey(api, token)
  await ask(api, WARM_UP, key)
  const ceiling = await startServer('scripts/bench/ceiling.ts', {
    BENCH_DATABASE: JSON.stringify(config),
  })
  // a log-in takes 64 MB for a moment
  api.forgetPeak()
  for (const call of calls(numbers, user_sid)) {
    if (values.only && !call.name.includes(values.only)) continue
    const of = getOrAdd(
      getOrAdd(loads, kind, () => new Map<string, Loads>()),
      call.name,
      () => ({
        session: [],
        key: [],
        bare: [],
      }),
    )
    const path = `/api/v1${call.path}`
    const options = { seconds, folder }
    const by = (token: string, run: number, during = options) =>
      load({ server: api, path, token, script: call.script?.(run) }, during)
    // the first one warms up for all
    await by(token, 90 + nth, { seconds: nth === 0 ? seconds : 1, folder })
    of.session.push(await by(token, 2 * nth))
    if (!call.sessionOnly) of.key.push(await by(key, 2 * nth + 1))
    if (call.bare) {
      const path = `/bare?sql=${encodeURIComponent(call.bare)}`
      of.bare.push(await load({ server: ceiling, path, token: '' }, options))
    }
  }
  await ceiling.stop()
  const mostBefore = api.peak()
  add('loaded', mostBefore)
  add('after', api.memory())

  const all = await askForAll(api, token)
  add('all', all.seconds)
  add('allGrown', all.grown)
  const zipped = await askForAll(api, token, { 'accept-encoding': 'gzip' })
  add('allZipped', zipped.seconds)
  add('allZippedBytes', zipped.megabytes)

  add('search', await search(api, token))

  const { quiet, during, perSecond } = await storm(api, token, Math.max(5, seconds))
  add('quiet', quiet)
  add('storm', during)
  add('stormRatio', during / quiet)
  add('logIns', perSecond)
  add('peak', Math.max(api.peak(), mostBefore))
  await api.stop()
  const db = openDb(config)
  await removeAdded(db)
  await db.destroy()
}

async function askCold(server: Server, add: (key: Single, value: number) => void) {
  const { token } = await logIn(server)
  add('first', (await ask(server, WARM_UP, token)).ms)
  for (const [key, paths] of Object.entries(coldLists))
    for (const path of paths) add(key as Single, (await ask(server, path, token)).ms)
}

/** Asks every endpoint once as each kind of caller. Shows the slowest, and those over their budget. */
async function everyEndpoint(): Promise<Section[]> {
  const sections: Section[] = []
  for (const { kind, config } of databases) {
    console.log(`Every endpoint, ${kind}…`)
    const asked = await askEveryOn(config)
    const count = new Set(asked.map(({ title }) => title)).size
    const title = `Every endpoint, ${kind}: the slowest of ${count}, in ${asked.length} calls`
    sections.push({ title, rows: slowest(asked) })
  }
  return sections
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
if (!existsSync('/usr/bin/wrk')) {
  console.error('wrk is not installed. Run: apt-get install wrk')
  process.exit(1)
}
if (values.stock) {
  const token = process.env.BENCH_TOKEN
  if (!token) throw new Error('BENCH_TOKEN is not set: an API key that both servers know')
  const side = (url: string) => ({ server: { url, processor: () => 0 }, token })
  const sides = [side(values.ours), side(values.stock)] as const
  const shared = await sharedCalls(sides)
  const asked = shared.filter(({ name }) => name.includes(values.only ?? ''))
  const rows = await compare(sides, asked, { rounds, seconds, folder })
  print([{ title: `Ours beside ${values.stock}, 32 connections`, rows }])
  process.exit(0)
}
const { databases, stop } = await startDatabases(folder, values.database)
if (values.against) {
  const against = checkOut(values.against, folder)
  process.once('exit', against.remove)
  const options = { rounds, seconds, folder, only: values.only }
  for (const database of databases) {
    const two = await twoOf(database, mkdtempSync(join(folder, 'two-')))
    const rows = await compareBuilds(against.copy, two, numbers, options)
    print([{ title: `Beside ${values.against}, ${database.kind}, 32 connections`, rows }])
  }
  stop()
  process.exit(0)
}
if (values.only === 'endpoints') {
  print(await everyEndpoint())
  stop()
  process.exit(0)
}
for (const { kind, config } of databases) {
  console.log(`Filling ${kind}…`)
  const db = openDb(config)
  await prepareDatabase(db)
  await fill(db, numbers)
  await db.destroy()
}
for (let nth = 0; nth < rounds; nth++)
  for (const database of databases) {
    console.log(`Round ${nth + 1}, ${database.kind}…`)
    await round(database, nth)
  }
const every = await everyEndpoint()
stop()

const loadRows = calls(numbers, '').flatMap((call) =>
  databases.flatMap(({ kind }) => {
    const measured = loads.get(kind)?.get(call.name)
    return measured ? [loadRow(call, kind, measured)] : []
  }),
)
const one = singleRows(singles, numbers)
const sections = [
  { title: `32 connections, ${numbers.toLocaleString('en-US')} phone numbers`, rows: loadRows },
  { title: 'One at a time', rows: one },
  ...every,
]
print(sections)
if (values.write) write(numbers > 100_000 ? 'bench, a million' : 'bench', sections)
const missed = [...loadRows, ...one].some((row) => /^(?:no|refused)/.test(row.reached!))
process.exit(values.check && missed ? 1 : 0)
