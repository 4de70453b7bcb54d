import type { ModelCounts, ModelFigures } from '@switchroom/contract'
import { sql } from 'kysely'
import { costOf, priceOf } from '../../calls/model-use/cost.ts'
import { pricesIn } from '../../calls/model-use/prices.ts'
import type { Db, Tables } from '../../db/open.ts'
import { ownedBy, type Whose } from '../../http/tenancy.ts'
import type { Span } from '../../stores/calls/store.ts'
import { HOUR_MS } from '../../stores/calls/sums.ts'
import { slots } from '../../stores/voice/figures.ts'

const MAX_ROWS = 500
const USE = 'switchroom_model_use'
const HOURS = 'switchroom_model_hours'

export type Within = { owner: Whose; span: Span; application_sid?: string | undefined }
type Row = Omit<Tables[typeof HOURS], 'kind'>

const iso = (ms: number) => new Date(ms).toISOString()
const hourOf = (ms: number) => Math.floor(ms / HOUR_MS) * HOUR_MS

/** Sums of the span’s whole hours, and the calls of what is left at its ends. */
async function rowsOf(db: Db, { owner, span, application_sid }: Within): Promise<Row[]> {
  const from = hourOf(span.from + HOUR_MS - 1)
  const to = Math.max(from, hourOf(span.to))
  const hours = db
    .selectFrom(HOURS)
    .select(['account_sid', 'application_sid', 'version', 'vendor', 'model', 'hour', 'calls'])
    .select(['input', 'cached', 'output', 'seconds', 'characters'])
    .where('hour', '>=', from)
    .where('hour', '<', to)
    .where(ownedBy(HOURS, owner))
    .$if(application_sid !== undefined, (q) => q.where('application_sid', '=', application_sid!))
  const calls = db
    .selectFrom(USE)
    .select(['account_sid', 'application_sid', 'version', 'vendor', 'model'])
    .select(['began_at as hour', sql<number>`1`.as('calls')])
    .select(['input', 'cached', 'output', 'seconds', 'characters'])
    .where(ownedBy(USE, owner))
    .$if(application_sid !== undefined, (q) => q.where('application_sid', '=', application_sid!))
  const ends = [
    [span.from, Math.min(from, span.to)],
    [to, span.to],
  ].filter(([begin, end]) => begin! < end!)
  const read = await Promise.all([
    hours.execute(),
    ...ends.map(([begin, end]) =>
      calls.where('began_at', '>=', begin!).where('began_at', '<', end!).execute(),
    ),
  ])
  return read.flat()
}

type Prices = ReadonlyMap<string, { currency: string; prices: ReturnType<typeof pricesIn> }>

async function pricesOf(db: Db, rows: readonly Row[]): Promise<Prices> {
  const accounts = [...new Set(rows.map(({ account_sid }) => account_sid))]
  if (accounts.length === 0) return new Map()
  const found = await db
    .selectFrom('switchroom_model_sessions')
    .select(['account_sid', 'currency', 'prices'])
    .where('account_sid', 'in', accounts)
    .execute()
  return new Map(
    found.map((row) => [row.account_sid, { currency: row.currency, prices: pricesIn(row) }]),
  )
}

type Costs = { currency: string; calls: number; amount: number }

class Group {
  #calls = 0
  #tokens: NonNullable<ModelCounts['tokens']> | null = null
  #costs = new Map<string, Costs>()

  add(row: Row, cost: Omit<Costs, 'calls'> | null) {
    const calls = Number(row.calls)
    this.#calls += calls
    if (row.input !== null) {
      this.#tokens ??= { calls: 0, input: 0, cached: 0, output: 0 }
      this.#tokens.calls += calls
      for (const name of ['input', 'cached', 'output'] as const)
        this.#tokens[name] += Number(row[name])
    }
    if (!cost) return
    const { currency, amount } = cost
    const sum = this.#costs.get(currency) ?? { currency, calls: 0, amount: 0 }
    this.#costs.set(currency, { currency, calls: sum.calls + calls, amount: sum.amount + amount })
  }

  counts = (): ModelCounts => ({
    calls: this.#calls,
    tokens: this.#tokens,
    costs: [...this.#costs.values()].sort((a, b) => b.calls - a.calls),
  })
}

class Groups<K extends object> {
  #groups = new Map<string, { key: K; group: Group }>()

  at(key: K): Group {
    const name = JSON.stringify(key)
    const found = this.#groups.get(name) ?? { key, group: new Group() }
    this.#groups.set(name, found)
    return found.group
  }

  /** The most calls first. */
  rows = (): (K & ModelCounts)[] =>
    [...this.#groups]
      .map(([name, { key, group }]) => ({ name, row: { ...key, ...group.counts() } }))
      .sort((a, b) => b.row.calls - a.row.calls || (a.name < b.name ? -1 : 1))
      .slice(0, MAX_ROWS)
      .map(({ row }) => row)
}

/** Figures of model sessions, by when their calls began. */
export async function figuresOf(db: Db, within: Within, time_zone = 'UTC'): Promise<ModelFigures> {
  const { span } = within
  const rows = await rowsOf(db, within)
  const prices = await pricesOf(db, rows)
  const slotOf = slots(span, time_zone)
  const total = new Group()
  const times = new Map<number, Group>()
  const applications = new Groups<{ application_sid: string | null }>()
  const versions = new Groups<{ application_sid: string | null; version: string | null }>()
  const models = new Groups<{ vendor: string | null; model: string | null }>()
  for (const row of rows) {
    const { vendor, model, version, account_sid } = row
    const [from] = slotOf(hourOf(Number(row.hour)))
    const time = times.get(from) ?? new Group()
    times.set(from, time)
    const application_sid = row.application_sid || null
    const of = prices.get(account_sid)
    const amount = of ? costOf(priceOf(of.prices, row), usedIn(row)) : null
    const cost = of && amount !== null ? { currency: of.currency, amount } : null
    const groups = [total, time, applications.at({ application_sid }), models.at({ vendor, model })]
    if (version !== null)
      groups.push(versions.at({ application_sid, version: version === '' ? null : version }))
    for (const group of groups) group.add(row, cost)
  }
  return {
    ...total.counts(),
    from: iso(span.from),
    until: iso(span.to),
    times: [...times]
      .sort(([a], [b]) => a - b)
      .map(([from, group]) => ({
        time: iso(Math.max(from, span.from)),
        until: iso(Math.min(slotOf(from)[1], span.to)),
        ...group.counts(),
      })),
    applications: applications.rows(),
    versions: versions.rows(),
    models: models.rows(),
  }
}

const usedIn = ({ input, cached, output, seconds, characters }: Row) => ({
  tokens:
    input === null
      ? null
      : { input: Number(input), cached: Number(cached), output: Number(output) },
  seconds: Number(seconds),
  characters: Number(characters),
})
