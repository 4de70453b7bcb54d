import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Calls } from '../packages/server/src/stores/calls/files/calls.ts'
import { Folder } from '../packages/server/src/stores/calls/files/folder.ts'
import { Ingest } from '../packages/server/src/stores/calls/files/ingest.ts'
import type { CallRow, Shard } from '../packages/server/src/stores/calls/files/shard.ts'
import { addText, tagKey, tagWord } from '../packages/server/src/stores/calls/files/texts.ts'
import { DAY_MS } from '../packages/server/src/stores/calls/times.ts'

/**
 * Our text index of call records beside FTS5's own trigram tokenizer, over the same calls of one day: room, and
 * processor time to build it and for a page of 25 with the total. See docs/adr/010-call-records.md.
 *
 * The trigram tokenizer knows no text below three characters, so it is asked for every trigram that begins with it,
 * each text being padded when it is added. It gives its page in order of arrival, which it can stop at early.
 */
const { values: options } = parseArgs({
  options: {
    calls: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
  },
})
const CALLS = Number(options.calls)
const ACCOUNTS = 50
const PAGE = { limit: 25, offset: 0 }
const path = mkdtempSync(join(tmpdir(), 'switchroom-bench-'))
process.once('exit', () => rmSync(path, { recursive: true, force: true }))

// the same calls every time
let state = 42
const random = (n: number) => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * n)
}
const digits = (n: number) => String(random(10 ** n)).padStart(n, '0')
const accounts = Array.from({ length: ACCOUNTS }, () => randomUUID())
const applications = Array.from({ length: 150 }, () => randomUUID())
const number = () =>
  random(1_000) === 0 ? 'anonymous' : `+1${random(5) ? digits(3) : '800'}${digits(2)}${digits(5)}`

const day = Math.floor(Date.now() / DAY_MS) - 1
const series = accounts.flatMap((account_sid) =>
  ['inbound', 'outbound'].flatMap((direction) =>
    ['true', 'false'].map((answered) => {
      const tags = { account_sid, answered, direction }
      return { key: JSON.stringify(tags), tags, measurement: 'cdrs' }
    }),
  ),
)
const point = (i: number) => ({
  ms: day * DAY_MS + Math.floor((i * DAY_MS) / CALLS),
  ns: 0,
  series: series[random(series.length)]!,
  fields: {
    application_sid: applications[random(applications.length)]!,
    call_sid: randomUUID(),
    duration: random(600),
    from: number(),
    remote_host: `192.0.2.${random(250)}`,
    sip_callid: randomUUID(),
    sip_status: 200,
    termination_reason: 'caller hungup',
    to: number(),
    trace_id: randomUUID().replaceAll('-', ''),
  },
})

/** Milliseconds of processor, of which a busy machine takes little away. */
async function timed(work: () => unknown) {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
const CHUNK = 10_000
const round = (n: number) => Math.round(n * 10) / 10
const transaction = (shard: Shard, work: () => void) => {
  shard.db.exec('begin immediate')
  work()
  shard.db.exec('commit')
}

const folder = new Folder(path, 'write')
const ingest = new Ingest(folder)
const filling = await timed(() => {
  for (let next = 0; next < CALLS; ) {
    const batch = []
    for (let i = 0; i < 1_000 && next < CALLS; i++)
      batch.push({ database: 'cdrs', point: point(next++) })
    ingest.write(batch)
  }
})
console.log(
  `${CALLS} calls taken in with our index: ${Math.round(CALLS / (filling / 1000))} a second`,
)

const shard = folder.open(day)!
const written: object[] = []
/** Builds an index some calls at a time, and says what it took. */
async function build(index: string, chunk: (after: number, last: number) => void) {
  const before = folder.used(day)
  const ms = await timed(() => {
    for (let n = 0; n * CHUNK < CALLS; n++)
      transaction(shard, () => chunk(n * CHUNK, (n + 1) * CHUNK))
  })
  written.push({
    index,
    MB: round((folder.used(day) - before) / 1e6),
    seconds: round(ms / 1000),
    'calls a second': Math.round(CALLS / (ms / 1000)),
  })
}

shard.run(`insert into texts (texts) values ('delete-all')`)
const tags = new Map(
  shard.all('select id, tags from series').map((row) => {
    const words = Object.entries<string>(JSON.parse(String(row.tags))).map(
      ([name, value]) => shard.get('select id from words where text = ?', tagKey(name, value))!.id,
    )
    return [row.id, words.map((id) => tagWord(Number(id))).join(' ')]
  }),
)
await build('ours', (after, last) => {
  for (const row of shard.all<CallRow>('select * from calls where id > ? and id <= ?', after, last))
    addText(shard, row, tags.get(row.series)!)
})
const names = ['full', 'none'] as const
type Kind = (typeof names)[number]
for (const name of names) {
  shard.db.exec(
    `create virtual table trigram_${name} using fts5(a, b, content='', columnsize=0, detail=${name}, tokenize='trigram case_sensitive 1')`,
  )
  await build(`trigram, ${name}`, (after, last) =>
    shard.run(
      `insert into trigram_${name} (rowid, a, b)
        select id, "from" || char(1, 1), "to" || char(1, 1) from calls where id > ? and id <= ?`,
      after,
      last,
    ),
  )
}
console.table(written)
shard.db.exec('pragma wal_checkpoint(truncate)')

const reading = new Folder(path, 'read')
const calls = new Calls(reading, () => 0)
const reader = reading.open(day)!
// `temp` belongs to a connection
reader.db.exec('pragma query_only = 0; pragma temp_store = memory')
for (const name of names)
  reader.db.exec(
    `create virtual table temp.${name}_terms using fts5vocab(main, trigram_${name}, row)`,
  )
reader.db.exec('pragma query_only = 1')

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
/** What FTS5 is asked for to find a text, and whether what it finds has still to be checked. */
function expression(name: Kind, text: string): { match: string; check: boolean } {
  if (text.length < 3) {
    const terms = reader.all(
      `select term from ${name}_terms where term >= ? and term < ?`,
      text,
      `${text}\u{10ffff}`,
    )
    return { match: terms.map(({ term }) => quoted(String(term))).join(' OR '), check: false }
  }
  if (name === 'full') return { match: quoted(text), check: false }
  const grams = Array.from({ length: text.length - 2 }, (_, i) => quoted(text.slice(i, i + 3)))
  return { match: grams.join(' AND '), check: text.length > 3 }
}
function askTrigram(name: Kind, text: string, account_sid: string | undefined) {
  const { match, check } = expression(name, text)
  if (!match) return { total: 0, rows: 0 }
  let where = `where trigram_${name} match ?`
  const values = [match]
  if (check) {
    where += ` and (instr(c."from", ?) > 0 or instr(c."to", ?) > 0)`
    values.push(text, text)
  }
  if (account_sid !== undefined) {
    where += ` and c.series in (select id from series where tags ->> 'account_sid' = ?)`
    values.push(account_sid)
  }
  const join = values.length > 1 ? 'cross join calls c on c.id = f.rowid' : ''
  const from = `from trigram_${name} f ${join} ${where}`
  const total = Number(reader.get(`select count(*) as n ${from}`, ...values)!.n)
  const last = `select f.rowid as id ${from} order by f.rowid desc limit ${PAGE.limit}`
  return { total, rows: reader.all(last, ...values).length }
}
async function askOurs(text: string, account_sid: string | undefined) {
  const span = { from: day * DAY_MS, to: (day + 1) * DAY_MS }
  const { total, data } = await calls.list(
    { ...span, text, ...(account_sid && { account_sid }) },
    PAGE,
  )
  return { total, rows: data.length }
}

const known = () =>
  String(reader.get('select "to" as n from calls where id = ?', 1 + random(CALLS))!.n)
const texts: Record<string, () => string> = {
  '1 character, in most': () => digits(1),
  '1 character, in 0.2 %': () => 'y',
  '2 characters, in half': () => digits(2),
  '2 characters, in 0.2 %': () => 'ym',
  '3 characters, in most': () => `+1${digits(1)}`,
  '3 characters, in 2 %': () => digits(3),
  '3 characters, in 0.2 %': () => 'nym',
  '5 characters, in 20 %': () => '+1800',
  '5 characters, in 0.2 %': () => `+1${digits(3)}`,
  '5 characters, in 0.01 %': () => digits(5),
  '11 characters, in one': () => known().slice(-11),
  '11 characters, in none': () => `${digits(5)}${digits(5)}x`,
}
const results: object[] = []
for (const [name, textOf] of Object.entries(texts))
  for (const account of [undefined, accounts[7]!]) {
    const ways = {
      ours: (text: string) => askOurs(text, account),
      'trigram, full': (text: string) => askTrigram('full', text, account),
      'trigram, none': (text: string) => askTrigram('none', text, account),
    }
    const ms: Record<string, number[]> = {}
    let found = 0
    for (let i = 0; i < Number(options.rounds); i++) {
      const text = textOf()
      const answers: string[] = []
      for (const [way, ask] of Object.entries(ways)) {
        const used = await timed(async () => {
          const answer = await ask(text)
          answers.push(JSON.stringify(answer))
          found = answer.total
        })
        ms[way] = [...(ms[way] ?? []), used]
      }
      if (new Set(answers).size > 1) throw new Error(`Of ${text} they find ${answers}`)
    }
    const medians = Object.entries(ms).map(([way, all]) => [
      `${way}, ms`,
      round(all.toSorted((a, b) => a - b)[all.length >> 1]!),
    ])
    results.push({
      text: `${name}${account ? ', of an account' : ''}`,
      found,
      ...Object.fromEntries(medians),
    })
  }
console.table(results)
console.log(`memory: ${Math.round(process.memoryUsage().rss / 1e6)} MB`)
