import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDb } from '../packages/server/src/db/open.ts'
import { prepareDatabase } from '../packages/server/src/db/prepare.ts'
import { ACCOUNT, APPLICATION, CARRIER, fill } from './bench/data.ts'
import { environmentOf } from './bench/databases.ts'
import { logIn } from './bench/one-by-one.ts'
import { figure, median, print, type Row, write } from './bench/report.ts'
import { startServer } from './bench/server.ts'
import {
  goOn,
  launch,
  newPerson,
  type Screen,
  type Strain,
  strain,
  type Visit,
  visit,
} from './bench/visits.ts'

/** Measures the console in a browser over a slow line, beside its limits. docs/performance.md explains it. */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    numbers: { type: 'string', default: '100000' },
    /** Only screens whose name has this text. */
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const rounds = Number(values.rounds)
const ROW = 'main tbody tr:not([aria-hidden]) td:not(:empty)'

const folder = mkdtempSync(join(tmpdir(), 'switchroom-bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
console.log('Filling SQLite…')
const db = openDb({ kind: 'sqlite', file: join(folder, 'switchroom.db') })
await prepareDatabase(db)
await fill(db, Number(values.numbers))
const { phone_number_sid } = await db
  .selectFrom('phone_numbers')
  .select('phone_number_sid')
  .executeTakeFirstOrThrow()
await db.destroy()

type Limits = { cold: number; warm?: number; requests?: number; kB?: number; scriptkB?: number }
const LIST: Limits = { cold: 550, warm: 250, requests: 12, kB: 180 }
const FIGURES: Limits = { cold: 550 }
const FORM: Limits = { cold: 600 }
const list = (name: string, path: string) => ({ name, path, shows: ROW, limits: LIST })
const form = (name: string, path: string) =>
  ({ name, path, shows: 'main form input', filled: true, limits: FORM }) as const
const screens: (Screen & { limits: Limits })[] = [
  {
    name: 'log-in form',
    path: '/',
    shows: 'input[name=password]',
    loggedOut: true,
    limits: { cold: 300, requests: 7, scriptkB: 90 },
  },
  list('accounts', '/internal/accounts'),
  list('users', '/internal/users'),
  list('applications (10,000)', '/internal/applications'),
  {
    ...list('carriers (10,000)', '/internal/carriers'),
    // with how many have no provider, and their health
    limits: { ...LIST, requests: 13 },
  },
  list(
    `phone numbers (${Number(values.numbers).toLocaleString('en-US')})`,
    '/internal/phone-numbers',
  ),
  { name: 'dashboard', path: '/internal/dashboard', shows: 'main h2', limits: FIGURES },
  // without calls: it says so once it has the figures
  { name: 'Voice insights', path: '/internal/voice', shows: 'main .voice-needs', limits: FIGURES },
  form('account', `/internal/accounts/${ACCOUNT}/edit`),
  form('application', `/internal/applications/${APPLICATION}/edit`),
  form('carrier', `/internal/carriers/${CARRIER}/edit`),
  form('phone number', `/internal/phone-numbers/${phone_number_sid}/edit`),
]

/** From a list to the next screen by its link, on which the pointer rests before. Forms come after lists. */
const steps = [
  ['accounts', 'phone numbers'],
  ['users', 'carriers'],
  ['accounts', 'account'],
  ['applications', 'application'],
  ['carriers', 'carrier'],
].map(([from = '', to = '']) => ({
  from: screens.find((screen) => screen.name.startsWith(from))!,
  to: screens.findLast((screen) => screen.name.startsWith(to))!,
}))
const STEP = { shown: 100, scripts: 3, scriptkB: 60 }

const server = await startServer('scripts/start.js', environmentOf(folder))
const { token } = await logIn(server)
const browser = await launch()
const visits = new Map<string, { cold: Visit[]; warm: Visit[] }>()
const strains = new Map<string, Strain[]>()
const went = new Map<string, Visit[]>()
for (let round = 0; round < rounds; round++) {
  for (const screen of screens) {
    if (values.only && !screen.name.includes(values.only)) continue
    const person = await newPerson(browser, screen.loggedOut ? undefined : token)
    const of = visits.get(screen.name) ?? { cold: [], warm: [] }
    visits.set(screen.name, of)
    of.cold.push(await visit(person, server.url, screen))
    of.warm.push(await visit(person, server.url, screen))
    await person.close()
    const slow = await newPerson(browser, screen.loggedOut ? undefined : token)
    strains.set(screen.name, [
      ...(strains.get(screen.name) ?? []),
      await strain(slow, server.url, screen),
    ])
    await slow.close()
  }
  for (const { from, to } of steps) {
    const name = `${from.name}, then ${to.name}`
    if (values.only && !name.includes(values.only)) continue
    const person = await newPerson(browser, token)
    went.set(name, [...(went.get(name) ?? []), await goOn(person, server.url, from, to)])
    await person.close()
  }
}

const beside = (value: number, limit: number | undefined) =>
  limit === undefined ? figure(value) : `${figure(value)} ≤ ${limit}${value <= limit ? '' : ' ✗'}`
const rows = screens.flatMap(({ name, limits }): Row[] => {
  const of = visits.get(name)
  if (!of) return []
  const cold = (member: keyof Visit) => median(of.cold.map((visit) => visit[member]))
  return [
    {
      screen: name,
      'cold ms': beside(cold('shown'), limits.cold),
      'warm ms': beside(median(of.warm.map(({ shown }) => shown)), limits.warm),
      requests: beside(cold('requests'), limits.requests),
      scripts: figure(cold('scripts')),
      kB: beside(cold('kB'), limits.kB),
      'script kB': beside(cold('scriptkB'), limits.scriptkB),
    },
  ]
})
const VITALS = { lcp: 1_500, inp: 150, cls: 0.01 }
const vitals = [...strains].map(([name, all]): Row => {
  const of = (member: keyof Strain) => beside(median(all.map((one) => one[member])), VITALS[member])
  return { screen: name, 'LCP ms': of('lcp'), 'INP ms': of('inp'), CLS: of('cls') }
})
const further = [...went].map(([name, all]): Row => {
  const of = (member: keyof Visit) => median(all.map((one) => one[member]))
  return {
    screen: name,
    'ms after a click': beside(of('shown'), STEP.shown),
    scripts: beside(of('scripts'), STEP.scripts),
    'script kB': beside(of('scriptkB'), STEP.scriptkB),
  }
})
const sections = [
  { title: `Over 10 Mbit/s and 40 ms, medians of ${rounds}`, rows },
  { title: 'The same with a processor four times slower', rows: vitals },
  { title: 'A further screen, after the pointer was on its link', rows: further },
]
print(sections.filter(({ rows }) => rows.length > 0))
if (values.write) write('bench:console', sections)
await browser.close()
await server.stop()
process.exit(0)
