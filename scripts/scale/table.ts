import { type Cost, costs, FEW, MANY, type Question, questions } from './measured.ts'

const RATES = [10, 100, 1_000, 10_000, 100_000]
const DAY = 86_400
const DAYS = 30

/** A ClickHouse server: each shard has two, which hold the same. */
const SERVER = { processors: 16, terabytes: 8 }
/** How much of a processor or a disk is used on purpose. */
const BUSY = 0.5
const FULL = 0.7
/** Fewer than two cannot be restarted unnoticed. */
const LEAST_PROCESSES = 2

const all = Object.values<Cost>(costs)
const perCall = (kinds: readonly Cost[], of: (cost: Cost) => number) =>
  kinds.reduce((total, cost) => total + cost.per_call * of(cost), 0)

/** A thread for each kind takes what comes, so a kind has at most one processor of a process. */
const processesFor = (rate: number, kinds: readonly Cost[]) =>
  Math.max(
    LEAST_PROCESSES,
    ...kinds.map(({ per_call, switchroom_us }) =>
      Math.ceil((rate * per_call * switchroom_us) / 1e6 / BUSY),
    ),
  )

const processorsFor = (rate: number, kinds: readonly Cost[]) =>
  (rate * perCall(kinds, (cost) => cost.clickhouse_us)) / 1e6

const diskFor = (rate: number, kinds: readonly Cost[]) =>
  rate * DAY * DAYS * perCall(kinds, ({ bytes }) => bytes)

const shardsFor = (rate: number, kinds: readonly Cost[]) =>
  Math.max(
    Math.ceil(processorsFor(rate, kinds) / (SERVER.processors * BUSY)),
    Math.ceil(diskFor(rate, kinds) / (SERVER.terabytes * 1e12 * FULL)),
  )

/** Every shard answers for its own calls, at the same time. */
function timeOf({ few, many, most_seconds }: Question, rate: number): string {
  const calls = (rate * DAY * DAYS) / shardsFor(rate, all)
  const ms = few + ((many - few) * (calls - FEW)) / (MANY - FEW)
  if (ms > most_seconds * 1_000) return `over ${most_seconds} s`
  return ms < 1_000 ? `${rounded(Math.max(ms, few))} ms` : `${rounded(ms / 1_000)} s`
}

/** Two digits are as many as such figures have. */
function rounded(value: number) {
  const scale = 10 ** (Math.floor(Math.log10(value)) - 1)
  return (Math.round(value / scale) * scale).toLocaleString('en-US', {
    maximumFractionDigits: value < 10 ? 1 : 0,
  })
}
const processors = (busy: number) => (busy < 0.1 ? '< 0.1' : rounded(busy))
const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const
function size(bytes: number) {
  const unit = Math.floor(Math.log10(bytes) / 3)
  return `${rounded(bytes / 1_000 ** unit)} ${UNITS[unit]}`
}

/** Makes the table of what an installation needs by its calls a second, in Markdown. */
export function scaleTable(): string {
  const row = (name: string, of: (rate: number) => string) =>
    `| ${[name, ...RATES.map(of)].join(' | ')} |`
  const perDay =
    ({ per_call, bytes }: Cost) =>
    (rate: number) =>
      size(rate * DAY * per_call * bytes)
  return [
    row('Calls a second', (rate) => rate.toLocaleString('en-US')),
    `|---|${RATES.map(() => '---:').join('|')}|`,
    row('Calls in 30 days, million', (rate) => rounded((rate * DAY * DAYS) / 1e6)),
    row('Switchroom processes, call records only', (rate) =>
      String(processesFor(rate, [costs.record])),
    ),
    row('… with traces and SIP', (rate) => String(processesFor(rate, all))),
    row('Busy processors of ClickHouse', (rate) => processors(processorsFor(rate, all))),
    row('Shards, call records only', (rate) => String(shardsFor(rate, [costs.record]))),
    row('… with traces and SIP', (rate) => String(shardsFor(rate, all))),
    row('Disk a day: call records', perDay(costs.record)),
    row('… traces', perDay(costs.span)),
    row('… SIP and RTCP', perDay(costs.message)),
    row('Disk of 30 days, each replica', (rate) => size(diskFor(rate, all))),
    ...Object.entries<Question>(questions).map(([name, question]) =>
      row(name, (rate) => timeOf(question, rate)),
    ),
  ].join('\n')
}

const [BEGIN, END] = ['<!-- scale -->', '<!-- /scale -->']

/** The page with its table as it is computed now. Throws if it has no place for it. */
export function withScaleTable(page: string): string {
  const [before, rest] = page.split(BEGIN)
  const [, after] = rest?.split(END) ?? []
  if (after === undefined) throw new Error(`there is no ${BEGIN} with ${END}`)
  return `${before}${BEGIN}\n${scaleTable()}\n${END}${after}`
}
