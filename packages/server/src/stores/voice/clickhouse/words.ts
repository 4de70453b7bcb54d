import type { CallQuery } from '../../calls/query.ts'
import type { ClickHouse } from '../../clickhouse/client.ts'
import {
  addClause,
  between,
  type Conditions,
  conditions,
  SEARCH_SECONDS,
} from '../../clickhouse/conditions.ts'
import { RowBinary } from '../../clickhouse/row-binary.ts'
import { insertInto } from '../../clickhouse/tables.ts'
import type { WordSearch } from '../store.ts'
import { addPlace, type Place } from './rows.ts'

/** Sources of words: a new text from a source replaces its earlier one. */
export const SOURCES = { trace: 0, recording: 1 } as const
type Source = keyof typeof SOURCES

/** Rows of `voice_words`. */
export class WordRows {
  #to = new RowBinary()

  add(place: Place, source: Source, words: string) {
    addPlace(this.#to, place)
    this.#to.uint8(SOURCES[source])
    this.#to.text(words)
  }

  async insert(db: ClickHouse) {
    const rows = this.#to.view()
    if (rows.length > 0) await db.insert(insertInto('voice_words'), rows)
  }
}

/** The words from the transcription of a call's recording. */
export async function recordedAt(db: ClickHouse, place: Place): Promise<string> {
  const at = conditions()
  between(at, place.at, place.at + 1n)
  addOwner(at, place)
  const [row] = await db.rows<{ words: string }>(
    `SELECT words FROM voice_words ${at.where()} AND trace_id = unhex(${at.bind('String', place.trace_id)}) AND source = ${SOURCES.recording}`,
    at.params,
    SEARCH_SECONDS,
  )
  return row?.words ?? ''
}

function addOwner(to: Conditions, owner: Record<string, unknown>) {
  for (const name of ['service_provider_sid', 'account_sid'])
    if (typeof owner[name] === 'string') to.sql.push(`${name} = ${to.bind('String', owner[name])}`)
}

/** Adds the condition that all of this was said in a call. */
export function addSaid(to: Conditions, { from, to: until, tags }: CallQuery, said: WordSearch) {
  const words = conditions()
  between(words, from, until)
  addOwner(words, tags)
  // words are letters: none means anything in a pattern
  const each = said.wanted.map((one) => `words LIKE ${words.bind('String', `%${one}%`)}`)
  words.sql.push(`(${each.join(' OR ')})`)
  // a trace and a recording may each have some of them
  const all = each.map((condition) => `max(${condition}) = 1`).join(' AND ')
  const inner: Pick<Conditions, 'sql' | 'params'> = { sql: [], params: to.params }
  addClause(inner, { ...words, sql: [...words.sql, all] })
  const having = inner.sql.pop()
  to.sql.push(
    `trace_id IN (SELECT trace_id FROM voice_words WHERE ${inner.sql.join(' AND ')} GROUP BY trace_id HAVING ${having})`,
  )
  addExceptions(to, said)
}

/** Later than any call. */
const NEVER = 2 ** 53

function addExceptions(to: Conditions, { excluded }: WordSearch) {
  if (excluded.length === 0) return
  // in the statement: the URL, where bound values are, has no room for them
  const sids = excluded.map(({ account_sid }) =>
    Buffer.from(account_sid.toLowerCase()).toString('hex'),
  )
  const sinces = excluded.map(({ since = NEVER }) => Math.ceil(since))
  to.sql.push(
    `toUnixTimestamp64Milli(at) >= transform(lowerUTF8(toString(account_sid)), arrayMap(sid -> unhex(sid), splitByChar(',', '${sids.join()}')), CAST('[${sinces.join()}]', 'Array(Int64)'), toInt64(0))`,
  )
}
