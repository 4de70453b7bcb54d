import { searchText, spellings, wordsIn } from '@switchroom/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { plainly } from '../db/dialect.ts'
import { type Db, kindOf } from '../db/open.ts'

type Condition = RawBuilder<SqlBool>
/** A column's name with its table, or an expression. */
type Column = string | RawBuilder<unknown>

const refOf = (column: Column) => (typeof column === 'string' ? sql.ref(column) : column)

const escaped = (text: string) => text.replace(/[|%_]/g, '|$&')
const pattern = (text: string) => `%${escaped(text)}%`

/** Matches columns that contain this text as it stands. SQL wildcards are escaped. */
export const contains = (column: Column, text: string): Condition =>
  sql`${refOf(column)} like ${pattern(text)} escape '|'`

/**
 * The text with ligatures in place of pairs of letters. MariaDB compares letter by letter, so that `ß` does not match
 * `ss`.
 */
const ligatures = (text: string) => text.replace(/ss/g, 'ß').replace(/ae/g, 'æ').replace(/oe/g, 'œ')

/** Matches columns that contain this text however it is spelled: without case, accents and umlauts. */
export function containsSpelled(db: Db, column: Column, text: string): Condition {
  // case and accents are of letters
  if (!/\p{L}/u.test(text)) return contains(column, text)
  const plain = spellings(text)
  const all =
    kindOf(db) === 'mysql' ? new Set(plain.flatMap((part) => [part, ligatures(part)])) : plain
  const parts = Array.from(all, (part) => {
    // any apostrophe
    const like = pattern(part).replaceAll("'", '_')
    return sql<SqlBool>`${plainly(db, refOf(column))} like ${like} escape '|'`
  })
  return sql`(${sql.join(parts, sql` or `)})`
}

/** A URL without its secrets: user, password and query. */
const openUrl = (column: string) =>
  sql`substring_index(substring_index(${sql.ref(column)}, '?', 1), '@', -1)`

/** At least four of a sid's digits, as lists show them. */
const SID_START = /^[\da-f]{4,8}$|^[\da-f]{8}-[\da-f-]{0,27}$/i
/** A sid as lists show it: `b77e…56ae`. */
const SHORT_SID = /^([\da-f]{4})(?:…|\.{2,3})([\da-f]{4})$/i

/** The beginning of a sid, in lower case, and its end if it was shortened; undefined if the typed text is no sid. */
export function sidPartsOf(typed: string): { start: string; end?: string } | undefined {
  const text = typed.trim().toLowerCase()
  const [, start, end] = SHORT_SID.exec(text) ?? []
  if (start && end) return { start, end }
  return SID_START.test(text) ? { start: text } : undefined
}

/** Matches rows whose sid begins with the typed text; undefined if no sid does. Uses the index of the sid. */
export function hasSid(column: string, typed: string): Condition | undefined {
  const { sid } = searchText(typed)
  const ref = sql.ref(column)
  if (sid) return sql`${ref} = ${sid}`
  const parts = sidPartsOf(typed)
  if (!parts) return undefined
  const { start, end } = parts
  // no sid has a g, which sorts behind all that it may have
  const begins = sql<SqlBool>`${ref} between ${start} and ${`${start}g`}`
  return end ? sql`(${begins} and ${ref} like ${`%${end}`})` : begins
}

/** Rows of other tables that are shown with a row, such as its account for the name. */
export type Beside = {
  /** `accounts as of where of.account_sid = …` */
  rows: RawBuilder<unknown>
  names?: Column[]
  urls?: string[]
}

/** Columns that a row or its page shows, by which a search finds it. */
export type Shown = {
  sid: string
  names: Column[]
  /** Columns that may hold phone numbers, found by their digits too. */
  numbers?: string[]
  urls?: string[]
  /** Column that is true for active rows: the word "active" finds them. */
  is_active?: string
  beside?: Beside[]
}

/** The account of a row, as its list shows it. */
export const besideAccount = (table: string): Beside => ({
  rows: sql`accounts as of_account where of_account.account_sid = ${sql.ref(`${table}.account_sid`)}`,
  names: ['of_account.name'],
})

/** The application of a row. */
export const besideApplication = (table: string): Beside => ({
  rows: sql`applications as of_application where of_application.application_sid = ${sql.ref(`${table}.application_sid`)}`,
  names: ['of_application.name'],
})

/** The webhooks that a row names. */
export const besideHooks = (...columns: string[]): Beside => ({
  rows: sql`webhooks as of_hook where of_hook.webhook_sid in (${sql.join(columns.map((c) => sql.ref(c)))})`,
  urls: ['of_hook.url'],
})

const anyOf = (conditions: Condition[]): Condition =>
  conditions.length > 0 ? sql`(${sql.join(conditions, sql` or `)})` : sql`1 = 0`
const allOf = (conditions: Condition[]): Condition => sql`(${sql.join(conditions, sql` and `)})`

/**
 * Readings of a word: each is a list of parts that must all match. A SIP address is a user and a realm, a gateway a
 * host and a port.
 */
function meanings(word: string): string[][] {
  const bare = word.replace(/^(?:sips?:|[a-z]+:\/\/)(?=.)/i, '')
  const [user = '', host = ''] = bare.split('@')
  const address = /^(.+?)(?::\d{1,5}|\/\d{1,3})$/.exec(bare)?.[1]
  return [
    [bare],
    ...(user && host && bare.split('@').length === 2 ? [[user, host]] : []),
    ...(address ? [[address]] : []),
  ]
}

/** Matches rows that show a part of the typed text. */
function shows(db: Db, shown: Partial<Shown>, part: string): Condition {
  const { names = [], numbers = [], urls = [], is_active, beside = [] } = shown
  const flag = { active: 1, inactive: 0 }[part.toLowerCase()]
  return anyOf([
    ...[...names, ...numbers].map((column) => containsSpelled(db, column, part)),
    ...urls.map(
      (column) =>
        sql<SqlBool>`${openUrl(column)} like ${pattern(part.replace(/\?.*/, ''))} escape '|'`,
    ),
    ...(is_active && flag !== undefined ? [sql<SqlBool>`${sql.ref(is_active)} = ${flag}`] : []),
    ...beside.map(
      ({ rows, ...its }) =>
        sql<SqlBool>`exists (select 1 from ${rows} and ${shows(db, its, part)})`,
    ),
  ])
}

/** Matches rows whose name has all typed words. */
export const isCalled = (db: Db, column: Column, typed: string): Condition =>
  allOf(wordsIn(typed).map((word) => containsSpelled(db, column, word)))

/** The text of a row, besides its name, that matches the typed words; null if the name has all of them. */
export function shownBy(db: Db, shown: Shown, name: Column, typed: string): RawBuilder<unknown> {
  const columnsOf = ({ names = [], numbers = [] }: Partial<Shown>) => [...names, ...numbers]
  const first = (texts: RawBuilder<unknown>[]) =>
    sql`coalesce(${sql.join([...texts, sql`null`, sql`null`])})`
  const ofPart = (of: Partial<Shown>, part: string): RawBuilder<unknown>[] => [
    ...columnsOf(of).map(
      (column) => sql`case when ${containsSpelled(db, column, part)} then ${refOf(column)} end`,
    ),
    ...(of.urls ?? []).map(
      (column) => sql`case when ${shows(db, { urls: [column] }, part)} then ${openUrl(column)} end`,
    ),
    ...(of.beside ?? []).map(
      ({ rows, ...its }) =>
        sql`(select ${first(ofPart(its, part))} from ${rows} and ${shows(db, its, part)} limit 1)`,
    ),
  ]
  const ofWord = (word: string) => {
    const parts = meanings(word).flat()
    const inName = anyOf(parts.map((part) => containsSpelled(db, name, part)))
    return sql`case when ${inName} then null else ${first(parts.flatMap((part) => ofPart(shown, part)))} end`
  }
  return first(wordsIn(searchText(typed).text).map(ofWord))
}

/** Matches rows that show all typed words, or have the text as a number or sid. For tables that are scanned anyway. */
export function matchesFilter(db: Db, shown: Shown, typed: string): Condition {
  const { text, digits, sid } = searchText(typed)
  const bySid = hasSid(shown.sid, typed)
  if (sid) return bySid!
  const words = wordsIn(text).map((word) =>
    anyOf(meanings(word).map((parts) => allOf(parts.map((part) => shows(db, shown, part))))),
  )
  return anyOf([
    ...(bySid ? [bySid] : []),
    ...(words.length > 0 ? [allOf(words)] : []),
    ...(digits && digits !== text
      ? (shown.numbers ?? []).map((column) => contains(column, digits))
      : []),
  ])
}
