import { CALLING_CODES, FOUND_MAX, type Found, searchText } from '@switchroom/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import { contains, containsInAnyCase, hasSid } from '../../http/search.ts'
import { type Condition, ownedBy } from '../../http/tenancy.ts'
import type { SearchedKind } from './kinds.ts'

/** Rows of a kind that are looked through, so that a search costs the same however many there are. */
const MAX_READ = 10_000
/** Numbers that an index finds, of which some may be out of scope. */
const MAX_INDEXED = 1_000
/** With fewer digits, too many numbers of all countries begin so. */
const MIN_WITHOUT_CODE = 3

type Row = Omit<Found, 'kind' | 'name'> & { name: string | null }

/** Read where it keeps nobody waiting, if that takes long. */
type Database = Pick<Context, 'db' | 'memory'>

type Search = { q: string; service_provider_sid?: string | undefined }

const startOf = (text: string) => `${text.replace(/[|%_]/g, '|$&')}%`

/** How well a name matches: wholly, at its beginning, inside. */
const rank = (text: string) =>
  sql`case when name = ${text} then 1 when name like ${startOf(text)} escape '|' then 2 else 3 end`

/** Adds the names of the owners to rows, which have `sid`, `name`, `detail`, `account_sid` and `service_provider_sid`. */
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
  const found = sql<Row>`
    select found.sid, found.name, coalesce(found.detail, ${owner}) as detail, p.service_provider_sid
    from (${rows}) as found
    left join accounts as a on a.account_sid = found.account_sid
    left join service_providers as p
      on p.service_provider_sid = coalesce(a.service_provider_sid, found.service_provider_sid)
    order by found.grade, found.name, found.sid`
  return memory.listings.read(db, found.compile(db), 0)
}

/** Things of a kind by name or sid. */
export async function named(
  ctx: Database,
  scope: Scope,
  { q, service_provider_sid }: Search,
  { table, sid, name, also, detail, owners, visible }: SearchedKind,
): Promise<Row[]> {
  const { text, sid: wholeSid } = searchText(q)
  const within = service_provider_sid ? ownedBy(table, { service_provider_sid }) : sql`1 = 1`
  const owner = (column: (typeof owners)[number]) =>
    owners.includes(column) ? sql`${sql.ref(`${table}.${column}`)}` : sql`null`
  const those = (condition: Condition, limit: number) => sql`
    select ${sql.ref(sid)} as sid, ${name} as name, ${also ? sql.ref(also) : sql`null`} as also,
      ${detail ? sql.ref(detail) : sql`null`} as detail,
      ${owner('account_sid')} as account_sid, ${owner('service_provider_sid')} as service_provider_sid
    from ${sql.table(table)} where ${visible(scope)} and ${within} and ${condition} limit ${limit}`
  const bySid = hasSid(`${table}.${sid}`, q)
  const found = bySid
    ? await withOwners(ctx, scope, sql`select *, 0 as grade from (${those(bySid, FOUND_MAX)}) as t`)
    : []
  if (wholeSid) return found
  const byName = await withOwners(
    ctx,
    scope,
    sql`select *, ${rank(text)} as grade from (${those(sql`1 = 1`, MAX_READ)}) as t
      where ${contains('name', text)} or ${contains('also', text)}
      order by grade, name, sid limit ${FOUND_MAX}`,
  )
  return best(found, byName)
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
  const selected = (from: RawBuilder<unknown>, grade: RawBuilder<unknown>, where: Condition) =>
    withOwners(
      ctx,
      scope,
      sql`select phone_number_sid as sid, number as name, null as detail, account_sid, service_provider_sid,
          ${grade} as grade
        from ${from} as phone_numbers where ${where} order by grade, name, sid limit ${FOUND_MAX}`,
    )
  const readable = sql`(select phone_number_sid, number, account_sid, service_provider_sid
    from phone_numbers where ${within} limit ${MAX_READ})`
  const bySid = hasSid('phone_numbers.phone_number_sid', q)
  const found = bySid ? await selected(sql`phone_numbers`, sql`0`, sql`${within} and ${bySid}`) : []
  if (sid) return found
  if (digits === undefined) {
    const described = sql`(select t.*, ours.description from ${readable} as t
      left join switchroom_phone_numbers as ours on ours.phone_number_sid = t.phone_number_sid)`
    const inside = sql<never>`(${contains('number', text)} or ${containsInAnyCase('description', text)})`
    return best(found, await selected(described, sql`3`, inside))
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
