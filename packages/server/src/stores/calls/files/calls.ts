import { setImmediate } from 'node:timers/promises'
import { type Call, type CallFigures, entriesOf } from '@switchroom/contract'
import { attemptSums } from '../attempts.ts'
import { type CallQuery, queryOf } from '../query.ts'
import {
  type AttemptCounts,
  type CallFilter,
  type DialedNumber,
  DialedSums,
  type FailureCounts,
  type Owner,
  type Page,
  type Span,
  type TrunkCounts,
  type TrunkFilter,
  type TrunkGrouping,
} from '../store.ts'
import { emptySums, failureCounts, figuresOf, unitFor } from '../sums.ts'
import { DAY_MS } from '../times.ts'
import { addAttempts } from './attempts.ts'
import { Day, type Filter, type HASHES, type Part } from './day.ts'
import { dialedIn, hoursOf } from './dialed.ts'
import { addUp } from './figures.ts'
import type { Folder } from './folder.ts'
import { page, walk } from './pages.ts'
import { countText, newest } from './search.ts'
import { callOf } from './shapes.ts'
import type { NamedCall, Shard } from './shard.ts'
import { countFailures, countTrunks } from './trunks.ts'

/** Yields between days, so that a long search does not block short queries. */
const yieldToEvents = () => setImmediate()

/** Reads call records from the day files. */
export class Calls {
  #folder: Folder
  #days = new Map<number, Day>()
  /** Older records are hidden, even if their file still exists. */
  #oldest: () => number
  /** Called with a day that an earlier version wrote: the writer can upgrade it. */
  onOutdated: (day: number) => void = () => undefined

  constructor(folder: Folder, oldest: () => number) {
    this.#folder = folder
    this.#oldest = oldest
    folder.onClose = (shard) => void this.#days.delete(shard.day)
  }

  /** The days of a span. Each may be closed once the next is requested. */
  *days(from: bigint, to: bigint, newestFirst = true): Generator<[Day, Part]> {
    const oldest = Math.floor(this.#oldest() / DAY_MS)
    const numbers = this.#folder.days()
    if (newestFirst) numbers.reverse()
    for (const number of numbers) {
      if (number < oldest) continue
      const day = this.#folder.guard(number, () => {
        const shard = this.#folder.open(number)
        return shard && (this.#days.get(number) ?? this.#dayOf(shard))
      })
      if (!day) continue
      const part = day.part(from, to)
      if (part) yield [day, part]
    }
  }

  #dayOf(shard: Shard): Day {
    const day = new Day(shard)
    this.#days.set(shard.day, day)
    if (!shard.isCurrent()) this.onOutdated(shard.day)
    return day
  }

  /** Runs work on a day in one snapshot; undefined if its file is damaged, and skipped from now on. */
  read<T>(day: Day, work: () => T): T | undefined {
    return this.#folder.guard(day.shard.day, () => day.snapshot(work))
  }

  /** A page of rows, newest first, and the total. */
  async rows(
    want: CallQuery,
    { limit, offset }: Page,
  ): Promise<{ rows: [Day, NamedCall][]; total: number }> {
    const rows: [Day, NamedCall][] = []
    let total = 0
    for (const [day, part] of this.days(want.from, want.to)) {
      const missing = limit - rows.length
      const skip = Math.max(0, offset - total)
      const read = this.read(day, () => {
        const filter = day.filter(want)
        if (!filter) return undefined
        const found = onePage(day, want, filter, part, missing, skip)
        const pageRows = day.rows(found.ids)
        // a shown row needs its series
        for (const row of pageRows) day.seriesOf(row.series)
        return { total: found.total, rows: pageRows }
      })
      total += read?.total ?? 0
      for (const row of read?.rows ?? []) rows.push([day, row])
      await yieldToEvents()
    }
    return { rows, total }
  }

  async list(filter: CallFilter, page: Page): Promise<{ data: Call[]; total: number }> {
    const { rows, total } = await this.rows(queryOf(filter), page)
    return { data: rows.map(([day, row]) => callOf(day, row)), total }
  }

  /** All matches, in batches. */
  async *each(filter: CallFilter, size = 500): AsyncGenerator<Call[]> {
    const want = queryOf(filter)
    for (const [day, part] of this.days(want.from, want.to)) {
      const number = day.shard.day
      const batches = batchesOf(day, want, part, size)
      this.#folder.keep(number)
      try {
        for (;;) {
          const next = this.#folder.guard(number, () => batches.next())
          if (!next || next.done) break
          yield next.value
        }
      } finally {
        this.#folder.release(number)
      }
    }
  }

  async find(
    owner: Owner,
    by: Partial<Record<keyof typeof HASHES, string>>,
  ): Promise<Call | undefined> {
    const [[name, text] = []] = entriesOf(by)
    if (!name || text === undefined) return undefined
    const want = queryOf({ ...owner, from: -8.64e15, to: 8.64e15 })
    for (const [day] of this.days(want.from, want.to)) {
      const found = this.read(day, () => {
        const seriesIds = day.having('cdrs', 'cdrs', want.tags)
        const rows = day
          .byId(name, text)
          .filter((row) => !seriesIds || seriesIds.includes(row.series))
          .sort((a, b) => b.at - a.at)
        const [row] = rows[0] ? day.rows([rows[0].id]) : []
        return row && callOf(day, row)
      })
      if (found) return found
    }
    return undefined
  }

  async ofTraces(trace_ids: readonly string[], span: Span): Promise<Call[]> {
    const want = queryOf(span)
    const found: Call[] = []
    for (const [day, part] of this.days(want.from, want.to)) {
      const calls = this.read(day, () =>
        day.rows(day.ofTraces(trace_ids, part)).map((row) => callOf(day, row)),
      )
      found.push(...(calls ?? []))
      await yieldToEvents()
    }
    return found
  }

  async dialed(
    owner: Owner,
    span: Span,
    limit: number,
  ): Promise<{ numbers: DialedNumber[]; capped: boolean }> {
    const want = queryOf({ ...owner, ...span, direction: 'outbound' })
    const sums = new DialedSums()
    let left = limit
    for (const [day, part] of this.days(want.from, want.to))
      for (const hour of hoursOf(part)) {
        if (left > 0) left -= this.read(day, () => dialedIn(day, want, hour, left, sums)) ?? 0
        await yieldToEvents()
      }
    return { numbers: sums.all(), capped: left === 0 }
  }

  async figures(owner: Owner, span: Span, time_zone?: string): Promise<CallFigures> {
    const want = queryOf({ ...owner, ...span })
    const sums = emptySums()
    const unit = unitFor(span, time_zone)
    for (const [day, part] of this.days(want.from, want.to)) {
      const before = structuredClone(sums)
      const isAdded = this.read(day, () => {
        addUp(day, want.tags, part, unit, sums)
        return true
      })
      if (!isAdded) Object.assign(sums, before)
      await yieldToEvents()
    }
    return figuresOf(sums, span, time_zone)
  }

  async trunks(
    trunks: readonly TrunkFilter[],
    span: Span,
    by: TrunkGrouping,
  ): Promise<TrunkCounts[][]> {
    const want = queryOf(span)
    const found = trunks.map((): TrunkCounts[] => [])
    for (const [day, part] of this.days(want.from, want.to)) {
      const ofDay = this.read(day, () => countTrunks(day, trunks, part, by)) ?? []
      for (const [i, counts] of ofDay.entries()) found[i]!.push(...counts)
      await yieldToEvents()
    }
    return found
  }

  async trunkFailures(trunk: TrunkFilter, span: Span): Promise<FailureCounts> {
    const want = queryOf(span)
    const sums = new Map<number | null, number>()
    for (const [day, part] of this.days(want.from, want.to)) {
      this.read(day, () => countFailures(day, trunk, part, sums))
      await yieldToEvents()
    }
    return failureCounts(sums)
  }

  async attempts(owner: Owner, span: Span, step_ms: number): Promise<AttemptCounts[]> {
    const want = queryOf({ ...owner, ...span })
    const sums = attemptSums(step_ms)
    for (const [day, part] of this.days(want.from, want.to))
      for (const hour of hoursOf(part)) {
        this.read(day, () => addAttempts(day, want.tags, hour, sums))
        await yieldToEvents()
      }
    return sums.all()
  }
}

const isSearch = ({ text, numbers }: CallQuery) => text !== undefined || numbers !== undefined

function onePage(
  day: Day,
  want: CallQuery,
  filter: Filter,
  part: Part,
  missing: number,
  skip: number,
): { ids: number[]; total: number } {
  if (!isSearch(want)) {
    const total = day.count(filter, part)
    const here = missing > 0 && total > skip
    return { ids: here ? page(day, filter, part, skip, missing) : [], total }
  }
  if (missing > 0) {
    const { ids, total } = newest(day, want, filter, part, skip + missing)
    return { ids: ids.slice(skip), total }
  }
  return { ids: [], total: countText(day, want, filter, part) }
}

/** All matches of a day, in batches. */
function* batchesOf(day: Day, want: CallQuery, part: Part, size: number): Generator<Call[]> {
  const passing = day.filter(want)
  if (!passing) return
  if (!isSearch(want)) {
    for (const batch of walk(day, passing, part, size)) yield batch.map((row) => callOf(day, row))
    return
  }
  const { ids } = day.snapshot(() => newest(day, want, passing, part, Number.POSITIVE_INFINITY))
  for (let i = 0; i < ids.length; i += size)
    yield day.rows(ids.slice(i, i + size)).map((row) => callOf(day, row))
}
