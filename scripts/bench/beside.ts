import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { api, type Endpoint } from '@switchroom/contract'
import { sql } from 'kysely'
import { openDb } from '../../packages/server/src/db/open.ts'
import { calls } from './calls.ts'
import { fill, removeAdded } from './data.ts'
import { type Database, environmentOf } from './databases.ts'
import { addApiKey, logIn } from './one-by-one.ts'
import { figure, median, type Row } from './report.ts'
import { type Load, type Loaded, load, startServer } from './server.ts'

/** Two servers asked in turns in one run, so that a slow machine is as slow for both. */

const root = fileURLToPath(new URL('../..', import.meta.url))

/** One of the two. */
type Side = { server: Loaded; token: string }
type Asked = { name: string; path: string; script?: (run: number) => string }
type Options = { rounds: number; seconds: number; folder: string }

/**
 * A line for each call: requests per second of both, how many times the other's ours are with its spread over the rounds,
 * and the processor's milliseconds of each where they are known, which a busy machine changes less. A round before warms up.
 */
export async function compare(
  sides: readonly [Side, Side],
  asked: readonly Asked[],
  { rounds, seconds, folder }: Options,
): Promise<Row[]> {
  const measured = asked.map((call) => ({ call, loads: [[], []] as [Load[], Load[]] }))
  for (let round = -1; round < rounds; round++)
    // who is asked second finds the machine warmer
    for (const [nth, { call, loads }] of measured.entries())
      for (const which of (round + nth) % 2 ? ([1, 0] as const) : ([0, 1] as const)) {
        const script = call.script?.(2 * round + which)
        const asking = { ...sides[which], path: `/api/v1${call.path}`, ...(script && { script }) }
        const found = await load(asking, { seconds, folder })
        if (round >= 0) loads[which].push(found)
      }
  return measured.map(({ call, loads: [ours, other] }) => {
    const times = ours.map(({ perSecond }, i) => perSecond / other[i]!.perSecond)
    const cpu = (of: Load[]) => figure(median(of.map(({ cpu }) => cpu)))
    return {
      call: call.name,
      'ours /s': figure(median(ours.map(({ perSecond }) => perSecond))),
      'other /s': figure(median(other.map(({ perSecond }) => perSecond))),
      times: figure(median(times)),
      spread: `${figure(Math.min(...times))} to ${figure(Math.max(...times))}`,
      'ours CPU ms': cpu(ours),
      'other CPU ms': cpu(other),
      refused: [...ours, ...other].some(({ refused }) => refused > 0) ? 'yes' : '',
    }
  })
}

/** The sources of a commit below a folder, with the packages of these. */
export function checkOut(commit: string, folder: string) {
  const copy = join(folder, 'against')
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { stdio: 'pipe' })
  git('worktree', 'add', '--detach', copy, commit)
  // copied, not linked: those of the workspace lead to the folder that they are in
  const packages = [
    '.',
    ...['contract', 'server', 'console', 'client', 'config', 'cli'].map(
      (name) => `packages/${name}`,
    ),
  ]
  for (const name of packages)
    execFileSync('cp', ['-a', join(root, name, 'node_modules'), join(copy, name)], {
      stdio: 'ignore',
    })
  // a build is no part of a start
  for (const cwd of [root, copy])
    execFileSync(process.execPath, ['scripts/build.ts'], { cwd, stdio: 'ignore' })
  return { copy, remove: () => git('worktree', 'remove', '--force', copy) }
}

/** Two builds, each on a database of its own with the same rows. */
export async function compareBuilds(
  copy: string,
  [database, another]: readonly [Database, Database],
  numbers: number,
  options: Options & { only: string | undefined },
): Promise<Row[]> {
  const open = async (of: Database, cwd: string) => {
    const server = await startServer('scripts/start.js', of.environment, undefined, cwd)
    const db = openDb(of.config)
    await fill(db, numbers)
    const { token, user_sid } = await logIn(server)
    const key = await addApiKey(server, token)
    return { db, server, token: key, user_sid }
  }
  const ours = await open(database, root)
  const other = await open(another, copy)
  const asked = calls(numbers, ours.user_sid).filter(
    // each database has users of its own
    ({ name, sessionOnly }) =>
      !sessionOnly && name !== 'one user' && name.includes(options.only ?? ''),
  )
  // both have given back what starting took
  await new Promise((r) => setTimeout(r, 15_000))
  const rows = await compare([ours, other], asked, options)
  for (const { db, server } of [ours, other]) {
    await server.stop()
    await removeAdded(db)
    await db.destroy()
  }
  return rows
}

const SIZE = 'page=1&page_size=25'

/**
 * Everything that a stock server and ours answer from one database: whole lists, first pages and single reads, each for the
 * first thing that is there.
 */
export async function sharedCalls(sides: readonly [Side, Side]): Promise<Asked[]> {
  const answer = async ({ server, token }: Side, path: string) => {
    const response = await fetch(`${server.url}/api/v1${path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    return response.ok ? await response.json().catch(() => undefined) : undefined
  }
  const sids: Record<string, string> = {}
  for (const path of ['/Accounts', '/Applications', '/VoipCarriers', '/PhoneNumbers', '/Users']) {
    const [first] = [(await answer(sides[1], path)) ?? []].flat()
    for (const [name, value] of Object.entries(first ?? {}))
      if (name.endsWith('_sid') && typeof value === 'string') sids[name] ??= value
  }
  const plain = ({
    method,
    own,
    hosted,
    access,
    file,
    sound,
    picture,
    stream,
    callsOutside,
  }: Endpoint) =>
    method === 'GET' &&
    access !== 'public' &&
    !(own || hosted || file || sound || picture || stream || callsOutside)
  const paths = Object.values(api)
    .flatMap((group) => Object.values<Endpoint>(group))
    .filter(plain)
    .flatMap(({ path, list }) => {
      const filled = path.replace(/:(\w+)/g, (param, name) => sids[name] ?? param)
      if (filled.includes(':')) return []
      return list ? [filled, `${filled}?${SIZE}`] : [filled]
    })
  const asked: Asked[] = []
  for (const path of new Set(paths)) {
    const answers = await Promise.all(sides.map((side) => answer(side, path)))
    if (answers.every((body) => body !== undefined)) asked.push({ name: path, path })
  }
  return asked
}

/** Two databases of a kind. Redis would make one installation of the two servers. */
export async function twoOf({ kind, config, environment }: Database, folder: string) {
  const { JAMBONES_REDIS_HOST, JAMBONES_REDIS_PORT, ...own } = environment
  const data = join(folder, 'other')
  mkdirSync(data)
  const database = { kind, config, environment: own }
  if (config.kind === 'sqlite') {
    const file = { kind: 'sqlite', file: join(data, 'switchroom.db') } as const
    return [database, { kind, config: file, environment: environmentOf(data) }] as const
  }
  const db = openDb(config)
  await sql`create database against`.execute(db)
  await db.destroy()
  const environmentOfOther = { ...own, SWITCHROOM_DATA: data, JAMBONES_MYSQL_DATABASE: 'against' }
  const other = {
    kind,
    config: { ...config, database: 'against' },
    environment: environmentOfOther,
  }
  return [database, other] as const
}
