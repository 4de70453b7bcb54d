import type { Call } from '@switchroom/contract'
import type { Span } from '../../calls/store.ts'
import { HOUR_MS } from '../../calls/sums.ts'
import type { VoiceFilter, WordSearch } from '../store.ts'
import { DAY_MS, parsed, type Tags, type VoiceDay, wordOf } from './day.ts'
import { wordsCondition } from './spoken.ts'

/** Number of matching calls in an hour. */
type Hour = { hour: number; n: number }
/** `at` and `id`: names of a call's time and number. */
type Where = { sql: string; values: (string | number)[]; at: string; id: string }

const MAX_MEMOS = 200

function hasTags(tags: Tags, filter: VoiceFilter) {
  const is = (value: unknown, wanted: unknown) => wanted === undefined || value === wanted
  const { answered, missing = [] } = filter
  const isKnown = tags.answered !== null
  return (
    is(tags.service_provider_sid, filter.service_provider_sid) &&
    is(tags.account_sid, filter.account_sid) &&
    is(tags.direction, filter.direction) &&
    is(tags.trunk, filter.trunk) &&
    is(tags.application_sid, filter.application_sid) &&
    is(tags.sip_status, filter.sip_status) &&
    (typeof answered === 'string'
      ? isKnown === (answered === 'known')
      : is(tags.answered, answered)) &&
    missing.every((name) => tags[name] === null)
  )
}

/** Reads lists of calls from a day's file. Spans are in milliseconds since the start of the day. */
export class Search {
  #day: VoiceDay
  #series: { id: number; tags: Tags }[] = []
  /** Numbers of matching calls, until the file changes. */
  #memos = new Map<string, Hour[]>()
  #version = ''

  constructor(day: VoiceDay) {
    this.#day = day
  }

  /** A page of calls, newest first, and how many there are in all. */
  page(filter: VoiceFilter, span: Span, skip: number, limit: number) {
    const hours = this.hours(filter, span)
    const total = hours.reduce((sum, { n }) => sum + n, 0)
    const ids: number[] = []
    let left = skip
    for (const { hour, n } of hours) {
      if (ids.length >= limit) break
      if (left < n) ids.push(...this.ids(filter, span, hour, left, limit - ids.length))
      left = Math.max(0, left - n)
    }
    return { data: this.calls(ids), total }
  }

  /** The hours with matches, the latest first. */
  hours(filter: VoiceFilter, span: Span): Hour[] {
    const { data_version } = this.#day.get<{ data_version: number }>('pragma data_version')!
    const version = `${data_version} ${this.#day.changes}`
    if (version !== this.#version || this.#memos.size >= MAX_MEMOS) this.#memos.clear()
    this.#version = version
    const key = JSON.stringify([{ ...filter, ...span }])
    const known = this.#memos.get(key)
    if (known) return known
    const where = this.#where(filter, span)
    const hours = where
      ? Array.from(
          this.#day.iterate<Hour>(
            `select ${where.at} / ${HOUR_MS} as hour, count(*) as n ${where.sql} group by hour order by hour desc`,
            ...where.values,
          ),
        )
      : []
    this.#memos.set(key, hours)
    return hours
  }

  /** Matches of an hour, newest first. */
  ids(filter: VoiceFilter, span: Span, hour: number, skip = 0, limit = -1): number[] {
    const ofHour = {
      from: Math.max(span.from, hour * HOUR_MS),
      to: Math.min(span.to, (hour + 1) * HOUR_MS),
    }
    const where = this.#where(filter, ofHour)
    if (!where) return []
    const rows = this.#day.iterate<{ id: number }>(
      `select ${where.id} as id ${where.sql} order by ${where.at} desc, ${where.id} desc limit ? offset ?`,
      ...where.values,
      limit,
      skip,
    )
    return Array.from(rows, ({ id }) => id)
  }

  /** The records of calls, without those that are there no more. */
  calls(ids: readonly number[]): Call[] {
    if (ids.length === 0) return []
    const rows = this.#day.iterate<{ id: number; call: string }>(
      'select id, call from records where id in (select value from json_each(?))',
      JSON.stringify(ids),
    )
    const calls = new Map(Array.from(rows, ({ id, call }) => [id, parsed<Call>(call)]))
    return ids.flatMap((id) => calls.get(id) ?? [])
  }

  /** Undefined if no call of the day can match. */
  #where(filter: VoiceFilter, span: Span): Where | undefined {
    const { counted, said, prefix, text, id = text, numbers } = filter
    const word = counted && this.#day.wordId(wordOf(counted))
    if (counted && word === undefined) return undefined
    const { series, limited } = this.#seriesWith(filter)
    if (series.length === 0) return undefined
    const by = counted ? 'c' : 'k'
    const sources: string[] = []
    const conditions: string[] = []
    const values: Where['values'] = []
    const where = (condition: string, ...bound: Where['values']) => {
      conditions.push(condition)
      values.push(...bound)
    }
    if (said) {
      const speakers = this.#speakersOf(filter)
      if (speakers.length === 0) return undefined
      sources.push('said')
      where('said match ?', wordsCondition(speakers, said.wanted))
    }
    if (!counted || said) {
      sources.push('calls k')
      if (said) where('k.id = said.rowid')
    }
    if (word !== undefined) {
      sources.push('counted c')
      where('c.word = ?', word)
      if (said) where('c.series = k.series and c.at = k.at and c.call = k.id')
    }
    if (counted && !said && (prefix !== undefined || text || numbers)) {
      sources.push('calls k')
      where('k.id = c.call')
    }
    where(`${by}.series in (select value from json_each(?))`, JSON.stringify(series))
    where(`${by}.at >= ? and ${by}.at < ?`, span.from, span.to)
    for (const [from, some] of limited)
      where(
        `(${by}.at >= ? or ${by}.series not in (select value from json_each(?)))`,
        from,
        JSON.stringify(some),
      )
    if (counted?.at_least !== undefined) where('c.value >= ?', counted.at_least)
    if (prefix !== undefined) where('(k."to" like ? or k."to" like ?)', `${prefix}%`, `+${prefix}%`)
    if (text && id !== undefined)
      where(
        '(instr(k."from", ?) > 0 or instr(k."to", ?) > 0 or k.call_sid = ? or k.sip_callid = ?)',
        ...[text, text, id, id],
      )
    if (numbers) {
      const has = numbers.flatMap(({ digits, begins }) =>
        begins ? [`${digits}%`, `+${digits}%`] : [`%${digits}%`],
      )
      const likes = ['from', 'to'].flatMap((name) => has.map(() => `k."${name}" like ?`))
      where(`(${likes.join(' or ')})`, ...has, ...has)
    }
    return {
      sql: `from ${sources.join(' cross join ')} where ${conditions.join(' and ')}`,
      values,
      at: `${by}.at`,
      id: counted ? 'c.call' : 'k.id',
    }
  }

  /** The numbers of those among whose words it is searched. */
  #speakersOf({ account_sid, service_provider_sid }: VoiceFilter): number[] {
    const owners =
      account_sid !== undefined
        ? [{ account_sid }]
        : service_provider_sid !== undefined
          ? [{ service_provider_sid }]
          : [...new Set(this.#series.map(({ tags }) => tags.service_provider_sid))].map((sid) =>
              sid === null ? {} : { service_provider_sid: sid },
            )
    return owners.flatMap((owner) => this.#day.speaker(owner) ?? [])
  }

  /** The series whose tags a filter asks for. `limited`: of some of them, only calls from a time of the day on. */
  #seriesWith(filter: VoiceFilter) {
    this.#readSeries()
    const sinceOf = sincesOf(filter.said)
    const series: number[] = []
    const limited = new Map<number, number[]>()
    for (const { id, tags } of this.#series) {
      if (!hasTags(tags, filter)) continue
      const from = sinceOf(tags.account_sid) - this.#day.day * DAY_MS
      if (from >= DAY_MS) continue
      series.push(id)
      if (from > 0) limited.set(from, [...(limited.get(from) ?? []), id])
    }
    return { series, limited }
  }

  #readSeries() {
    const newest = this.#series.at(-1)?.id ?? 0
    const rows = this.#day.iterate<{ id: number; tags: string }>(
      'select id, tags from series where id > ? order by id',
      newest,
    )
    for (const { id, tags } of rows) this.#series.push({ id, tags: parsed(tags) })
  }
}

/** Since when the words of an account are searched, in milliseconds since 1970. */
function sincesOf(said: WordSearch | undefined): (account_sid: string | null) => number {
  const sinces = new Map(
    said?.excluded.map(({ account_sid, since = Number.POSITIVE_INFINITY }) => [
      account_sid.toLowerCase(),
      since,
    ]),
  )
  return (account_sid) => (account_sid === null ? 0 : (sinces.get(account_sid.toLowerCase()) ?? 0))
}
