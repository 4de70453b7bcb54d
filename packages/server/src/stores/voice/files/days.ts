import { existsSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { Call, VoiceFigures } from '@switchroom/contract'
import type { Owner, Page, Span } from '../../calls/store.ts'
import { HOUR_MS } from '../../calls/sums.ts'
import { DayFiles } from '../../kit/day-files.ts'
import { NewerFile } from '../../kit/formats.ts'
import {
  isTraceId,
  type Sum,
  type VoiceCall,
  type VoiceFilter,
  type VoiceOptions,
} from '../store.ts'
import { DAY_MS, type DayCall, ownerWord, type SumOfDay, VoiceDay } from './day.ts'
import { Search } from './search.ts'

export type DaysOptions = {
  folder: string
  /** Older records are deleted. */
  days: number
  /** Above this size the oldest records are deleted. */
  max_bytes: number
}

/** The most counts in a transaction. A call has some dozens. */
const COUNTS_AT_ONCE = 10_000
/** Words take as long as a count of so many characters. */
const CHARACTERS_A_COUNT = 20
/** The most calls in a batch of a stream. */
const BATCH = 500
const TRIM = 2_000

/** Lets other requests in between the days that one reads or writes. */
const yieldToEvents = () => setImmediate()

const dayOf = ({ call }: VoiceCall) => Math.floor(Date.parse(call.attempted_at) / DAY_MS)

/** What conversations count for, in files by the day of their calls. */
export class Days {
  #options: DaysOptions
  #files: DayFiles<VoiceDay>
  #searches = new WeakMap<VoiceDay, Search>()

  constructor(options: DaysOptions) {
    this.#options = options
    this.#files = new DayFiles(options.folder, 'write', (file, day) => new VoiceDay(file, day))
  }

  #oldest = () => Math.floor(Date.now() / DAY_MS) - this.#options.days

  /** Runs work on a day; undefined if there is none, or its file is damaged and was set aside. */
  #read<T>(day: number, work: (file: VoiceDay) => T): T | undefined {
    return this.#files.guard(day, () => {
      const file = existsSync(this.#files.file(day)) ? this.#files.open(day) : undefined
      return file && work(file)
    })
  }

  #search<T>(day: number, work: (search: Search) => T): T | undefined {
    return this.#read(day, (file) => {
      const search = this.#searches.get(file) ?? new Search(file)
      this.#searches.set(file, search)
      return work(search)
    })
  }

  /** Writes to a day, in a fresh file if that was damaged. One of a newer version stays as it is. */
  #write(day: number, work: (file: VoiceDay) => void) {
    const run = () => {
      work(this.#files.open(day)!)
      return true
    }
    if (this.#files.guard(day, run)) return
    try {
      run()
    } catch (e) {
      if (!(e instanceof NewerFile)) throw e
    }
  }

  /**
   * Keeps calls, in place of what there was of the same traces. If it fails or is killed, some calls may be in no file
   * until they are kept again, but none is in two.
   */
  async keep(calls: readonly DayCall[]) {
    const latest = new Map(calls.map((call) => [call.trace_id, call]))
    for (const day of this.#files.days()) {
      const others = [...latest.values()].filter((call) => dayOf(call) !== day)
      this.#read(day, (file) => {
        const moved = file.find(others.map(({ trace_id }) => trace_id))
        for (const [trace_id, id] of moved)
          latest.set(trace_id, { recorded: file.spokenIn(id).recorded, ...latest.get(trace_id)! })
        if (moved.size > 0) file.drop(moved.values())
      })
      await yieldToEvents()
    }
    for (const [day, ofDay] of Map.groupBy(latest.values(), dayOf)) {
      if (day < this.#oldest()) continue
      for (const some of inParts(ofDay)) {
        this.#write(day, (file) => file.put(some))
        await yieldToEvents()
      }
    }
  }

  /** Has a call found by these words, in place of those that were added before. */
  async addRecorded(call: Call, recorded: string) {
    const { trace_id } = call
    if (!isTraceId(trace_id)) return
    for (const day of this.#files.days()) {
      const isHere = this.#read(day, (file) => {
        const [id] = file.find([trace_id]).values()
        if (id !== undefined) file.putRecorded(id, recorded)
        return id !== undefined
      })
      if (isHere) return
      await yieldToEvents()
    }
    // its trace may be kept later, or tell nothing
    if (recorded) await this.keep([{ trace_id, call, counts: [], recorded }])
  }

  async figures(
    owner: Owner,
    span: Span,
    { application_sid, time_zone }: VoiceOptions,
  ): Promise<VoiceFigures> {
    const { voiceFigures } = await import('../figures.ts')
    const word = ownerWord(owner, application_sid ?? null)
    const total = new Total()
    for (const [day, { from, to }] of this.#parts(span)) {
      const first = Math.ceil(from / HOUR_MS)
      const hours = { from: first, to: Math.max(first, Math.floor(to / HOUR_MS)) }
      const ends = [
        { from, to: Math.min(to, hours.from * HOUR_MS) },
        { from: Math.max(from, hours.to * HOUR_MS), to },
      ]
      const sums = this.#read(day, (file) => [
        ...file.sums(word, hours),
        ...ends.flatMap((part) => [...file.counts(word, part)]),
      ])
      for (const sum of sums ?? []) total.add(sum)
      await yieldToEvents()
    }
    return voiceFigures(total.sums(), span, time_zone)
  }

  async list(
    filter: VoiceFilter,
    { limit, offset }: Page,
  ): Promise<{ data: Call[]; total: number }> {
    const data: Call[] = []
    let total = 0
    for (const [day, part] of this.#parts(filter)) {
      const skip = Math.max(0, offset - total)
      const found = this.#search(day, (search) =>
        search.page(filter, part, skip, limit - data.length),
      )
      data.push(...(found?.data ?? []))
      total += found?.total ?? 0
      await yieldToEvents()
    }
    return { data, total }
  }

  /** All matches, newest first, in batches. */
  async *each(filter: VoiceFilter): AsyncGenerator<Call[]> {
    for (const [day, part] of this.#parts(filter)) {
      for (const { hour } of this.#search(day, (search) => search.hours(filter, part)) ?? []) {
        const ids = this.#search(day, (search) => search.ids(filter, part, hour)) ?? []
        for (let i = 0; i < ids.length; i += BATCH) {
          const batch = this.#search(day, (search) => search.calls(ids.slice(i, i + BATCH)))
          if (batch) yield batch
        }
      }
    }
  }

  /** The days of a span, newest first, and which part of each, in milliseconds since its start. */
  #parts({ from, to }: Span): [day: number, part: Span][] {
    return this.#files
      .days()
      .reverse()
      .flatMap((day): [number, Span][] => {
        const within = (ms: number) => Math.max(0, Math.min(DAY_MS, Math.ceil(ms - day * DAY_MS)))
        const part = { from: within(from), to: within(to) }
        return day >= this.#oldest() && part.from < part.to ? [[day, part]] : []
      })
  }

  /** Deletes what is too old, or above the size limit. */
  async forget() {
    const { max_bytes } = this.#options
    for (const day of this.#files.days()) if (day < this.#oldest()) this.#files.remove(day)
    for (;;) {
      const days = this.#files.days()
      const [oldest] = days
      if (oldest === undefined) return
      const isOne = days.length === 1
      const bytes = isOne
        ? this.#files.used(oldest)
        : days.reduce((sum, day) => sum + this.#files.bytes(day), 0)
      if (bytes <= max_bytes) return
      if (!isOne) this.#files.remove(oldest)
      else if (!this.#read(oldest, (file) => file.trim(TRIM))) return
      await yieldToEvents()
    }
  }

  close() {
    this.#files.close()
  }
}

/** Sums of several days. Those of more than an hour are added up, so that they do not grow with the days. */
class Total {
  #hourly: SumOfDay[] = []
  #others = new Map<string, SumOfDay>()

  add(sum: SumOfDay) {
    const { text } = sum.word
    const other = this.#others.get(text)
    if (sum.at !== undefined) this.#hourly.push(sum)
    else if (!other) this.#others.set(text, sum)
    else
      for (const [value, n] of Object.entries(sum.counts))
        other.counts[Number(value)] = (other.counts[Number(value)] ?? 0) + n
  }

  *sums(): Generator<Sum> {
    for (const { word, counts, at } of [...this.#hourly, ...this.#others.values()])
      for (const [value, n] of Object.entries(counts)) {
        const { by, key, measure } = word
        yield { by, key, measure, value: Number(value), n, at }
      }
  }
}

/** Parts with few counts each, so that no transaction is long. */
function* inParts(calls: readonly DayCall[]): Generator<DayCall[]> {
  let part: DayCall[] = []
  let counts = 0
  for (const call of calls) {
    part.push(call)
    counts += call.counts.length + (call.words?.length ?? 0) / CHARACTERS_A_COUNT
    if (counts < COUNTS_AT_ONCE) continue
    yield part
    part = []
    counts = 0
  }
  if (part.length > 0) yield part
}
