import { existsSync, readFileSync } from 'node:fs'
import type { ReportedTest } from './trust-table.ts'

/** The report of Vitest, as far as it is used. */
export type Report = {
  testResults: {
    /** The path of the file. */
    name: string
    status: string
    message?: string
    assertionResults: (ReportedTest & { fullName: string; failureMessages?: string[] })[]
  }[]
}

type Failure = { name: string; why: string }

/** Result of a part of the run. */
export type Part = {
  name: string
  /** The full names of the tests that passed. */
  passed: string[]
  failed: number
  skipped: string[]
  failures: Failure[]
  /** On the clock. Undefined if another part, beside it, has the costs of both. */
  seconds: number | undefined
  /** User and system, with all processes that the part used. Undefined where the system does not tell. */
  processor_seconds: number | undefined
  costs: Cost[]
}

/** Processor seconds of a test file with its child processes, but without the services that all files share. */
export type Cost = { file: string; seconds: number }

/** A browser story that failed and then passed. */
export type Retry = { file: string; name: string; error: string }

/** Stories that may be retried before the run fails, each a race that somebody has yet to look at. */
const MOST_RETRIES = 2
const DEAREST = 10
/** With these, the failures are within the last twenty lines. */
const MOST_FAILURES = 14

const firstLine = (text: string) => text.trim().split('\n')[0]!.slice(0, 300)

/** Counts the tests of a part. A part that fails without a failed test, or has none at all, counts as one. */
export function partOf(
  name: string,
  report: Report | undefined,
  { code, mayBeEmpty }: { code: number; mayBeEmpty: boolean },
): Pick<Part, 'name' | 'passed' | 'failed' | 'skipped' | 'failures'> {
  const files = report?.testResults ?? []
  const all = files.flatMap((file) => file.assertionResults)
  const failures = [
    ...all
      .filter((t) => t.status === 'failed')
      .map((t) => ({ name: t.fullName, why: firstLine(t.failureMessages?.[0] ?? '') })),
    // a file that fails to load has no tests
    ...files
      .filter((f) => f.status === 'failed' && f.assertionResults.length === 0)
      .map((f) => ({ name: f.name, why: firstLine(f.message ?? '') })),
  ]
  const nothing = all.length === 0 && !mayBeEmpty
  if (failures.length === 0 && (nothing || code !== 0))
    failures.push({
      name: 'the part as a whole',
      why: nothing ? 'no test ran' : `Vitest ended with code ${code}`,
    })
  return {
    name,
    passed: all.filter((t) => t.status === 'passed').map((t) => t.fullName),
    failed: failures.length,
    skipped: all
      .filter((t) => ['skipped', 'pending', 'todo'].includes(t.status))
      .map((t) => t.fullName),
    failures,
  }
}

/** The objects of a file with one in each line; none if there is no such file. */
export function readLines<T>(file: string): T[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T)
}

const rounded = (seconds: number | undefined) =>
  seconds === undefined ? undefined : Math.round(seconds)

/**
 * The end of a run, as lines: what was skipped, what it cost, then what failed and why, and the numbers of tests.
 * `problems` are failures beside the tests.
 */
export function summary(
  parts: Part[],
  {
    problems,
    notes,
    retries,
  }: { problems: readonly string[]; notes: readonly string[]; retries: readonly Retry[] },
): { lines: string[]; failed: number } {
  // what needs a service is skipped in the part without services, and runs in another
  const passed = new Set(parts.flatMap((p) => p.passed))
  const skipped = [...new Set(parts.flatMap((p) => p.skipped))].filter((n) => !passed.has(n))
  const tooMany =
    retries.length > MOST_RETRIES
      ? [`${retries.length} stories passed only at a second try; at most ${MOST_RETRIES} may`]
      : []
  const failures = [
    ...parts.flatMap((p) => p.failures.map((f) => `failed on ${p.name}: ${f.name}: ${f.why}`)),
    ...[...problems, ...tooMany].map((problem) => `problem: ${problem}`),
  ]
  const dearest = parts
    .flatMap((p) => p.costs.map((cost) => ({ ...cost, part: p.name })))
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, DEAREST)
  const rest = skipped.length > 0 ? `, ${skipped.length} skipped` : ''
  const table = parts.map((p) =>
    [
      p.name.padEnd(13),
      `${p.passed.length} passed`.padStart(14),
      `${p.failed} failed`.padStart(10),
      `${p.skipped.length} skipped`.padStart(12),
      p.seconds === undefined ? '' : `${rounded(p.seconds)} s`.padStart(8),
      p.processor_seconds === undefined
        ? ''
        : `${rounded(p.processor_seconds)} processor seconds`.padStart(24),
    ].join(''),
  )
  return {
    failed: failures.length,
    lines: [
      ...skipped.map((name) => `skipped: ${name}`),
      ...notes,
      ...(dearest.length > 0 ? ['', 'The dearest test files, in processor seconds:'] : []),
      ...dearest.map((d) => `${d.seconds.toFixed(1).padStart(8)}  ${d.file} (${d.part})`),
      '',
      ...table,
      ...retries.map(
        ({ file, name, error }) => `second try: ${file}: ${name}: ${firstLine(error)}`,
      ),
      ...failures.slice(0, MOST_FAILURES),
      ...(failures.length > MOST_FAILURES
        ? [`and ${failures.length - MOST_FAILURES} more, above`]
        : []),
      `${parts.reduce((n, p) => n + p.passed.length, 0)} passed, ${failures.length} failed${rest}`,
    ],
  }
}
