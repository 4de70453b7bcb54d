import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { processorSeconds } from './processor-time.ts'
import { NEVER_SAID, sentencesIn, unsaid } from './sentences.ts'
import { type Part, partOf, type Report, readLines, summary } from './test-report.ts'
import { servicesOf } from './test-services.ts'

const test = (fullName: string, status: string, message?: string) => ({
  fullName,
  status,
  ...(message && { failureMessages: [message] }),
})
const file = (name: string, ...assertionResults: ReturnType<typeof test>[]) => ({
  name,
  status: assertionResults.some((t) => t.status === 'failed') ? 'failed' : 'passed',
  assertionResults,
})
const part = (more: Partial<Part> = {}): Part => ({
  name: 'SQLite',
  passed: ['adds', 'removes', 'changes'],
  failed: 0,
  skipped: [],
  failures: [],
  seconds: 10,
  processor_seconds: 20,
  costs: [],
  ...more,
})
const none = { problems: [], notes: [], retries: [] }
const count = (report: Report | undefined, code = 0, mayBeEmpty = false) =>
  partOf('SQLite', report, { code, mayBeEmpty })

describe('a part of the test run', () => {
  it('counts its tests, and says in one line why each failed', () => {
    const testResults = [
      file('a.test.ts', test('adds', 'passed'), test('waits', 'skipped')),
      file('b.test.ts', test('removes', 'failed', 'Error: expected 1 to be 2\n    at b.test.ts:3')),
    ]
    expect(count({ testResults }, 1)).toEqual({
      name: 'SQLite',
      passed: ['adds'],
      failed: 1,
      skipped: ['waits'],
      failures: [{ name: 'removes', why: 'Error: expected 1 to be 2' }],
    })
  })

  it.each([
    ['a file that does not load', { testResults: [{ ...file('a.test.ts'), status: 'failed' }] }, 1],
    ['no tests', { testResults: [] }, 0],
    ['no report', undefined, 1],
    ['a crash after the last test', { testResults: [file('a', test('adds', 'passed'))] }, 139],
  ])('fails by %s', (_, report, code) => {
    expect(count(report, code).failed).toBe(1)
  })

  it('may have no tests when only some files were asked for', () => {
    expect(count({ testResults: [] }, 0, true).failed).toBe(0)
  })
})

describe('the end of a test run', () => {
  it('has every failure within its last twenty lines', () => {
    const failures = Array.from({ length: 40 }, (_, i) => ({ name: `test ${i}`, why: 'Error: no' }))
    const costs = Array.from({ length: 30 }, (_, i) => ({ file: `${i}.test.ts`, seconds: i }))
    const skipped = Array.from({ length: 50 }, (_, i) => `skipped ${i}`)
    const broken = part({ failures, failed: 40, costs, skipped })
    const { lines, failed } = summary([broken, part({ name: 'browser' })], none)
    expect(failed).toBe(40)
    const last = lines.slice(-20)
    expect(last.filter((l) => l.includes('SQLite'))).toContain(
      'failed on SQLite: test 0: Error: no',
    )
    expect(last).toContain('and 26 more, above')
    expect(last.at(-1)).toBe('6 passed, 40 failed, 50 skipped')
  })

  it('names as skipped what passed in no part', () => {
    const here = part({ skipped: ['needs Redis', 'needs SIPp'] })
    const there = part({ name: 'MariaDB', passed: ['needs Redis'] })
    const { lines } = summary([here, there], none)
    expect(lines.filter((l) => l.startsWith('skipped: '))).toEqual(['skipped: needs SIPp'])
    expect(lines.at(-1)).toBe('4 passed, 0 failed, 1 skipped')
  })

  it('names the ten dearest files of all parts', () => {
    const costs = Array.from({ length: 30 }, (_, i) => ({ file: `${i}.test.ts`, seconds: i }))
    const dear = part({ name: 'browser', costs: [{ file: 'dear.e2e.ts', seconds: 99 }] })
    const { lines } = summary([part({ costs }), dear], none)
    const first = lines.findIndex((l) => l.startsWith('The dearest'))
    expect(lines[first + 1]).toBe('    99.0  dear.e2e.ts (browser)')
    expect(lines[first + 10]).toBe('    21.0  21.test.ts (SQLite)')
    expect(lines[first + 11]).toBe('')
  })

  it('names stories that passed at a second try, and fails when there are three', () => {
    const retry = { file: 'e2e/a.e2e.ts', name: 'adds', error: 'Error: late\nat a' }
    const two = summary([part()], { ...none, retries: [retry, retry] })
    expect(two.failed).toBe(0)
    expect(two.lines).toContain('second try: e2e/a.e2e.ts: adds: Error: late')
    expect(summary([part()], { ...none, retries: [retry, retry, retry] }).failed).toBe(1)
  })

  it('counts problems beside the tests as failures', () => {
    const { lines, failed } = summary([part()], { ...none, problems: ['MariaDB did not start'] })
    expect(failed).toBe(1)
    expect(lines).toContain('problem: MariaDB did not start')
  })
})

it('reads a line for each object, and nothing where there is no file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchroom-lines-'))
  writeFileSync(join(folder, 'costs'), '{"seconds":1}\n{"seconds":2}\n')
  expect(readLines(join(folder, 'costs'))).toEqual([{ seconds: 1 }, { seconds: 2 }])
  expect(readLines(join(folder, 'none'))).toEqual([])
  rmSync(folder, { recursive: true })
})

it('starts for a test file the services that it asks for, itself or through its support', () => {
  const server = (file: string) => servicesOf([`packages/server/src/${file}.test.ts`])
  expect(server('errors/members')).toEqual([])
  expect(server('live/redis.timing')).toContain('Redis')
  expect(server('calls/captures/sipp.timing')).toContain('SIPp')
  expect(server('routing/phone-numbers/mass')).toEqual(expect.arrayContaining(['MariaDB', 'Redis']))
  expect(servicesOf(['e2e/carriers.e2e.ts'])).toEqual(
    expect.arrayContaining(['MariaDB', 'Redis', 'Chromium']),
  )
})

it.runIf(process.platform === 'linux')('measures what this process has used', async () => {
  const before = processorSeconds()!
  await expect.poll(() => processorSeconds()! - before).toBeGreaterThan(0)
  expect(processorSeconds(0)).toBeUndefined()
})

describe('the sentences of the specification', () => {
  it('are found where they stand alone, with anything in their gaps', () => {
    expect(sentencesIn('Deleted user jane (7)')).toEqual(['Deleted user {name}'])
    expect(sentencesIn('Total: 1,204 records')).toEqual(['Total: {n} records'])
    for (const other of ['Deleted user', 'Deleted user jane.\nNo users.', 'Total: no records'])
      expect(sentencesIn(other)).toEqual([])
  })

  it('are missing until something says them', () => {
    const all = unsaid([])
    expect(all.length).toBeGreaterThan(120)
    expect(unsaid(['No users.'])).toEqual(all.filter((one) => one !== 'No users.'))
  })

  it('are not words of the console where nothing is to say them', () => {
    const german = JSON.parse(readFileSync('packages/console/languages/de.json', 'utf8'))
    for (const never of Object.keys(NEVER_SAID)) {
      expect(unsaid([])).not.toContain(never)
      expect(german).not.toHaveProperty([never])
    }
  })
})
