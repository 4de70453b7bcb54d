import { NUMBERS, TEXTS } from '../fields.ts'
import type { Value } from '../lines.ts'
import type { NamedCall } from './shard.ts'

export const NO_TRACE = /^0*$/

/** The columns of a call, in the order of the table. */
export const COLUMNS = [
  'id',
  'at',
  'hour',
  'series',
  'application',
  'sip_status',
  ...NUMBERS,
  ...TEXTS,
  'more',
  'call_hash',
  'sip_hash',
  'trace_hash',
]
export const INSERT = `insert into calls (${COLUMNS.map((c) => `"${c}"`)}) values (${COLUMNS.map(() => '?')})`
/** Selects a series' call at a time. */
export const OLD = `select c.*, w.text as application_sid from calls c indexed by calls_at
  left join words w on w.id = c.application where c.at = ? and c.series = ?`
const FIELDS = [...NUMBERS, ...TEXTS, 'application_sid', 'sip_status'] as const
const KNOWN = new Set<string>(FIELDS)

export function fieldsOf(row: NamedCall): Record<string, Value> {
  const fields: Record<string, Value> = row.more ? JSON.parse(row.more) : {}
  for (const name of FIELDS) {
    const value = row[name]
    if (value !== null) fields[name] = value
  }
  return fields
}

/** The fields of a call without a column, as stored. */
export function moreOf(fields: Record<string, Value>): string | null {
  const more = Object.entries(fields).filter(([name]) => !KNOWN.has(name))
  return more.length > 0 ? JSON.stringify(Object.fromEntries(more)) : null
}

const ADD = `do update set calls = calls + excluded.calls, seconds = seconds + excluded.seconds,
  timed = timed + excluded.timed`
/** Adds to the counters. */
export const CUBE = `insert into cube
  (bucket, series, application, sip_status, calls, seconds, timed, answers, answer_ms)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (bucket, series, application, sip_status) ${ADD},
  answers = answers + excluded.answers, answer_ms = answer_ms + excluded.answer_ms`
export const QUARTERS = `insert into quarters (quarter, owner, calls, seconds, timed) values (?, ?, ?, ?, ?)
  on conflict (owner, quarter) ${ADD}`
/** The times of its first and last call. */
export const BLOCKS = `insert into blocks (block, first, last) values (?, ?, ?)
  on conflict (block) do update set first = min(first, excluded.first), last = max(last, excluded.last)`
