import { CALLING_CODES, FOUND_MAX, type Found, searchText, wordsIn } from '@switchroom/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import { contains, containsSpelled, hasSid, matchesFilter, shownBy } from '../../http/search.ts'
import { type Condition, ownedBy } from '../../http/tenancy.ts'
import { namedBeside } from '../../routing/phone-numbers/queries.ts'
import type { SearchedKind } from './kinds.ts'
import { errorsIn, isNear, unspoiledParts } from './typing-errors.ts'

/** Rows of a kind that are looked through, so that a search costs the same however many there are. */
const MAX_READ = 10_000
/** Numbers found by an index, some of which may be out of scope. */
const MAX_INDEXED = 1_000
/** With fewer digits, too many numbers of all countries begin like this. */
const MIN_WITHOUT_CODE = 3

export type Row = Omit<Found, 'kind' | 'name' | 'is_similar'> & {
  name: string | null
  grade: number
}

/** Read where it keeps nobody waiting, if that takes long. */
type Database = Pick<Context, 'db' | 'memory' | 'schemaHas'>

type Search = { q: string; service_provider_sid?: string | undefined }

const startOf = (text: string) => `${text.replace(/[|%_]/g, '|$&')}%`

/** Rank of a match: the full name, its beginning, inside it; or something else that the row shows. */
const rank = (db: Db, name: RawBuilder<unknown>, text: string) =>
  sql`case when ${name} = ${text} then 1 when ${name} like ${startOf(text)} escape '|' then 2
    when ${allWords(db, name, text)} then 3 else ${ELSEWHERE} end`
export const ELSEWHERE = 4
const allWords = (db: Db, name: RawBuilder<unknown>, text: string) =>
  sql.join(
    wordsIn(text).map((word) => containsSpelled(db, name, word)),
    sql` and `,
  )

/** Adds the names of the owners to rows, which have all members of a row but the names of owners, and a grade. */
async function withOwners(
  { db, memory }: Database,
  scope: Scope,
  rows: RawBuilder<unknown>,
): Promise<Row[]> {
  // account users know whose it is
  const owner = {
    admin: sql`coalesce(a.name, p.name)`,
    service_provider: sql`a.name`,
    account: sql`null`,
  }[scope.role]
  const found = sql<Row & { found_by: unknown }>`
    select found.sid, found.name, coalesce(found.detail, ${owner}) as detail, found.found_by,
      found.grade, p.service_provider_sid
    from (${rows}) as found
    left join accounts as a on a.account_sid = found.account_sid
    left join service_providers as p
      on p.service_provider_sid = coalesce(a.service_provider_sid, found.service_provider_sid)
    order by found.grade, found.name, found.sid`
  const read = await memory.listings.read(db, found.compile(db), 0)
  return read.map(({ found_by, ...row }) => {
    const by = found_by === null || found_by === undefined ? null : String(found_by)
    // the account is shown anyway
    return { ...row, grade: Number(row.grade), found_by: by === row.detail ? null : by }
  })
}

/** Query for the rows of a kind. */
function rowsOf(
  { schemaHas }: Database,
  scope: Scope,
  service_provider_sid: string | undefined,
  { table, sid, name, shown, detail, owners, visible }: SearchedKind,
) {
  const within = service_provider_sid ? ownedBy(table, { service_provider_sid }) : sql`1 = 1`
  const owner = (column: (typeof owners)[number]) =>
    owners.includes(column) ? sql`${sql.ref(`${table}.${column}`)}` : sql`null`
  const as = sql.table(table)
  /** Some rows that the caller may see, whole. */
  const some = (condition: Condition, limit: number) =>
    sql`(select ${as}.* from ${as} where ${visible(scope)} and ${within} and ${condition} limit ${limit}) as ${as}`
  return {
    shown: shown(schemaHas),
    name,
    sid: sql.ref(`${table}.${sid}`),
    as,
    readable: some(sql`1 = 1`, MAX_READ),
    bySid: (condition: Condition) => some(condition, FOUND_MAX),
    columns: sql`${sql.ref(`${table}.${sid}`)} as sid, ${name} as name,
      ${detail ? sql.ref(`${table}.${detail}`) : sql`null`} as detail,
      ${owner('account_sid')} as account_sid, ${owner('service_provider_sid')} as service_provider_sid`,
  }
}

/** Things of a kind by sid, or by anything that their rows and pages show. */
export async function findByName(
  ctx: Database,
  scope: Scope,
  { q, service_provider_sid }: Search,
  kind: SearchedKind,
): Promise<Row[]> {
  const { db } = ctx
  const { text, sid: wholeSid } = searchText(q)
  const { shown, name, sid, as, readable, bySid, columns } = rowsOf(
    ctx,
    scope,
    service_provider_sid,
    kind,
  )
  const withSid = hasSid(shown.sid, q)
  const found = withSid
    ? await withOwners(
        ctx,
        scope,
        sql`select ${columns}, null as found_by, 0 as grade from ${bySid(withSid)}`,
      )
    : []
  if (wholeSid) return found
  const grade = rank(db, name, text)
  const few = sql`(select ${as}.*, ${grade} as grade from ${readable}
    where ${matchesFilter(db, shown, q)} order by grade, ${name}, ${sid} limit ${FOUND_MAX}) as ${as}`
  const byText = await withOwners(
    ctx,
    scope,
    sql`select ${columns}, ${shownBy(db, shown, name, q)} as found_by, ${as}.grade from ${few}`,
  )
  return best(found, byText)
}

/** Most rows with a part of the typed text that are compared with all of it. */
const MAX_COMPARED = 200

/** Resources of a kind whose own texts match the typed text, except for a few errors. */
export async function similar(
  ctx: Database,
  scope: Scope,
  { q, service_provider_sid }: Search,
  kind: SearchedKind,
): Promise<Row[]> {
  const { db } = ctx
  const errors = errorsIn(q)
  const { shown, readable, columns } = rowsOf(ctx, scope, service_provider_sid, kind)
  const own = [...shown.names, ...(shown.numbers ?? [])].map((c) =>
    typeof c === 'string' ? sql`${sql.ref(c)}` : c,
  )
  const likely = unspoiledParts(q, errors).flatMap((part) =>
    own.map((column) => containsSpelled(db, column, part)),
  )
  // separated by a character that no name has
  const texts = sql.join(
    own.map((column) => sql`coalesce(${column}, '')`),
    sql`, char(10), `,
  )
  const all = sql`concat(${texts})`
  const compared = await withOwners(
    ctx,
    scope,
    sql`select ${columns}, ${all} as found_by, ${ELSEWHERE} as grade from ${readable}
      where ${sql.join(likely, sql` or `)} limit ${MAX_COMPARED}`,
  )
  return compared
    .filter(({ found_by }) => found_by?.split('\n').some((text) => isNear(text, q, errors)))
    .slice(0, FOUND_MAX)
    .map((row) => ({ ...row, found_by: null }))
}

/** Each once, the best first. */
const best = (...groups: Row[][]) =>
  [...new Map(groups.flat().map((row) => [row.sid, row])).values()].slice(0, FOUND_MAX)

/**
 * Phone numbers by digits, sid or description. Indexes find a whole number and the beginning of one, also without its
 * country code; the inside of numbers is looked for in as many as a search may read.
 */
export async function numbers(
  ctx: Database,
  scope: Scope,
  { q, service_provider_sid }: Search,
): Promise<Row[]> {
  const { text, digits, sid } = searchText(q)
  const visible = ownedBy('phone_numbers', scope)
  const within: Condition = service_provider_sid
    ? sql`${visible} and ${ownedBy('phone_numbers', { service_provider_sid })}`
    : visible
  const selected = (
    from: RawBuilder<unknown>,
    grade: RawBuilder<unknown>,
    where: Condition,
    by: RawBuilder<unknown> = sql`null`,
  ) =>
    withOwners(
      ctx,
      scope,
      sql`select phone_number_sid as sid, number as name, null as detail, account_sid, service_provider_sid,
          ${by} as found_by, ${grade} as grade
        from ${from} as phone_numbers where ${where} order by grade, name, sid limit ${FOUND_MAX}`,
    )
  const readable = sql`(select phone_number_sid, number, account_sid, service_provider_sid, application_sid,
    voip_carrier_sid
    from phone_numbers where ${within} limit ${MAX_READ})`
  const bySid = hasSid('phone_numbers.phone_number_sid', q)
  const found = bySid ? await selected(sql`phone_numbers`, sql`0`, sql`${within} and ${bySid}`) : []
  if (sid) return found
  if (digits === undefined) {
    const described = sql`(select t.*, ours.description from ${readable} as t
      left join switchroom_phone_numbers as ours on ours.phone_number_sid = t.phone_number_sid)`
    const words = wordsIn(text)
    const inside = words.map(
      (word) => sql`(${contains('number', word)} or ${containsSpelled(ctx.db, 'description', word)}
        or ${namedBeside(ctx.db, scope, word)})`,
    )
    const all = sql<never>`(${sql.join(inside, sql` and `)})`
    const byDescription = words.map((word) => containsSpelled(ctx.db, 'description', word))
    const by = sql`case when ${sql.join(byDescription, sql` or `)} then description end`
    return best(found, await selected(described, sql`${ELSEWHERE}`, all, by))
  }
  const indexed = (
    condition: RawBuilder<unknown>,
  ) => sql`(select phone_number_sid, number, account_sid,
    service_provider_sid from phone_numbers where ${condition} limit ${MAX_INDEXED})`
  const codes = digits.length < MIN_WITHOUT_CODE ? [] : CALLING_CODES
  const starts = [digits, ...codes.map((code) => code + digits)]
  // as typed, before all that may lack their country code
  const grade = sql`case when number = ${digits} then 1 when number like ${`${digits}%`} then 2 else 3 end`
  found.push(...(await selected(indexed(sql`number in (${sql.join(starts)})`), grade, within)))
  if (found.length < FOUND_MAX) {
    const beginning = starts.map((start) => sql`number between ${start} and ${`${start}z`}`)
    found.push(...(await selected(indexed(sql.join(beginning, sql` or `)), grade, within)))
  }
  if (found.length < FOUND_MAX)
    found.push(...(await selected(readable, sql`3`, contains('number', digits))))
  return best(found)
}

/** The number with these digits that the caller may see, with or without its country code, and the names beside it. */
export const findNumber = (db: Db, scope: Scope, digits: string) =>
  db
    .selectFrom('phone_numbers')
    .leftJoin('accounts as a', 'a.account_sid', 'phone_numbers.account_sid')
    .leftJoin('applications as app', 'app.application_sid', 'phone_numbers.application_sid')
    .leftJoin('voip_carriers as c', 'c.voip_carrier_sid', 'phone_numbers.voip_carrier_sid')
    .select([
      'phone_numbers.phone_number_sid',
      'phone_numbers.number',
      'phone_numbers.account_sid',
      'a.name as account_name',
      'phone_numbers.application_sid',
      'app.name as application_name',
      'phone_numbers.voip_carrier_sid',
      'c.name as voip_carrier_name',
    ])
    .select(
      sql<string | null>`coalesce(a.service_provider_sid, phone_numbers.service_provider_sid)`.as(
        'service_provider_sid',
      ),
    )
    .where('phone_numbers.number', 'in', [digits, ...CALLING_CODES.map((code) => code + digits)])
    .where(ownedBy('phone_numbers', scope))
    .orderBy(sql`case when phone_numbers.number = ${digits} then 0 else 1 end`)
    .orderBy('phone_numbers.number')
    .orderBy('phone_numbers.phone_number_sid')
    .limit(1)
    .executeTakeFirst()
