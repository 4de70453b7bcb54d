import type { CallQuery } from '../calls/query.ts'
import type { ClickHouse, Params } from './client.ts'

/** A search in numbers reads every call of its span. */
export const SEARCH_SECONDS = 20
/** Skips merging rows, for queries of the latest row and of what may be too much to merge. */
export const UNMERGED = 'SETTINGS final = 0'

/** Conditions of a WHERE clause. Values are bound by the server, never part of the statement. */
export type Conditions = {
  sql: string[]
  params: Params
  /** A placeholder for a value. */
  bind: (type: BoundType, value: unknown) => string
  where: () => string
}
type BoundType = 'String' | 'Array(String)' | 'Int64' | 'UInt32' | 'Array(UInt32)'

export function conditions(): Conditions {
  const sql: string[] = []
  const params: Params = {}
  return {
    sql,
    params,
    bind(type, value) {
      const name = `p${Object.keys(params).length}`
      params[name] = value
      return `{${name}:${type}}`
    },
    where: () => (sql.length > 0 ? `WHERE ${sql.join(' AND ')}` : ''),
  }
}

/** Adds the conditions of another clause, whose placeholders get names of their own. */
export function addClause(to: Pick<Conditions, 'sql' | 'params'>, { sql, params }: Conditions) {
  for (const [name, value] of Object.entries(params)) to.params[`w${name}`] = value
  to.sql.push(...sql.map((text) => text.replace(/\{p(\d+):/g, '{wp$1:')))
}

/** The range of ClickHouse's times with nanoseconds. */
const EARLIEST = -2_208_988_800_000_000_000n
const LATEST = 9_223_372_036_000_000_000n
const clamped = (ns: bigint) => (ns < EARLIEST ? EARLIEST : ns > LATEST ? LATEST : ns)

/** A time in nanoseconds since 1970, as text: JavaScript's numbers have too few digits. */
export function between(to: Conditions, from: bigint, until: bigint) {
  const moment = (ns: bigint) =>
    `fromUnixTimestamp64Nano(${to.bind('Int64', String(clamped(ns)))}, 'UTC')`
  to.sql.push(`at >= ${moment(from)}`, `at < ${moment(until)}`)
}

const COLUMNS = new Set([
  'service_provider_sid',
  'account_sid',
  'host',
  'trunk',
  'direction',
  'answered',
])
/** Components write this for a tag without a value. */
export const NO_VALUE = 'undefined'

/**
 * Texts that the text index answers. Shorter ones are not indexed, and in some releases of ClickHouse (issue 117858) a
 * pattern that needs a backslash, as for `%`, misses rows.
 */
const INDEXED = /^[\dA-Za-z+@.:-]{4,}$/
/** Up to this many calls are looked up by key, which finds them without merging rows: merging is the expensive part. */
const FEW = 500
/** Bytes of the sids in such keys, each of which takes two in the statement: ClickHouse takes 256 kB. */
const MAX_SIDS = 80_000

export const CALL_KEY = 'service_provider_sid, account_sid, at, series'
/** Columns that make a `Key`. */
export const KEY_COLUMNS =
  'service_provider_sid, account_sid, toString(toUnixTimestamp64Nano(at)) AS ns, toString(series) AS series_id'
export type Key = {
  service_provider_sid: string
  account_sid: string
  ns: string
  series_id: string
}

/** A query whose text has been looked up: all keys of the matching calls if they are few. */
export type Found = CallQuery & { keys?: readonly Key[] }

/** Looks a text up in the indexes of numbers and ids. */
export async function withText(db: ClickHouse, want: CallQuery): Promise<Found> {
  const { text, ids = [], id = text } = want
  if (text === undefined) return want
  const inNumbers = conditions()
  addTimes(inNumbers, want)
  addTags(inNumbers, want.tags)
  inNumbers.sql.push(numberLike(inNumbers, want))
  const inIds = conditions()
  addTimes(inIds, want)
  const { service_provider_sid, account_sid } = want.tags
  addTags(inIds, { service_provider_sid, account_sid })
  const hashes = ids.map((name) => `cityHash64('${name}', ${inIds.bind('String', id)})`)
  inIds.sql.push(`hash IN (${hashes.join()})`)
  // two columns of every call, if there is no index for the text: still far less than merging all calls
  const [byNumber, byId] = await Promise.all([
    keysOf(db, 'calls', inNumbers),
    ids.length > 0 ? keysOf(db, 'call_ids', inIds) : [],
  ])
  const keys = [...byNumber, ...byId]
  const sids = keys.reduce(
    (sum, key) => sum + Buffer.byteLength(key.service_provider_sid + key.account_sid),
    0,
  )
  const isFew = byNumber.length <= FEW && byId.length <= FEW
  if (!isFew || sids > MAX_SIDS) return { ...want, ids: byId.length > 0 ? ids : [] }
  return withKeys(want, keys)
}

/** Calls with one of these keys, in their time. */
export function withKeys(want: CallQuery, keys: readonly Key[]): Found {
  const times = keys.map(({ ns }) => BigInt(ns)).sort((a, b) => (a < b ? -1 : 1))
  return { ...want, keys, from: times[0] ?? want.to, to: (times.at(-1) ?? want.to - 1n) + 1n }
}

/** The keys of unmerged rows, each of which may have some fields of a call. At most one more than `FEW`. */
const keysOf = (db: ClickHouse, table: 'calls' | 'call_ids', { where, params }: Conditions) =>
  db.rows<Key>(
    `SELECT DISTINCT ${KEY_COLUMNS} FROM ${table} ${where()} LIMIT ${FEW + 1} ${UNMERGED}`,
    params,
    SEARCH_SECONDS,
  )

/** Numbers with the text, or dialed numbers with the prefix, which is the text then: for these, there is an index. */
function numberLike(to: Conditions, { text = '', prefix }: CallQuery) {
  const isIndexed = INDEXED.test(text)
  const part = to.bind('String', isIndexed ? `%${text}%` : text)
  const names = text === prefix ? ['to'] : ['from', 'to']
  const has = (name: string) =>
    isIndexed ? `\`${name}\` LIKE ${part}` : `position(ifNull(\`${name}\`, ''), ${part}) > 0`
  return `(${names.map(has).join(' OR ')})`
}

/** The conditions of calls. `times` are those on the time they began. */
export function callConditions(want: Found): Conditions & { times: string } {
  const to = conditions()
  addTimes(to, want)
  const times = to.sql.join(' AND ')
  addTags(to, want.tags)
  addFields(to, want)
  const { prefix, text, ids = [], id = text, keys } = want
  if (keys) {
    // in the statement: the URL, where bound values are, has no room for them. Of other values than digits, hex has no risk
    const hex = (name: 'service_provider_sid' | 'account_sid') =>
      `splitByChar(',', '${keys.map((key) => Buffer.from(key[name]).toString('hex')).join()}')`
    const numbers = (name: 'ns' | 'series_id', type: string) =>
      `CAST('[${keys.map((key) => BigInt(key[name])).join()}]', 'Array(${type})')`
    const all = [
      hex('service_provider_sid'),
      hex('account_sid'),
      numbers('ns', 'Int64'),
      numbers('series_id', 'UInt64'),
    ]
    to.sql.push(
      `(${CALL_KEY}) IN (SELECT unhex(key.1), unhex(key.2), fromUnixTimestamp64Nano(key.3, 'UTC'), key.4 FROM
        (SELECT arrayJoin(arrayZip(${all.join()})) AS key))`,
    )
  }
  if (prefix !== undefined)
    to.sql.push(
      `(startsWith(ifNull(\`to\`, ''), ${to.bind('String', prefix)}) OR startsWith(ifNull(\`to\`, ''), ${to.bind('String', `+${prefix}`)}))`,
    )
  if (want.numbers) {
    const like = (name: string, pattern: string) =>
      `ifNull(\`${name}\`, '') LIKE ${to.bind('String', pattern)}`
    const likes = want.numbers.flatMap(({ digits, begins }) =>
      begins ? [`${digits}%`, `+${digits}%`] : [`%${digits}%`],
    )
    const has = ['from', 'to'].flatMap((name) => likes.map((pattern) => like(name, pattern)))
    to.sql.push(`(${has.join(' OR ')})`)
  }
  if (text !== undefined && text !== prefix) {
    const whole = to.bind('String', id)
    const part = to.bind('String', text)
    to.sql.push(
      `(${[
        ...['from', 'to'].map((name) => `position(ifNull(\`${name}\`, ''), ${part}) > 0`),
        ...ids.map((name) => `ifNull(${name}, '') = ${whole}`),
      ].join(' OR ')})`,
    )
  }
  return { ...to, times }
}

const addTimes = (to: Conditions, { from, to: until }: CallQuery) => between(to, from, until)

/** Tags are part of the key, so every row of a call has them. Its fields may come later. */
function addTags(to: Conditions, tags: { [name: string]: CallQuery['tags'][string] | undefined }) {
  for (const [name, value] of Object.entries(tags)) {
    if (value === undefined) continue
    if (!COLUMNS.has(name)) throw new Error(`calls are not filtered by ${name}`)
    if (value === null) to.sql.push(`${name} IN ('', '${NO_VALUE}')`)
    else if (typeof value === 'string') to.sql.push(`${name} = ${to.bind('String', value)}`)
    else to.sql.push(`${name} IN ${to.bind('Array(String)', value)}`)
  }
}

function addFields(to: Conditions, { application_sid, sip_status }: CallQuery) {
  if (application_sid === null) to.sql.push('application_sid IS NULL')
  else if (application_sid !== undefined)
    to.sql.push(`application_sid = ${to.bind('String', application_sid)}`)
  if (sip_status === null) to.sql.push('sip_status IS NULL')
  else if (sip_status !== undefined) to.sql.push(`sip_status = ${to.bind('Int64', sip_status)}`)
}
