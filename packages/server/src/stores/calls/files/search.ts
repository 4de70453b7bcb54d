import type { NumberPart } from '@switchroom/contract'
import type { CallQuery } from '../query.ts'
import { BY_HASH, type Day, type Filter, type Hashed, type Part, where } from './day.ts'
import { BLOCK, hash } from './shard.ts'
import { matching, tagKey } from './texts.ts'

type Found = { id: number; at: number }
/** A run of consecutive calls, and whether the span covers all of them. */
type Run = { first: number; last: number; inside: boolean }
/** The times of a block's first and last call. */
type Block = { block: number; first: number; last: number }

/** Up to this many matches are read at once; beyond that only the newest are searched. */
const FEW = 2_000
/** Unordered runs up to this size are read at once as well. */
const MANY_RUNS = 8

const newestFirst = (a: Found, b: Found) => b.at - a.at || b.id - a.id

/** The condition of a call with one of these numbers. */
function hasNumber(numbers: readonly NumberPart[]) {
  const likes = numbers.flatMap(({ digits, begins }) =>
    begins ? [`${digits}%`, `+${digits}%`] : [`%${digits}%`],
  )
  const sql = ['from', 'to'].flatMap((name) => likes.map(() => `c."${name}" like ?`)).join(' or ')
  return { sql: `(${sql})`, values: [...likes, ...likes] }
}

/** A query to the text index of a day. */
class Search {
  #day: Day
  #part: Part
  /** What a call is checked for. */
  #has: { sql: string; values: string[] }
  #asked: ReturnType<typeof matching> | undefined
  /** What the index does not know of. */
  #more = { sql: '', values: [] as (string | number)[] }
  /** Matches by id that do not also match by number. */
  byId: Found[]

  constructor(day: Day, want: CallQuery, filter: Filter, part: Part) {
    const { text = '', numbers } = want
    const wanted = want.id ?? text
    this.#day = day
    this.#part = part
    this.#has = numbers
      ? hasNumber(numbers)
      : { sql: '(instr(c."from", ?) > 0 or instr(c."to", ?) > 0)', values: [text, text] }
    const tags: number[] = []
    // that of an earlier version has other words, and is about to be renewed
    let known = day.shard.hasTextIndex()
    let series: number[] | undefined
    for (const [name, value] of Object.entries(want.tags)) {
      // the index has no word for several values, or for none
      if (typeof value !== 'string') {
        series = filter.series
        continue
      }
      const id = day.wordId(tagKey(name, value))
      if (id === undefined) known = false
      else tags.push(id)
    }
    const { application, sip_status } = filter
    const asked = { application, sip_status: sip_status ?? undefined }
    const texts = numbers?.map(({ digits }) => digits) ?? [text]
    this.#asked = known ? matching(texts, tags, asked) : undefined
    this.#more = where({
      series,
      application: undefined,
      sip_status: sip_status === null ? null : undefined,
    })
    if (want.prefix !== undefined) {
      this.#more.sql += ' and ("to" like ? or "to" like ?)'
      this.#more.values.push(`${want.prefix}%`, `+${want.prefix}%`)
    }
    if (this.#asked && (this.#more.sql !== '' || numbers)) this.#asked.check = true
    const { sql, values } = where(filter)
    const byPrefix = want.prefix === undefined ? { sql: '', values: [] } : this.#more
    const more = new Map<number, Found>()
    for (const name of want.ids ?? [])
      for (const { id, at } of day.shard.all<Hashed>(
        // uses only the id index: with the span the planner would scan the day
        `${BY_HASH(name)} and instr(coalesce("from", ''), ?) = 0 and instr(coalesce("to", ''), ?) = 0
          and +at >= ? and +at < ?${sql}${byPrefix.sql}`,
        hash(wanted),
        wanted,
        text,
        text,
        part.from,
        part.to,
        ...values,
        ...byPrefix.values,
      ))
        more.set(id, { id, at })
    this.byId = [...more.values()]
  }

  #runs(): Run[] {
    return this.#day.whole(this.#part)
      ? [{ first: 0, last: Number.MAX_SAFE_INTEGER, inside: true }]
      : this.#runsOf(this.#blocks('block'))
  }

  #runsOf(blocks: Block[]): Run[] {
    const { from, to } = this.#part
    const runs: Run[] = []
    for (const { block, first, last } of blocks) {
      const inside = first >= from && last < to
      const before = runs.at(-1)
      const end = (block + 1) * BLOCK - 1
      if (before?.inside === inside && before.last === block * BLOCK - 1) before.last = end
      else runs.push({ first: block * BLOCK, last: end, inside })
    }
    return runs
  }

  #blocks(order: 'block' | 'last desc') {
    const { from, to } = this.#part
    return this.#day.shard.all<Block>(
      `select block, first, last from blocks where last >= ? and first < ? order by ${order}`,
      from,
      to,
    )
  }

  /** Scans the calls of a run for matches. */
  #read(columns: string, { first, last }: Run) {
    const { match, check } = this.#asked!
    const has = this.#has
    return this.#day.shard.tuples(
      `select ${columns} from texts cross join calls c on c.id = texts.rowid
        where texts match ? and texts.rowid between ? and ? and c.at >= ? and c.at < ?
        ${check ? `and ${has.sql}` : ''}${this.#more.sql}`,
      match,
      first,
      last,
      this.#part.from,
      this.#part.to,
      ...(check ? has.values : []),
      ...this.#more.values,
    )
  }

  #found = (run: Run): Found[] =>
    this.#read('c.id, c.at', run).map(([id, at]) => ({ id: id!, at: at! }))

  #countRun(run: Run): number {
    const { match, check } = this.#asked!
    if (check || !run.inside) return this.#read('count(*)', run)[0]![0]!
    return this.#day.shard.tuples(
      'select count(*) from texts where texts match ? and rowid between ? and ?',
      match,
      run.first,
      run.last,
    )[0]![0]!
  }

  /** The number of matches by number. */
  count(): number {
    if (!this.#asked) return 0
    return this.#runs().reduce((sum, run) => sum + this.#countRun(run), 0)
  }

  /** The newest matches, by number and by id. */
  newest(total: number, limit: number): Found[] {
    if (total === 0) return this.byId.toSorted(newestFirst).slice(0, limit)
    if (total <= FEW || total <= limit)
      return [...this.byId, ...this.#runs().flatMap(this.#found)].sort(newestFirst).slice(0, limit)
    let matches = [...this.byId]
    const blocks = this.#blocks('last desc')
    // FTS5 restarts for every run, so runs grow
    for (let i = 0, many = 1; i < blocks.length; i += many, many *= 2) {
      if (matches.length >= limit) {
        matches.sort(newestFirst).splice(limit)
        // calls arrive roughly in order of time, so this ends soon
        if (limit === 0 || matches[limit - 1]!.at > blocks[i]!.last) break
      }
      const next = blocks.slice(i, i + many).sort((a, b) => a.block - b.block)
      const runs = this.#runsOf(next)
      if (runs.length > MANY_RUNS) return this.#all(limit)
      matches = matches.concat(runs.flatMap(this.#found))
    }
    return matches.sort(newestFirst).slice(0, limit)
  }

  #all = (limit: number): Found[] =>
    [...this.byId, ...this.#runs().flatMap(this.#found)].sort(newestFirst).slice(0, limit)
}

function countIn(day: Day, want: CallQuery, filter: Filter, part: Part, search: Search): number {
  const count = () => search.count()
  const { text, numbers } = want
  const asked = numbers ? `numbers ${JSON.stringify(numbers)}` : `text ${text}`
  return day.whole(part) ? day.memo(`${asked} ${filter.key}`, count) : count()
}

/** Counts calls that match the filter and the text. */
export function countText(day: Day, want: CallQuery, filter: Filter, part: Part): number {
  const search = new Search(day, want, filter, part)
  return countIn(day, want, filter, part, search) + search.byId.length
}

/** The ids of the newest matches, newest first. */
export function newest(
  day: Day,
  want: CallQuery,
  filter: Filter,
  part: Part,
  limit: number,
): { ids: number[]; total: number } {
  const search = new Search(day, want, filter, part)
  const total = countIn(day, want, filter, part, search)
  const matches = search.newest(total, limit)
  return { ids: matches.map(({ id }) => id), total: total + search.byId.length }
}
