import { type ChildProcess, spawn } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { filesUsingServices } from '../packages/server/test/files-using-services.ts'
import { type Services, startServices } from './services.ts'
import { type BreaksReport, type ReportedTest, TrustTable } from './trust-table.ts'

/** Runs everything: lint, types, tests on both databases, browser tests. */
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
const reports = mkdtempSync(join(tmpdir(), 'switchroom-tests-'))
process.once('exit', () => rmSync(reports, { recursive: true, force: true }))
// threads and servers that tests start are compiled once
process.env.NODE_COMPILE_CACHE ??= join(reports, 'compiled')
const isLong = Boolean(process.env.SWITCHROOM_TRUST)

type Part = {
  name: string
  passed: number
  failed: number
  failures: string[]
  skipped: string[]
  seconds: number
}
const parts: Part[] = []
const trust = new TrustTable()
/** Remarks to print below the table. */
const notes: string[] = []

/** What `run` waits for. */
let running: ChildProcess | undefined
const run = (command: string, args: string[], env: Record<string, string> = {}) =>
  new Promise<number>((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...env },
    })
    running = child
    child.once('exit', (code) => resolve(code ?? 1))
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

type Report = {
  numPassedTests: number
  numFailedTests: number
  numFailedTestSuites: number
  success: boolean
  testResults: {
    name: string
    status: string
    assertionResults: (ReportedTest & { fullName: string })[]
  }[]
}

async function tests(name: string, projects: string[], env: Record<string, string>) {
  const began = Date.now()
  console.log(`\n== ${name}`)
  const report = join(reports, `${parts.length}.json`)
  const code = await run(
    bin('vitest'),
    [
      'run',
      ...projects.flatMap((p) => ['--project', p]),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...positionals,
    ],
    env,
  )
  const result = read(report)
  const all = result?.testResults.flatMap((f) => f.assertionResults) ?? []
  trust.add(name, all)
  const failed = all.filter((t) => t.status === 'failed')
  // a file that fails to load reports no tests
  const broken =
    result?.testResults.filter((f) => f.status === 'failed' && f.assertionResults.length === 0) ??
    []
  // no tests are fine with a filter, a failure without one
  const nothing = all.length === 0 && positionals.length === 0
  parts.push({
    name,
    passed: all.filter((t) => t.status === 'passed').length,
    failed: Math.max(failed.length + broken.length, code === 0 && !nothing ? 0 : 1),
    failures: [...failed.map((t) => t.fullName), ...broken.map((f) => f.name)],
    skipped: all
      .filter((t) => ['skipped', 'pending', 'todo'].includes(t.status))
      .map((t) => t.fullName),
    seconds: seconds(began),
  })
}

function read<R = Report>(file: string): R | undefined {
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
  const passed = parts.reduce((n, p) => n + p.passed, 0)
  const failed = parts.reduce((n, p) => n + p.failed, 0) + problems.length
  const skipped = parts.flatMap((p) => p.skipped)
  console.log('')
  console.table(
    parts.map(({ skipped, failures: _, ...p }) => ({ ...p, skipped: skipped.length })),
    ['name', 'passed', 'failed', 'skipped', 'seconds'],
  )
  for (const note of notes) console.log(note)
  for (const name of new Set(skipped)) console.log(`skipped: ${name}`)
  for (const part of parts)
    for (const failure of part.failures) console.log(`failed on ${part.name}: ${failure}`)
  for (const problem of problems) console.log(`problem: ${problem}`)
  const rest = skipped.length > 0 ? `, ${skipped.length} skipped` : ''
  if (isLong) console.log(`\n${trust.text()}\n`)
  console.log(`${passed} passed, ${failed} failed${rest}`)
  process.exit(failed > 0 ? 1 : 0)
}

// a long run that is stopped shows what it has found
if (isLong)
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      running?.kill(signal)
      finish([`stopped by ${signal}`])
    })

const wants = (part: string) => only === undefined || only === part
const services = only === 'check' || only === 'sqlite' ? undefined : startServices()
// awaited below; until then a rejection must not end the process
services?.catch(() => undefined)

if (wants('check')) {
  const projects = ['packages/contract', 'packages/server', 'packages/console', '.']
  const failed = await Promise.all([
    step('lint', bin('biome'), 'check', '--error-on-warnings'),
    ...projects.map((project) => step(`types of ${project}`, bin('tsc'), '-p', project)),
  ])
  if (failed.flat().length > 0) finish(failed.flat())
}
const fast = ['contract', 'server*', 'house', 'console']
if (wants('sqlite')) await tests('SQLite', [...fast, 'timing'], { TEST_DATABASE: 'sqlite' })
else if (only === 'check') await tests('quick', fast, { TEST_DATABASE: 'sqlite', QUICK_TESTS: '1' })

const problems: string[] = []
const none: Pick<Services, 'env' | 'left_out'> = { env: {}, left_out: [] }
const { env, left_out } =
  (await services?.catch((e: Error) => {
    problems.push(e.message)
    return none
  })) ?? none
if (wants('mysql') && env.TEST_MYSQL_URL) {
  await tests('MariaDB', ['server', 'timing'], { ...env, TEST_DATABASE: 'mysql' })
  const all = globSync('packages/server/{src,test}/**/*.test.ts', { cwd: root }).length
  notes.push(
    `${all - filesUsingServices().length} of ${all} server test files use neither the database nor a service: these run once, in the SQLite part`,
  )
}
if (wants('e2e') && env.CHROMIUM) await tests('browser', ['e2e'], env)
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
