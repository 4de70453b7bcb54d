import type { Want } from '../embedded/day.ts'
import type { ClickHouse, Params } from './client.ts'

/** A search in numbers reads every call of its span. */
export const SEARCH_SECONDS = 20
/** Where the latest is asked for, or what may be too much, rows need no merging. */
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
/** What components write for a tag without a value. */
export const NO_VALUE = 'undefined'

/**
 * What is looked up in the text index. Shorter texts are in none, and in some releases of ClickHouse (issue 117858) a
 * pattern that needs a backslash, as for `%`, misses rows.
 */
const INDEXED = /^[\dA-Za-z+@.:-]{4,}$/
/** Where few have a text, they are looked up before rows are merged: merging is what costs. */
const FEW = 1_000

export const CALL_KEY = 'service_provider_sid, account_sid, at, series'

/** A text that is looked for, with what is known of it. */
export type Found = Want & { isRare?: boolean }

/** How a text is best looked for: few calls have it, and none has it as an id. */
export async function withText(db: ClickHouse, want: Want): Promise<Found> {
  const { text, ids = [] } = want
  if (text === undefined) return want
  const [isRare, isId] = await Promise.all([
    INDEXED.test(text) && isRareIn(db, want),
    ids.length > 0 && hasId(db, want),
  ])
  return { ...want, ids: isId ? ids : [], isRare }
}

async function isRareIn(db: ClickHouse, want: Want) {
  const likely = conditions()
  addBase(likely, want)
  likely.sql.push(numberLike(likely, want))
  const [row] = await db.rows<{ n: string }>(
    `SELECT count() AS n FROM (SELECT 1 FROM calls ${likely.where()} LIMIT ${FEW + 1}) ${UNMERGED}`,
    likely.params,
    SEARCH_SECONDS,
  )
  return Number(row?.n ?? 0) <= FEW
}

async function hasId(db: ClickHouse, want: Want) {
  const to = conditions()
  const [row] = await db.rows<{ n: string }>(
    `SELECT count() AS n FROM call_ids WHERE ${ofIds(to, want)} ${UNMERGED}`,
    to.params,
  )
  return Number(row?.n ?? 0) > 0
}

const ofIds = (to: Conditions, { ids = [], text, id = text }: Want) =>
  `hash IN (${ids.map((name) => `cityHash64('${name}', ${to.bind('String', id)})`).join()})`

/** Numbers with the text, or dialed numbers with the prefix, which is the text then: for these, there is an index. */
function numberLike(to: Conditions, { text = '', prefix }: Want) {
  const like = to.bind('String', `%${text}%`)
  const names = text === prefix ? ['to'] : ['from', 'to']
  return `(${names.map((name) => `\`${name}\` LIKE ${like}`).join(' OR ')})`
}

/** The conditions of calls. */
export function callConditions(want: Found): Conditions {
  const to = conditions()
  addBase(to, want)
  const { prefix, text, ids = [], id = text, isRare } = want
  if (isRare) {
    const likely = [
      `SELECT ${CALL_KEY} FROM calls WHERE ${[...to.sql, numberLike(to, want)].join(' AND ')}`,
    ]
    if (ids.length > 0) likely.push(`SELECT ${CALL_KEY} FROM call_ids WHERE ${ofIds(to, want)}`)
    to.sql.push(`(${CALL_KEY}) IN (SELECT * FROM (${likely.join(' UNION ALL ')}) ${UNMERGED})`)
  }
  if (prefix !== undefined)
    to.sql.push(
      `(startsWith(ifNull(\`to\`, ''), ${to.bind('String', prefix)}) OR startsWith(ifNull(\`to\`, ''), ${to.bind('String', `+${prefix}`)}))`,
    )
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
  return to
}

/** All but what is looked for in numbers and ids. */
function addBase(to: Conditions, want: Want) {
  between(to, want.from, want.to)
  for (const [name, value] of Object.entries(want.tags)) {
    if (!COLUMNS.has(name)) throw new Error(`calls are not filtered by ${name}`)
    if (value === null) to.sql.push(`${name} IN ('', '${NO_VALUE}')`)
    else if (typeof value === 'string') to.sql.push(`${name} = ${to.bind('String', value)}`)
    else to.sql.push(`${name} IN ${to.bind('Array(String)', value)}`)
  }
  const { application_sid, sip_status } = want
  if (application_sid === null) to.sql.push('application_sid IS NULL')
  else if (application_sid !== undefined)
    to.sql.push(`application_sid = ${to.bind('String', application_sid)}`)
  if (sip_status === null) to.sql.push('sip_status IS NULL')
  else if (sip_status !== undefined) to.sql.push(`sip_status = ${to.bind('Int64', sip_status)}`)
}
