import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildConsole } from './build.ts'
import { type Services, startServices } from './services.ts'

/** Everything there is to run: lint, types, tests on both databases, the browser's stories. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' } },
})
const only = values.only
if (only !== undefined && !['check', 'sqlite', 'mysql', 'e2e'].includes(only)) {
  console.error(`There is no part "${only}": check, sqlite, mysql or e2e`)
  process.exit(2)
}
const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (name: string) => join(root, 'node_modules/.bin', name)
const reports = mkdtempSync(join(tmpdir(), 'switchroom-tests-'))
process.once('exit', () => rmSync(reports, { recursive: true, force: true }))

type Part = {
  name: string
  passed: number
  failed: number
  failures: string[]
  skipped: string[]
  seconds: number
}
const parts: Part[] = []

const run = (command: string, args: string[], env: Record<string, string> = {}) =>
  new Promise<number>((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...env },
    })
    child.once('exit', (code) => resolve(code ?? 1))
  })

async function step(name: string, command: string, ...args: string[]) {
  const began = Date.now()
  const code = await run(command, args)
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds(began)} s)`)
  if (code !== 0) finish([`${name} failed`])
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
    assertionResults: { status: string; fullName: string }[]
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
  const failed = all.filter((t) => t.status === 'failed')
  // a file that could not even be read has no tests to count
  const broken =
    result?.testResults.filter((f) => f.status === 'failed' && f.assertionResults.length === 0) ??
    []
  // with a filter a part may have nothing to do; without one that is a fault
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

function read(file: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report
  } catch {
    return undefined
  }
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
  for (const name of new Set(skipped)) console.log(`skipped: ${name}`)
  for (const part of parts)
    for (const failure of part.failures) console.log(`failed on ${part.name}: ${failure}`)
  for (const problem of problems) console.log(`problem: ${problem}`)
  const rest = skipped.length > 0 ? `, ${skipped.length} skipped` : ''
  console.log(`${passed} passed, ${failed} failed${rest}`)
  process.exit(failed > 0 ? 1 : 0)
}

const wants = (part: string) => only === undefined || only === part
const services = only === 'check' || only === 'sqlite' ? undefined : startServices()
// awaited below; a failure before that must not end the process without a word
services?.catch(() => undefined)

if (wants('check')) {
  await step('lint', bin('biome'), 'check', '--error-on-warnings')
  for (const project of ['packages/contract', 'packages/server', 'packages/console', '.'])
    await step(`types of ${project}`, bin('tsc'), '-p', project)
}
if (wants('sqlite') || only === 'check')
  await tests('SQLite', ['contract', 'server', 'house', 'console'], { TEST_DATABASE: 'sqlite' })

const problems: string[] = []
const none: Pick<Services, 'env' | 'left_out'> = { env: {}, left_out: [] }
const { env, left_out } =
  (await services?.catch((e: Error) => {
    problems.push(e.message)
    return none
  })) ?? none
if (wants('mysql') && env.TEST_MYSQL_URL)
  await tests('MariaDB', ['server'], { ...env, TEST_DATABASE: 'mysql' })
if (wants('e2e') && env.CHROMIUM) {
  await buildConsole()
  await tests('browser', ['e2e'], env)
}
if (left_out.length > 0) console.log(`left out, for want of ${left_out.join(', ')}`)
if (process.env.CI === 'true' && left_out.length > 0)
  problems.push(`left out under CI: ${left_out.join(', ')}`)
finish(problems)
