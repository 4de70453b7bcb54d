import {
  type LatestCalls,
  type PageQuery,
  type PhoneNumber,
  type PhoneNumberItem,
  searchText,
  type Unused,
  wordsIn,
} from '@switchroom/contract'
import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { batchesOf } from '../../db/batches.ts'
import { hasOnlyDigits, joinedInOrder, lockRows } from '../../db/dialect.ts'
import { listing } from '../../db/listing.ts'
import { type Db, kindOf } from '../../db/open.ts'
import { byCalls, isUnused, knownCalls, presentCalls, withCalls } from '../../http/latest-calls.ts'
import type { Scope } from '../../http/scope.ts'
import { contains, containsSpelled, hasSid } from '../../http/search.ts'
import { ownedBy, visibleTo } from '../../http/tenancy.ts'

/** Numbers the caller may see. A number without an account belongs to its provider. */
export const inScope = (scope: Scope) => ownedBy('phone_numbers', scope)

/** The numbers the caller may see. */
export const visible = (db: Db, scope: Scope) =>
  db.selectFrom('phone_numbers').where(inScope(scope))

// biome-ignore lint/suspicious/noExplicitAny: whatever else it selects is its own business
const withDescription = <O>(rows: SelectQueryBuilder<any, any, O>) =>
  rows
    .leftJoin(
      'switchroom_phone_numbers as ours',
      'ours.phone_number_sid',
      'phone_numbers.phone_number_sid',
    )
    // biome-ignore lint/suspicious/noExplicitAny: whatever else it selects is its own business
    .select('ours.description') as SelectQueryBuilder<any, any, O & { description: string | null }>

const described = (db: Db, scope: Scope) =>
  visible(db, scope)
    .leftJoin(
      'switchroom_phone_numbers as ours',
      'ours.phone_number_sid',
      'phone_numbers.phone_number_sid',
    )
    .selectAll('phone_numbers')
    .select('ours.description')

export type Filters = {
  filter?: string | undefined
  account_sid?: string | undefined
  application_sid?: string | undefined
  voip_carrier_sid?: string | undefined
  service_provider_sid?: string | undefined
  unused?: Unused | undefined
}

/** The numbers with these sids. Derived, so that MariaDB reads them once and not for each row. */
const among = (sids: RawBuilder<unknown>[]): RawBuilder<SqlBool> =>
  sql`phone_numbers.phone_number_sid in (
    select phone_number_sid from (${sql.join(sids, sql` union `)}) as found)`

/** Resources that numbers refer to and that have a word in their names. */
const referred = (db: Db, scope: Scope, word: string) =>
  (
    [
      ['account_sid', 'accounts', ownedBy('accounts', scope)],
      ['application_sid', 'applications', ownedBy('applications', scope)],
      ['voip_carrier_sid', 'voip_carriers', visibleTo('voip_carriers', scope)],
    ] as const
  ).map(([key, table, whose]) => ({
    from: sql.table(table),
    its: sql.ref(`${table}.${key}`),
    key: sql.ref(`phone_numbers.${key}`),
    where: sql`${whose} and ${containsSpelled(db, `${table}.name`, word)}`,
  }))

/** Matches numbers whose account, application or carrier is called so. */
export const namedBeside = (db: Db, scope: Scope, word: string): RawBuilder<SqlBool> => {
  const conditions = referred(db, scope, word).map(
    ({ from, its, key, where }) => sql`${key} in (select ${its} from ${from} where ${where})`,
  )
  return sql`(${sql.join(conditions, sql` or `)})`
}

/**
 * Sids of numbers that show a word beside their digits: in their description, or in the name of a referenced resource.
 */
const showing = (db: Db, scope: Scope, word: string): RawBuilder<unknown>[] => [
  sql`select phone_number_sid from switchroom_phone_numbers
    where ${containsSpelled(db, 'switchroom_phone_numbers.description', word)}`,
  ...referred(db, scope, word).map(
    ({ from, its, key, where }) =>
      sql`select phone_numbers.phone_number_sid from ${from} ${joinedInOrder(db)} phone_numbers
        on ${key} = ${its} where ${where}`,
  ),
]

/**
 * Numbers by their digits, sid, description, or the names beside them. Each is found by an index of its own: a condition on
 * two columns would read every row.
 */
function found(db: Db, scope: Scope, typed: string): RawBuilder<SqlBool> {
  const { text, digits, sid } = searchText(typed)
  const bySid = hasSid('phone_numbers.phone_number_sid', typed)
  const byNumber = (part: string) => contains('phone_numbers.number', part)
  if (bySid && (sid || digits)) return digits ? sql`(${bySid} or ${byNumber(digits)})` : bySid
  // of letters, numbers only have those after a backslash in a pattern
  if (digits || !/\p{L}/u.test(text) || text.includes('\\'))
    // they are stored without the plus
    return byNumber(digits ?? text.replace(/^\+/, ''))
  const words = wordsIn(text).map((word) => showing(db, scope, word))
  if (bySid) words[0]?.push(sql`select phone_number_sid from phone_numbers where ${bySid}`)
  return sql`(${sql.join(words.map(among), sql` and `)})`
}

export const REFERENCES = ['account_sid', 'application_sid', 'voip_carrier_sid'] as const

/** The numbers that match a list's filters. */
function matching(db: Db, scope: Scope, filters: Filters) {
  const { filter, service_provider_sid, unused } = filters
  let query = visible(db, scope)
  if (filter) query = query.where(found(db, scope, filter))
  for (const name of REFERENCES) {
    const sid = filters[name]
    if (sid) query = query.where(`phone_numbers.${name}`, '=', sid)
  }
  // of patterns, calls are not counted
  if (unused)
    query = query
      .where(isUnused('phone_numbers', unused))
      .where(hasOnlyDigits(db, 'phone_numbers.number'))
  // a provider's own scope already implies this filter
  if (service_provider_sid && scope.role === 'admin')
    query = query.where(ownedBy('phone_numbers', { service_provider_sid }))
  return query
}

export const list = (db: Db, scope: Scope, query: Pick<PageQuery, 'sort'> & Filters) =>
  listing({
    db,
    table: 'phone_numbers',
    sid: 'phone_number_sid',
    sortable: ['number'],
    sortedAs: byCalls('phone_numbers', query.sort),
    query,
    matching: matching(db, scope, query),
    rows: db
      .selectFrom('phone_numbers')
      .selectAll('phone_numbers')
      .$call(withDescription)
      .$call(withCalls('phone_numbers')),
    unjoined: () => unjoined(db),
    names: {
      account_name: 'accounts',
      application_name: 'applications',
      voip_carrier_name: 'voip_carriers',
    },
    present: (rows): PhoneNumberItem[] =>
      rows.map((row) => presentCalls(row, /^\+?\d+$/.test(row.number))),
  })

/** Up to this many descriptions are looked up; more are joined. */
const MOST_DESCRIPTIONS = 10_000

/** Numbers without their descriptions and calls, which few have: joining these takes longer than all else. */
async function unjoined(db: Db) {
  const descriptions = await knownDescriptions(db)
  const addCalls = await knownCalls(db, 'phone_numbers')
  const rows = db.selectFrom('phone_numbers').selectAll('phone_numbers')
  const described = descriptions ? rows : rows.$call(withDescription)
  return {
    rows: addCalls ? described : described.$call(withCalls('phone_numbers')),
    complete(read: { phone_number_sid: string; description: string | null }[]) {
      for (const row of read) {
        if (descriptions)
          row.description = descriptions.get(row.phone_number_sid.toLowerCase()) ?? null
        addCalls?.(row)
      }
    },
  }
}

async function knownDescriptions(db: Db) {
  const described = await db
    .selectFrom('switchroom_phone_numbers')
    .selectAll()
    .limit(MOST_DESCRIPTIONS + 1)
    .execute()
  if (described.length > MOST_DESCRIPTIONS) return undefined
  return new Map(described.map((d) => [d.phone_number_sid.toLowerCase(), d.description]))
}

export const find = async (db: Db, scope: Scope, sid: string): Promise<PhoneNumber | undefined> =>
  (await findAll(db, scope, [sid]))[0]

/** The numbers with these sids that the caller may see, in any order. Nobody else changes them in this transaction. */
export async function findAll(db: Db, scope: Scope, sids: string[]) {
  const rows: PhoneNumber[] = []
  // in the same order everywhere, so that no two transactions wait for each other
  for (const batch of batchesOf(sids.toSorted())) rows.push(...(await read(db, scope, batch)))
  return rows
}

async function read(db: Db, scope: Scope, sids: string[]): Promise<PhoneNumber[]> {
  if (kindOf(db) === 'sqlite' || !db.isTransaction)
    return described(db, scope).where('phone_numbers.phone_number_sid', 'in', sids).execute()
  // not joined: locked too, a missing description would keep others from describing any number beside it
  return visible(db, scope)
    .selectAll()
    .select(({ selectFrom }) =>
      selectFrom('switchroom_phone_numbers as ours')
        .select('ours.description')
        .whereRef('ours.phone_number_sid', '=', 'phone_numbers.phone_number_sid')
        .as('description'),
    )
    .where('phone_number_sid', 'in', sids)
    .$call(lockRows(db))
    .execute()
}

/** At most `most` numbers that match a list's filters. */
export async function sidsMatching(db: Db, scope: Scope, filters: Filters, most: number) {
  const { service_provider_sid } = filters
  const rows = await matching(db, scope, filters)
    // a list may leave out a filter that names another provider; a change of numbers must not
    .$if(service_provider_sid !== undefined, (q) =>
      q.where(ownedBy('phone_numbers', { service_provider_sid })),
    )
    .select('phone_numbers.phone_number_sid')
    .limit(most)
    .execute()
  return rows.map((r) => r.phone_number_sid)
}

/** The numbers among these that the caller may see, in batches, with the names of referenced resources. */
export async function* withNames(
  db: Db,
  scope: Scope,
  sids: string[],
): AsyncIterable<Omit<PhoneNumberItem, keyof LatestCalls>[]> {
  for (const batch of batchesOf(sids))
    yield described(db, scope)
      .leftJoin('accounts', 'accounts.account_sid', 'phone_numbers.account_sid')
      .leftJoin('applications', 'applications.application_sid', 'phone_numbers.application_sid')
      .leftJoin('voip_carriers', 'voip_carriers.voip_carrier_sid', 'phone_numbers.voip_carrier_sid')
      .select([
        'accounts.name as account_name',
        'applications.name as application_name',
        'voip_carriers.name as voip_carrier_name',
      ])
      .where('phone_numbers.phone_number_sid', 'in', batch)
      .orderBy('phone_numbers.number')
      .execute()
}
