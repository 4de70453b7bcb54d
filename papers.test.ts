import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { outcome } from './scripts/advisories.ts'
import { declaredDependencies, isAllowed, licences } from './scripts/dependencies.ts'
import { costs } from './scripts/scale/measured.ts'
import { withScaleTable } from './scripts/scale/table.ts'

/** Checks that our papers are true: docs/dependencies.md, docs/threat-model.md, SECURITY.md, licences. */
const read = (file: string) => readFileSync(file, 'utf8')

/** The cells of every row of the tables in a Markdown file, without heads. */
const rows = (file: string) =>
  read(file)
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '))

describe('dependencies', () => {
  const listed = rows('docs/dependencies.md').filter(([name]) => name?.startsWith('`'))

  it('has a row for each, with where it is used', () => {
    const declared = [...declaredDependencies()].map(
      ([name, where]) => `${name}: ${where.join(', ')}`,
    )
    const written = listed.map(([name, where]) => `${name!.slice(1, -1)}: ${where}`)
    expect(written).toEqual(declared.sort())
  })

  it('gives each a reason', () => {
    expect(listed.filter(([, , why]) => !why || why.length < 5)).toEqual([])
  })
})

describe('how far it goes', () => {
  it('has the table that "npm run docs" computes', () => {
    const page = read('docs/scale.md')
    expect(page).toBe(withScaleTable(page))
  })

  it('computes by the rate of calls', () => {
    const table = rows('docs/scale.md').filter((row) => row.length === 6)
    const of = (name: string) => table.find(([first]) => first === name)!.slice(1)
    expect(of('Calls in 30 days, million')).toEqual(['26', '260', '2,600', '26,000', '260,000'])
    const record = 86_400 * costs.record.bytes
    expect(of('Disk a day: call records')[2]).toBe(`${Math.round((1_000 * record) / 1e9)} GB`)
    const shards = of('Shards, call records only').map(Number)
    expect(shards).toEqual(shards.toSorted((a, b) => a - b))
    expect(shards[0]).toBe(1)
  })
})

describe('licences', () => {
  it('are allowed, each of them', () => {
    expect(licences().length).toBeGreaterThan(500)
    expect(licences().filter(({ licence }) => !isAllowed(licence))).toEqual([])
  })

  it.each([
    ['MIT', true],
    ['GPL-3.0-only', false],
    ['(GPL-3.0-only OR MIT)', true],
    ['(GPL-3.0-only AND MIT)', false],
    ['unknown', false],
  ])('%s: %s', (licence, allowed) => {
    expect(isAllowed(licence)).toBe(allowed)
  })
})

describe('advisories', () => {
  const audit = (vulnerabilities: object) =>
    JSON.stringify({ vulnerabilities, metadata: { dependencies: { total: 812 } } })

  it('are told apart: none, some, and not asked', () => {
    expect(outcome({ out: audit({}), errors: '' })).toEqual({ found: [], of: 812 })
    const via = [{ title: 'Path traversal' }, 'other']
    const some = audit({ left: { name: 'left', severity: 'high', range: '<2', via } })
    expect(outcome({ out: some, errors: '' })).toEqual({
      found: ['high: left <2: Path traversal; through other'],
      of: 812,
    })
    const refused = JSON.stringify({ message: 'request failed, reason: 405' })
    expect(outcome({ out: refused, errors: '' })).toEqual({
      unasked: 'request failed, reason: 405',
    })
    expect(outcome({ out: '', errors: 'offline\nmore' })).toEqual({ unasked: 'offline' })
  })
})

describe('the threat model', () => {
  const sections = read('docs/threat-model.md').split(/^### /m).slice(1)

  it.each(sections.map((text) => ({ title: text.split('\n')[0]!, text })))(
    'names tests that exist: $title',
    ({ text }) => {
      const named = [...text.matchAll(/`([\w./-]+\.(?:test|e2e)\.ts)`/g)].map(([, file]) =>
        file!.replace(/^T\//, 'packages/server/test/').replace(/^S\//, 'packages/server/src/'),
      )
      expect(named.length).toBeGreaterThan(0)
      expect(named.filter((file) => !existsSync(file))).toEqual([])
    },
  )
})

it.each(['SECURITY.md', 'docs/threat-model.md'])('%s names scripts that exist', (file) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const named = [...read(file).matchAll(/`npm run ([\w:-]+)/g)].map(([, name]) => name!)
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter((name) => !(name in scripts))).toEqual([])
})
