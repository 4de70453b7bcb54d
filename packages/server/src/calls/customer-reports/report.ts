import {
  addDays,
  type Call,
  type CallFigures,
  type CustomerReport,
  daysIn,
  monthOf,
  periodBefore,
  REPORT_CALLS_READ,
  REPORT_NUMBERS,
  type ReportPeriod,
  type ReportTime,
  type ReportTotals,
  t,
  timeOf,
  todayBy,
  zoneClock,
} from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import { invalidField } from '../../http/failure.ts'
import type { Owner, Span } from '../../stores/calls/store.ts'
import { addTally, noCalls } from '../../stores/calls/sums.ts'
import { normalizeParty, partyOf } from './parties.ts'
import { applicationNames } from './queries.ts'

const DAY_MS = 86_400_000
/** Longer periods are shown by month. */
const MOST_DAYS_SHOWN = 100

export type ReportedAccount = { account_sid: string; name: string }
export type ZonedPeriod = ReportPeriod & { time_zone: string }
type Reading = Pick<Context, 'db' | 'stores' | 'config' | 'memory'>
type Figures = Omit<CustomerReport, 'account_name'>

/** The time of a period that has passed. Throws 400 if none has. */
export function passedTime({ time_zone, ...period }: ZonedPeriod, now = Date.now()) {
  const { from, to } = timeOf(zoneClock(time_zone), period)
  if (from > now) throw invalidField('from', t('This day has not come yet'))
  return { from, to: Math.min(to, now), is_running: to > now }
}

/** The report of an account, whose link or sid was looked up. */
export async function reportOf(
  ctx: Reading,
  { account_sid, name }: ReportedAccount,
  period: ZonedPeriod,
  now = Date.now(),
): Promise<CustomerReport> {
  passedTime(period, now)
  const { from, until, time_zone } = period
  const key = JSON.stringify([account_sid, from, until, time_zone])
  const figures = await ctx.memory.customerReports(key, () =>
    figuresOf(ctx, account_sid, period, now),
  )
  return { account_name: name, ...figures }
}

async function figuresOf(
  ctx: Reading,
  account_sid: string,
  period: ZonedPeriod,
  now: number,
): Promise<Figures> {
  const { calls } = ctx.stores
  const { time_zone, ...days } = period
  const { is_running, ...span } = passedTime(period, now)
  const since = keptSince(ctx, now)
  const [figures, directions, numbers, before] = await Promise.all([
    calls.figures({ account_sid }, span, time_zone),
    directionsOf(ctx, { account_sid }, span),
    numbersOf(calls.each({ account_sid, ...span })),
    earlierOf(ctx, account_sid, period, { since, passed: span.to - span.from, is_running }),
  ])
  const names = await applicationNames(
    ctx.db,
    account_sid,
    figures.applications.map(({ application_sid }) => application_sid),
  )
  return {
    ...period,
    start: new Date(span.from).toISOString(),
    end: new Date(span.to - 1).toISOString(),
    is_running,
    kept_since: since === undefined ? null : new Date(since).toISOString(),
    read_at: new Date(now).toISOString(),
    total: { ...totalOf(figures), ...directions },
    before,
    ...timesOf(figures, days, time_zone),
    hours: figures.hours,
    causes: figures.failures,
    applications: figures.applications.map(({ application_sid: sid, ...counts }) => ({
      ...counts,
      name: sid && (names.get(sid) ?? `${sid.slice(0, 8)}…`),
    })),
    ...numbers,
  }
}

/** Start of the calls that are kept; undefined if only the operator's own store knows. */
const keptSince = ({ config: { telemetry } }: Pick<Context, 'config'>, now: number) =>
  telemetry.kind === 'influx'
    ? undefined
    : Math.ceil((now - telemetry.days * DAY_MS) / DAY_MS) * DAY_MS

const totalOf = ({ calls, answered, not_answered, seconds, timed }: CallFigures) => ({
  calls,
  answered,
  not_answered,
  seconds,
  timed,
})

async function directionsOf({ stores: { calls } }: Reading, owner: Owner, span: Span) {
  const count = async (direction: 'inbound' | 'outbound') =>
    (await calls.list({ ...owner, ...span, direction }, { limit: 1, offset: 0 })).total
  const [inbound, outbound] = await Promise.all([count('inbound'), count('outbound')])
  return { inbound, outbound }
}

/** The period before: of one that is not over, as much of it as has passed. */
async function earlierOf(
  ctx: Reading,
  account_sid: string,
  period: ZonedPeriod,
  { since, passed, is_running }: { since: number | undefined; passed: number; is_running: boolean },
): Promise<CustomerReport['before']> {
  const days = periodBefore(period)
  const { from, to } = timeOf(zoneClock(period.time_zone), days)
  if (since !== undefined && from < since) return null
  const span = { from, to: is_running ? Math.min(to, from + passed) : to }
  const [figures, directions] = await Promise.all([
    ctx.stores.calls.figures({ account_sid }, span, period.time_zone),
    directionsOf(ctx, { account_sid }, span),
  ])
  const total: ReportTotals = { ...totalOf(figures), ...directions }
  return { ...days, total }
}

function timesOf(
  { times }: CallFigures,
  { from, until }: ReportPeriod,
  time_zone: string,
): Pick<CustomerReport, 'unit' | 'times'> {
  const unit = daysIn({ from, until }) > MOST_DAYS_SHOWN ? 'month' : 'day'
  const clock = zoneClock(time_zone)
  const dateOf = (day: string) => (unit === 'day' ? day : monthOf(day).from)
  const all = new Map<string, ReportTime>()
  for (let day = from; day <= until; day = addDays(day, 1)) {
    const date = dateOf(day)
    if (!all.has(date)) all.set(date, { date, ...noCalls() })
  }
  for (const { time, until: _, ...counts } of times) {
    // where a day begins within an hour, an hour that is not divided yet counts to the day before
    const day = todayBy(clock, Date.parse(time))
    const to = all.get(dateOf(day < from ? from : day > until ? until : day))
    if (to) addTally(to, counts)
  }
  return { unit, times: [...all.values()] }
}

class Parties {
  #all = new Map<string, CustomerReport['callers'][number]>()

  add(text: string | null, { answered, duration }: Call) {
    if (text === null) return
    const number = partyOf(text)
    const key = normalizeParty(number)
    const sum = this.#all.get(key) ?? { number, calls: 0, seconds: 0 }
    this.#all.set(key, sum)
    sum.calls++
    if (answered) sum.seconds += duration ?? 0
  }

  top = () =>
    [...this.#all.values()]
      .sort((a, b) => b.calls - a.calls || b.seconds - a.seconds)
      .slice(0, REPORT_NUMBERS)
}

/** The most frequent callers and called numbers. */
async function numbersOf(
  calls: AsyncIterable<Call>,
): Promise<Pick<CustomerReport, 'callers' | 'called' | 'are_numbers_of_newest'>> {
  const [callers, called] = [new Parties(), new Parties()]
  let read = 0
  for await (const call of calls) {
    if (read++ === REPORT_CALLS_READ) break
    if (call.direction === 'inbound') callers.add(call.from, call)
    if (call.direction === 'outbound') called.add(call.to, call)
  }
  return {
    callers: callers.top(),
    called: called.top(),
    are_numbers_of_newest: read > REPORT_CALLS_READ,
  }
}
