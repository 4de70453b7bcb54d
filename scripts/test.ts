import { type ChildProcess, spawn } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { filesUsingServices } from '../packages/server/test/files-using-services.ts'
import { processorSeconds } from './processor-time.ts'
import { unsaid } from './sentences.ts'
import { fastestFolder, type Services, startServices } from './services.ts'
import {
  type Cost,
  type Part,
  partOf,
  type Report,
  type Retry,
  readLines,
  summary,
} from './test-report.ts'
import { servicesOf } from './test-services.ts'
import { type BreaksReport, TrustTable } from './trust-table.ts'

/**
 * Runs everything: lint, types, tests on both databases, browser tests. With paths of test files, or parts of them, only
 * those, each on the databases it belongs on, with the services it needs.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' } },
})
const only = values.only
if (only !== undefined && !['check', 'sqlite', 'mysql', 'e2e'].includes(only)) {
  console.error(`Unknown part "${only}". Use check, sqlite, mysql or e2e.`)
  process.exit(2)
}
const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (name: string) => join(root, 'node_modules/.bin', name)

const SERVER = 'packages/{server,client,config,cli}/{src,test}/**/*.test.ts'
const STORIES = 'e2e/**/*.e2e.ts'
const OTHERS = [
  'packages/{contract,console}/src/**/*.test.{ts,tsx}',
  '*.test.ts',
  '{deploy,scripts}/*.test.ts',
]
/** The files of a kind that were asked for: all, or those whose paths contain one of the arguments. */
const chosen = (...globs: string[]) =>
  globs
    .flatMap((glob) => globSync(glob, { cwd: root }))
    .filter((f) => positionals.length === 0 || positionals.some((p) => f.includes(p)))
const serverTests = chosen(SERVER)
const stories = chosen(STORIES)
const onBoth = filesUsingServices().filter((file) => serverTests.includes(file))
/** They use services and no database, so that they run once, with the services. */
const withServices = onBoth.filter((file) => !servicesOf([file]).includes('MariaDB'))
const apart = { TEST_LATER: withServices.join() }
if (positionals.length > 0 && [...serverTests, ...stories, ...chosen(...OTHERS)].length === 0) {
  console.error(`No test file has "${positionals.join('" or "')}" in its path.`)
  process.exit(2)
}

const reports = mkdtempSync(join(fastestFolder(), 'switchroom-tests-'))
process.once('exit', () => rmSync(reports, { recursive: true, force: true }))
// what tests write is theirs alone: most of what they waited for was a disk
process.env.TMPDIR = join(reports, 'tmp')
mkdirSync(process.env.TMPDIR)
// threads and servers that tests start are compiled once
process.env.NODE_COMPILE_CACHE ??= join(reports, 'compiled')
// modules are stripped of their types once
process.env.TEST_TRANSFORMED ??= join(reports, 'transformed')
const isLong = Boolean(process.env.SWITCHROOM_TRUST)

/** Which sentences of the specification were said. */
const said = join(reports, 'said.jsonl')
process.env.TEST_SAID = said

const parts: Part[] = []
const retries: Retry[] = []
const trust = new TrustTable()
/** Remarks to print below the table. */
const notes: string[] = []

/** Processes that `run` waits for. */
const running = new Set<ChildProcess>()
const run = (command: string, args: string[], env: Record<string, string> = {}) =>
  new Promise<number>((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...env },
    })
    running.add(child)
    child.once('exit', (code) => {
      running.delete(child)
      resolve(code ?? 1)
    })
  })

/** Runs a command and prints its output when it ends, so that several can run at once. Resolves to what failed. */
async function step(name: string, command: string, ...args: string[]): Promise<string[]> {
  const began = Date.now()
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const [code, ...printed] = await Promise.all([
    new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? 1))),
    text(child.stdout),
    text(child.stderr),
  ])
  process.stdout.write(printed.join(''))
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds(began)} s)`)
  return code === 0 ? [] : [`${name} failed`]
}

const seconds = (began: number) => Math.round((Date.now() - began) / 100) / 10

/** Measures what a part costs while `work` runs. */
async function measured<T>(work: () => Promise<T>) {
  const [began, before] = [Date.now(), processorSeconds()]
  const result = await work()
  const after = processorSeconds()
  return {
    result,
    seconds: seconds(began),
    processor_seconds: before === undefined || after === undefined ? undefined : after - before,
  }
}

type Tests = {
  name: string
  projects: string[]
  env: Record<string, string>
  /** All that were asked for, if missing. */
  files?: string[]
}

/** Runs one part, or several that mostly wait side by side: the first has the costs of all. */
async function tests(...all: Tests[]) {
  const { result, ...cost } = await measured(() => Promise.all(all.map(vitest)))
  const nothing = { seconds: undefined, processor_seconds: undefined }
  parts.push(...result.map((part, i) => ({ ...part, ...(i === 0 ? cost : nothing) })))
}

async function vitest({ name, projects, env, files = positionals }: Tests) {
  console.log(`\n== ${name}`)
  const report = join(reports, `${name}.json`)
  const costs = join(reports, `${name}-costs.jsonl`)
  const retried = join(reports, `${name}-retries.jsonl`)
  const code = await run(
    bin('vitest'),
    [
      'run',
      ...projects.flatMap((p) => ['--project', p]),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...files,
    ],
    { ...env, TEST_COSTS: costs, TEST_RETRIES: retried },
  )
  const result = read<Report>(report)
  trust.add(name, result?.testResults.flatMap((f) => f.assertionResults) ?? [])
  retries.push(...readLines<Retry>(retried))
  return {
    // no tests are fine with a filter, a failure without one
    ...partOf(name, result, { code, mayBeEmpty: positionals.length > 0 }),
    costs: readLines<Cost>(costs),
  }
}

function read<R>(file: string): R | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as R
  } catch {
    return undefined
  }
}

/** Mutation runs, of the last commit. */
async function breaks(part: string, ...args: string[]) {
  const began = Date.now()
  console.log(`\n== ${part}`)
  const report = join(reports, 'breaks.json')
  rmSync(report, { force: true })
  const code = await run(process.execPath, ['scripts/breaks.ts', `--report=${report}`, ...args])
  const outcome = read<BreaksReport>(report) ?? { tried: 0, caught: 0, problems: [`exit ${code}`] }
  trust.addBreaks(part, outcome, seconds(began))
  problems.push(...outcome.problems)
}

function finish(problems: string[] = []): never {
  const { lines, failed } = summary(parts, { problems, notes, retries })
  if (isLong) console.log(`\n${trust.text()}\n`)
  console.log(`\n${lines.join('\n')}`)
  process.exit(failed > 0 ? 1 : 0)
}

// a long run that is stopped shows what it has found
if (isLong)
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      for (const child of running) child.kill(signal)
      finish([`stopped by ${signal}`])
    })

const wants = (part: 'check' | 'sqlite' | 'mysql' | 'e2e') =>
  only === undefined ? part !== 'check' || positionals.length === 0 : only === part
const needed = [
  ...(wants('mysql') ? servicesOf(onBoth) : []),
  ...(wants('e2e') ? servicesOf(stories) : []),
]
const services = needed.length > 0 ? startServices([...new Set(needed)]) : undefined
// awaited below; until then a rejection must not end the process
services?.catch(() => undefined)

if (wants('check')) {
  const { result: failed, ...cost } = await measured(() =>
    Promise.all([
      step('lint', bin('biome'), 'check', '--error-on-warnings'),
      ...['server', 'console', 'contract', 'client', 'config', 'cli'].map((name) =>
        step(`types of ${name}`, bin('tsc'), '-p', `packages/${name}`),
      ),
      step('types of the rest', bin('tsc'), '-p', '.'),
    ]),
  )
  parts.push({
    name: 'check',
    passed: [],
    failed: 0,
    skipped: [],
    failures: [],
    costs: [],
    ...cost,
  })
  if (failed.flat().length > 0) finish(failed.flat())
}
/** Tests of what takes real time, on each database. */
const timed: Tests[] = []
const isTimed = chosen('packages/*/{src,test}/**/*.timing.test.ts').length > 0
const onSqlite = { TEST_DATABASE: 'sqlite' }
const fast = ['contract', 'server*', 'house', 'console*']
const withoutServices = serverTests.length > 0 || chosen(...OTHERS).length > 0
if (wants('sqlite') && withoutServices) {
  const env = wants('mysql') ? { ...onSqlite, ...apart } : onSqlite
  await tests({ name: 'SQLite', projects: fast, env })
  if (isTimed) timed.push({ name: 'time, SQLite', projects: ['timing'], env })
} else if (only === 'check')
  await tests({ name: 'quick', projects: fast, env: { ...onSqlite, QUICK_TESTS: '1' } })

const problems: string[] = []
const none: Pick<Services, 'env' | 'left_out'> = { env: {}, left_out: [] }
const { env, left_out } =
  (await services?.catch((e: Error) => {
    problems.push(e.message)
    return none
  })) ?? none
const hasDatabase = env.TEST_MYSQL_URL !== undefined || !needed.includes('MariaDB')
if (wants('mysql') && onBoth.length > 0 && hasDatabase) {
  const onMariaDb = { ...env, TEST_DATABASE: 'mysql' }
  await tests({ name: 'MariaDB', projects: ['server'], env: onMariaDb })
  if (isTimed)
    timed.push({ name: 'time, MariaDB', projects: ['timing'], env: { ...onMariaDb, ...apart } })
  const files = withServices.filter((file) => file.endsWith('.timing.test.ts'))
  if (files.length > 0)
    timed.push({ name: 'time, services', projects: ['timing'], env: onMariaDb, files })
  notes.push(
    `${serverTests.length - onBoth.length} of ${serverTests.length} server test files use neither the database nor a service: these run once, in the SQLite part`,
    `${withServices.length} use services and no database: these run once, in the MariaDB part`,
  )
} else if (wants('mysql') && withServices.length > 0)
  await tests({
    name: 'services',
    projects: ['server'],
    env: { ...env, ...onSqlite },
    files: withServices,
  })
// they mostly wait, so that both cost little more time than one
if (timed.length > 0) await tests(...timed)
if (wants('e2e') && stories.length > 0 && env.CHROMIUM)
  await tests({ name: 'browser', projects: ['e2e'], env })
if (only === undefined && positionals.length === 0)
  problems.push(...unsaid(readLines<string>(said)).map((one) => `nothing says "${one}"`))
// takes an hour, so only the whole long form does it
if (process.env.SWITCHROOM_TRUST === '1' && only === undefined && positionals.length === 0) {
  await breaks('bugs made on purpose')
  await breaks('guards taken away', '--guards')
}
if (left_out.length > 0)
  console.log(`not installed, so some tests did not run: ${left_out.join(', ')}`)
if (process.env.CI === 'true' && left_out.length > 0)
  problems.push(`not installed, which CI does not allow: ${left_out.join(', ')}`)
finish(problems)
