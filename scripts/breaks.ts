import { execFileSync, spawn } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findGuards, type Guard } from './breaks/guards.ts'
import { type Break, breaks } from './breaks/table.ts'
import { type Services, startServices } from './services.ts'
import type { BreaksReport } from './trust-table.ts'

/**
 * Mutation tests: applies each bug of breaks/table.ts to a copy of the last commit and lists the test that catches
 * it. Fails if no test does, or if the code to change is not found. `--guards` takes away every guard of the server
 * instead; `--slice 3/20` the third of twenty parts. `--report` names a file for `npm run trust`. Each
 * processor tries one at a time.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    guards: { type: 'boolean' },
    slice: { type: 'string' },
    report: { type: 'string' },
  },
})
type Mutation = Break | Guard
const [part = 1, parts = 1] = values.slice?.split('/').map(Number) ?? []
const all: Mutation[] = values.guards ? findGuards() : breaks
const chosen = all
  .filter((b) => (values.only ?? ['']).some((o) => b.name.toLowerCase().includes(o.toLowerCase())))
  .filter((_, i) => i % parts === part - 1)

const root = fileURLToPath(new URL('..', import.meta.url))
const temporary = mkdtempSync(join(realpathSync(tmpdir()), 'switchroom-breaks-'))
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'pipe' })

let services: Services | undefined
process.once('exit', () => {
  services?.stop()
  rmSync(temporary, { recursive: true, force: true })
  git('worktree', 'prune')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

/** Returns the folder of a new copy. Links the dependencies, but not this repository's packages, which it has itself. */
function makeCopy(name: string) {
  const copy = join(temporary, name)
  git('worktree', 'add', '--detach', copy, 'HEAD')
  const modules = join(copy, 'node_modules')
  mkdirSync(join(modules, '@switchroom'), { recursive: true })
  // caches of the tests' runner are not shared
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@switchroom' && !name.startsWith('.vite'))
      symlinkSync(join(root, 'node_modules', name), join(modules, name))
  for (const name of readdirSync(join(copy, 'packages')))
    symlinkSync(join(copy, 'packages', name), join(modules, '@switchroom', name))
  return copy
}

type Test = { status: string; fullName: string; failureMessages: string[] }
type Report = { testResults: { name: string; assertionResults: Test[] }[] }

/** The tests of these files that ran in a copy. A file that could not be loaded has none. */
async function run(
  copy: string,
  files: string[],
  { project = 'server', database, only }: Omit<Break, 'name' | 'file' | 'find' | 'replace'>,
  bail = 0,
) {
  const output = `${copy}.json`
  rmSync(output, { force: true })
  const args = [
    'run',
    `--project=${project}`,
    '--maxWorkers=1',
    // compiles only what a break changes
    '--experimental.fsModuleCache',
    '--reporter=json',
    `--outputFile=${output}`,
  ]
  if (bail) args.push(`--bail=${bail}`)
  if (only) args.push('-t', only)
  // others would use the services beside the copy that has them
  const env = {
    ...process.env,
    TEST_DATABASE: database ?? 'sqlite',
    ...(database && services?.env),
  }
  const vitest = spawn(join(copy, 'node_modules/.bin/vitest'), [...args, ...files], {
    cwd: copy,
    stdio: 'ignore',
    env,
  })
  await new Promise((done) => vitest.once('exit', done))
  try {
    const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as Report
    return testResults.flatMap((file) => file.assertionResults)
  } catch {
    return []
  }
}

/** Errors of code that no longer loads or links, or of a busy machine, as opposed to a failed expectation. */
const isAccident = ({ failureMessages: [first = ''] }: Test) =>
  /^(?:SyntaxError(?!.* JSON)|ReferenceError)|^Error: (?:Test|Hook) timed out/.test(first) ||
  // thrown by the sources; a test that reads what an answer lacks has failed
  (first.startsWith('TypeError') && !/^ +at .*\.test\.ts/.test(first.split('\n')[1] ?? ''))

/** Finds the code to change. Throws if it is not found once. */
function placeOf(b: Mutation, text: string) {
  if ('index' in b) return b
  const found = text.matchAll(
    new RegExp(b.find instanceof RegExp ? b.find : RegExp.escape(b.find), 'g'),
  )
  const places = [...found]
  if (places.length !== 1)
    throw new Error(`the code to change is found ${places.length} times in ${b.file}`)
  const [{ 0: what, index }] = places as [RegExpExecArray]
  return { index, length: what.length }
}

type Catch = { test: string; by: Pick<Break, 'tests' | 'only'> }

/** How many tests of a file may fail by accident. */
const ACCIDENTS = 3

/** The test that catches a break; undefined if none does. */
async function catchingTest(copy: string, b: Mutation): Promise<Catch | undefined> {
  const file = join(copy, b.file)
  const text = readFileSync(file, 'utf8')
  const { index, length } = placeOf(b, text)
  writeFileSync(file, text.slice(0, index) + b.replace + text.slice(index + length))
  const stages = 'further' in b ? [b, ...b.further] : [b]
  try {
    for (const { tests: filter, only } of stages) {
      const { project, database } = b
      const by = { tests: filter, ...(only && { only }) }
      const where = { ...by, ...(project && { project }), ...(database && { database }) }
      // a test that failed by accident, on a busy machine, passes alone, and the next one is asked
      for (const passing = new Set<string>(); passing.size < ACCIDENTS; ) {
        const tests = await run(copy, [filter], where, 1 + passing.size)
        if (!('further' in b) && tests.every((t) => t.status === 'skipped'))
          throw new Error(`nothing runs in ${filter}`)
        const failed = tests.filter((t) => t.status === 'failed' && !isAccident(t))
        const test = failed.find(({ fullName }) => !passing.has(fullName))?.fullName
        if (!test) break
        const again = await run(copy, [filter], { ...where, only: `^${RegExp.escape(test)}$` })
        if (again.some((t) => t.status === 'failed' && !isAccident(t))) return { test, by }
        passing.add(test)
      }
    }
    return undefined
  } finally {
    writeFileSync(file, text)
  }
}

/** A test that also fails without the break does not count. */
async function failingWithoutBreak(copy: string, caught: Caught[]): Promise<string[]> {
  const alike = Map.groupBy(caught, ({ b: { project, database } }) => `${project} ${database}`)
  const problems: string[] = []
  for (const group of alike.values()) {
    const files = [...new Set(group.map(({ by }) => by.tests))]
    const only = `^(?:${group.map(({ test }) => RegExp.escape(test)).join('|')})$`
    const tests = await run(copy, files, { ...group[0]!.b, ...group[0]!.by, only })
    const passed = new Set(tests.filter((t) => t.status === 'passed').map((t) => t.fullName))
    for (const { b, by, test } of group) {
      if (passed.has(test)) continue
      // some depend on the tests before them
      const whole = await run(copy, [by.tests], { ...b, ...by })
      if (!whole.some((t) => t.fullName === test && t.status === 'passed'))
        problems.push(`${b.name}: "${test}" fails without it as well`)
    }
  }
  return problems
}

if (chosen.length === 0) {
  console.error(`No break is called "${values.only?.join('" or "')}".`)
  process.exit(2)
}
if (chosen.some((b) => b.database))
  services = await startServices(['MariaDB', 'Redis', 'ClickHouse'])
type Caught = Catch & { b: Mutation; seconds: number }
const caught: Caught[] = []
const problems: string[] = []
const onServices = chosen.filter((b) => b.database)
const others = chosen.filter((b) => !b.database)

/** Tries what waits in the first queue, then the next, one after another. */
async function tryBreaks(copy: string, ...queues: Mutation[][]) {
  const next = () => queues.find((queue) => queue.length > 0)?.shift()
  for (let b = next(); b; b = next()) {
    const began = Date.now()
    const outcome = await catchingTest(copy, b).catch((e: Error) => e)
    const seconds = Math.round((Date.now() - began) / 100) / 10
    const isCaught = outcome !== undefined && !(outcome instanceof Error)
    if (isCaught) caught.push({ ...outcome, b, seconds })
    else problems.push(`${b.name}: ${outcome?.message ?? 'no test notices'}`)
    const by = isCaught ? `: ${outcome.test}` : ''
    console.log(`${isCaught ? 'ok  ' : 'FAIL'} ${b.name} (${seconds} s)${by}`)
  }
}
const copies = Array.from({ length: Math.min(availableParallelism(), 8) }, (_, i) =>
  makeCopy(`copy-${i}`),
)
// two at once would empty each other's databases
await Promise.all(
  copies.map((copy, i) =>
    i === 0 ? tryBreaks(copy, onServices, others) : tryBreaks(copy, others),
  ),
)
problems.push(...(await failingWithoutBreak(copies[0]!, caught)))
for (const problem of problems) console.log(`problem: ${problem}`)
const outcome: BreaksReport = { tried: chosen.length, caught: caught.length, problems }
if (values.report) writeFileSync(values.report, JSON.stringify(outcome))
console.log(`${chosen.length} breaks, ${problems.length} problems`)
process.exit(problems.length > 0 ? 1 : 0)
