import type { Call } from '@switchroom/contract'
import { isSearchable } from '../../calls/clickhouse/calls.ts'
import { type CallQuery, queryOf } from '../../calls/query.ts'
import type { Page, Span } from '../../calls/store.ts'
import { HOUR_MS } from '../../calls/sums.ts'
import { type ClickHouse, type ClickHouseOptions, clickHouse } from '../../clickhouse/client.ts'
import { callConditions, SEARCH_SECONDS } from '../../clickhouse/conditions.ts'
import { DAY, type Unit, unitOf } from '../../clickhouse/hours.ts'
import { type Count, pagingUnit, partsOf, placeOf, within } from '../../clickhouse/pages.ts'
import { insertInto } from '../../clickhouse/tables.ts'
import { isTraceId, type VoiceCall, type VoiceFilter, type VoiceStore } from '../store.ts'
import { placeOf as keptAt, type Place, VoiceRows } from './rows.ts'
import { figures } from './sums.ts'
import { addSaid, recordedAt, WordRows } from './words.ts'

const KEY = 'service_provider_sid, account_sid, at, trace_id'
const ORDER = 'ORDER BY at DESC, trace_id DESC'
/** Ids of traces are in statements, which have some room. */
const MOST_IDS = 500

/** What conversations count for, in ClickHouse, of the last `days`. */
export function clickHouseVoice(options: ClickHouseOptions, days: number): VoiceStore {
  const db = clickHouse(options, { what: 'traces' })
  // a full hour, so that figures and lists have the same calls
  const kept = <S extends Span>(span: S): S => {
    const earliest = Math.ceil(Date.now() / HOUR_MS - days * 24) * HOUR_MS
    return { ...span, from: Math.max(span.from, earliest) }
  }

  const conditionsOf = (want: CallQuery, { counted, said }: VoiceFilter) => {
    const to = callConditions(want)
    to.sql.push('gone = 0')
    if (said) addSaid(to, want, said)
    if (!counted) return to
    const { by, key, measure, at_least } = counted
    const names = [by, key, measure].map((name) => to.bind('String', name))
    to.sql.push(`has(counted, cityHash64(${names.join()}))`)
    if (at_least !== undefined)
      to.sql.push(
        `arrayExists((k, name, m, v) -> (k, name, m) = (${names.join()}) AND v >= ${to.bind('Int64', at_least)}, kind, key, measure, value)`,
      )
    return to
  }

  async function countsOf(want: CallQuery, filter: VoiceFilter, unit: Unit): Promise<Count[]> {
    const { where, params } = conditionsOf(want, filter)
    const rows = await db.rows<{ unit: number; calls: string }>(
      `SELECT ${unitOf("toDateTime(at, 'UTC')", unit)} AS unit, count() AS calls FROM voice_calls ${where()} GROUP BY unit ORDER BY unit DESC`,
      params,
      SEARCH_SECONDS,
    )
    return rows.map(({ unit: at, calls }) => ({ at, calls: Number(calls) }))
  }

  async function pageOf(want: CallQuery, filter: VoiceFilter, { limit, offset }: Page) {
    const { where, times, params } = conditionsOf(want, filter)
    const rows = await db.rows<{ record: string }>(
      `SELECT record FROM voice_calls WHERE ${times} AND gone = 0 AND (${KEY}) IN
        (SELECT ${KEY} FROM voice_calls ${where()} ${ORDER} LIMIT ${limit} OFFSET ${offset}) ${ORDER}`,
      params,
      SEARCH_SECONDS,
    )
    return rows.map(recordOf)
  }

  return {
    async keep(given) {
      // of one trace, the last
      const calls = [...new Map(given.map((one) => [one.trace_id, one])).values()]
      for (let i = 0; i < calls.length; i += MOST_IDS)
        await keepSome(db, calls.slice(i, i + MOST_IDS))
    },
    async addRecorded(call, texts) {
      const { trace_id } = call
      if (!isTraceId(trace_id)) return
      const { wordsOf } = await import('../../../talk/words.ts')
      const words = wordsOf(texts)
      const placeOfTrace = async () => (await placesOf(db, [trace_id])).toSorted(byGen)[0]
      let place = await placeOfTrace()
      if (!place && words) {
        // its trace may be kept later, or tell nothing
        await keepSome(db, [{ trace_id, call, counts: [], came: 0 }])
        place = await placeOfTrace()
      }
      if (!place) return
      const rows = new WordRows()
      rows.add({ ...place, gen: BigInt(Date.now()) << 22n }, 'recording', words)
      await rows.insert(db)
    },
    figures: (owner, span, wanted) => figures(db, owner, { span, kept: kept(span) }, wanted),
    async list(filter, page) {
      if (!isSearchable(filter)) return { data: [], total: 0 }
      const want = queryOf(kept(filter))
      if (want.from >= want.to) return { data: [], total: 0 }
      const unit = pagingUnit(want)
      const counts = await countsOf(want, filter, unit)
      const total = counts.reduce((sum, { calls }) => sum + calls, 0)
      const place = placeOf(counts, unit, page)
      if (!place) return { data: [], total }
      const { skip, ...span } = place
      const part = { limit: page.limit, offset: skip }
      return { data: await pageOf(within(want, span), filter, part), total }
    },
    async *each(filter) {
      if (!isSearchable(filter)) return
      const want = queryOf(kept(filter))
      if (want.from >= want.to) return
      for (const count of await countsOf(want, filter, DAY))
        for (const span of partsOf(count)) {
          const part = within(want, span)
          if (part.from >= part.to) continue
          const { where, params } = conditionsOf(part, filter)
          const rows = db.stream<{ record: string }>(
            `SELECT record FROM voice_calls ${where()} ${ORDER}`,
            params,
          )
          for await (const row of rows) yield recordOf(row)
        }
    },
    close: () => db.close(),
  }
}

const recordOf = ({ record }: { record: string }): Call => JSON.parse(record)

const isOneOf = (trace_ids: readonly string[]) =>
  `trace_id IN (${trace_ids.map((id) => `unhex('${Buffer.from(id, 'hex').toString('hex')}')`).join()})`

/**
 * A trace is written where its record says, then looked up: wherever else it is, it is taken back. Processes that do so at
 * the same time with different records find each other, for both write before they look.
 */
async function keepSome(db: ClickHouse, calls: readonly VoiceCall[]) {
  const now = Date.now()
  const rows = new VoiceRows()
  for (const one of calls) rows.add(one, keptAt(one, now))
  await db.insert(insertInto('voice_calls'), rows.view())
  const words = new WordRows()
  for (const one of calls) words.add(keptAt(one, now), 'trace', one.words ?? '')
  const places = await placesOf(
    db,
    calls.map(({ trace_id }) => trace_id),
  )
  const gone = new VoiceRows()
  for (const all of Map.groupBy(places, ({ trace_id }) => trace_id).values()) {
    const [latest, ...others] = all.toSorted(byGen)
    for (const place of others) {
      gone.addGone({ ...place, gen: latest!.gen | 1n })
      await moveWords(db, words, { from: place, to: latest! })
    }
  }
  await words.insert(db)
  if (gone.view().length > 0) await db.insert(insertInto('voice_calls'), gone.view())
}

/** What a transcription says goes with its call. */
async function moveWords(
  db: ClickHouse,
  words: WordRows,
  { from, to }: { from: Place; to: Place },
) {
  const recorded = await recordedAt(db, from)
  const gen = BigInt(Date.now()) << 22n
  if (recorded) words.add({ ...to, gen }, 'recording', recorded)
  words.add({ ...from, gen: to.gen | 1n }, 'trace', '')
  words.add({ ...from, gen }, 'recording', '')
}

/** The latest first, in the same order everywhere. */
const byGen = (a: Place, b: Place) =>
  a.gen === b.gen ? (nameOf(a) < nameOf(b) ? -1 : 1) : a.gen > b.gen ? -1 : 1
const nameOf = ({ at, service_provider_sid, account_sid }: Place) =>
  JSON.stringify([String(at), service_provider_sid, account_sid])

/** Where these traces count. */
async function placesOf(db: ClickHouse, trace_ids: readonly string[]): Promise<Place[]> {
  type Row = Omit<Place, 'trace_id' | 'at' | 'gen'> & { id: string; ns: string; gen: string }
  const rows = await db.rows<Row>(
    `SELECT lower(hex(trace_id)) AS id, service_provider_sid, account_sid, toUnixTimestamp64Nano(at) AS ns, gen
     FROM voice_places WHERE ${isOneOf(trace_ids)} AND gone = 0`,
  )
  return rows.map(({ id, ns, gen, ...owner }) => ({
    ...owner,
    trace_id: id,
    at: BigInt(ns),
    gen: BigInt(gen),
  }))
}
