import type { Call } from '@switchroom/contract'
import type { Span } from '../calls.ts'
import { HOUR_MS } from '../sums.ts'
import { parsed, type Tags, type VoiceDay, wordOf } from './day.ts'
import type { VoiceFilter } from './store.ts'

/** How many calls of an hour match. */
type Hour = { hour: number; n: number }
type Where = { sql: string; values: (string | number)[] }

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
  /** How many calls match, until the file changes. */
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
            `select c.at / ${HOUR_MS} as hour, count(*) as n ${where.sql} group by hour order by hour desc`,
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
      `select c.call as id ${where.sql} order by c.at desc, c.call desc limit ? offset ?`,
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
  #where({ counted, ...filter }: VoiceFilter, { from, to }: Span): Where | undefined {
    const word = this.#day.wordId(wordOf(counted))
    if (word === undefined) return undefined
    const series = this.#seriesWith({ counted, ...filter })
    if (series.length === 0) return undefined
    const { prefix, text, id = text } = filter
    let sql = 'from counted c'
    if (prefix !== undefined || text) sql += ' cross join calls k on k.id = c.call'
    sql += ` where c.word = ? and c.series in (select value from json_each(?)) and c.at >= ? and c.at < ?`
    const values: Where['values'] = [word, JSON.stringify(series), from, to]
    if (counted.at_least !== undefined) {
      sql += ' and c.value >= ?'
      values.push(counted.at_least)
    }
    if (prefix !== undefined) {
      sql += ' and (k."to" like ? or k."to" like ?)'
      values.push(`${prefix}%`, `+${prefix}%`)
    }
    if (text && id !== undefined) {
      sql += ` and (instr(k."from", ?) > 0 or instr(k."to", ?) > 0 or k.call_sid = ? or k.sip_callid = ?)`
      values.push(text, text, id, id)
    }
    return { sql, values }
  }

  /** The series whose tags a filter asks for. */
  #seriesWith(filter: VoiceFilter): number[] {
    const newest = this.#series.at(-1)?.id ?? 0
    const rows = this.#day.iterate<{ id: number; tags: string }>(
      'select id, tags from series where id > ? order by id',
      newest,
    )
    for (const { id, tags } of rows) this.#series.push({ id, tags: parsed(tags) })
    return this.#series.filter(({ tags }) => hasTags(tags, filter)).map(({ id }) => id)
  }
}
