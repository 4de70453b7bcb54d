import type { CompiledQuery } from 'kysely'
import { type Counted, type Known, QUICK_MS, type Remembered } from './listing-known.ts'
import { platformTables } from './platform.ts'
import type { Write } from './writes.ts'

/** The most added rows that a list remembers. With more it is forgotten. */
const MAX_ADDED = 1_000
/** True if a write may change which rows a statement with these words finds, or their order. */
export function concerns({ table, change, columns }: Write, words: ReadonlySet<string>) {
  if (table === undefined) return true
  if (change === 'delete') return [...emptiedWith(table)].some((name) => words.has(name))
  return words.has(table) && (!columns || columns.some((name) => words.has(name)))
}

/**
 * Takes note of rows that were added to a list's table: most come after its first page, which is not found again then.
 * False if something else was written, or too much.
 */
export function addRows(list: Known, writes: readonly Write[]): boolean {
  if (!add(list.added, list.counted.table, writes)) return false
  // reads of these in progress are remembered in vain
  for (const start of list.pages.keys()) if (start > 0) list.pages.delete(start)
  return true
}

/** The same for a total that took long to read: only the added rows are counted. */
export const addToTotal = ({ total, table, added }: Counted, writes: readonly Write[]): boolean =>
  total?.got !== undefined && total.got.took > QUICK_MS && add(added, table, writes)

/** The most totals that are counted on at a deletion. */
const MAX_COUNTED = 20

/** Counts of the rows among these that totals which took long to read lose with them. */
export function countsBeforeDelete(
  all: Iterable<Counted>,
  of: string,
  sids: readonly string[],
): { of: object; query: CompiledQuery }[] {
  const queries: { of: object; query: CompiledQuery }[] = []
  for (const { table, total, among, added } of all) {
    if (table !== of || !among || !total?.got || total.got.took <= QUICK_MS) continue
    // these are in no total yet
    if (sids.some((sid) => added.includes(sid))) continue
    queries.push({ of: total, query: among(sids) })
    if (queries.length === MAX_COUNTED) break
  }
  return queries
}

/** The total without rows that were deleted; undefined if it is not known how many of them were in it. */
export function withoutDeleted(
  { total, table, words }: Counted,
  writes: readonly Write[],
): Remembered<number> | undefined {
  if (!total?.got) return undefined
  let { value } = total.got
  for (const { table: of, change, counted } of writes) {
    if (change !== 'delete' || of === undefined || of !== table) return undefined
    // rows of other tables went with these
    if ([...emptiedWith(of)].some((name) => name !== of && words.has(name))) return undefined
    const its = counted?.filter((one) => one.of === total) ?? []
    if (its.length === 0) return undefined
    for (const { count } of its) value -= count
  }
  return { ...total, value: Promise.resolve(value), got: { ...total.got, value } }
}

/** Adds the sids of rows that were added to this table. False if something else was written, or too much. */
function add(added: string[], of: string | undefined, writes: readonly Write[]): boolean {
  const sids: string[] = []
  for (const { table, change, sids: its } of writes) {
    if (change !== 'insert' || table !== of || !its) return false
    sids.push(...its)
  }
  if (added.length + sids.length > MAX_ADDED) return false
  added.push(...sids)
  return true
}

/** True if a statement reads a table only once: an added row then adds itself, or nothing. */
export const occursOnce = (text: string, table: string) =>
  text.match(new RegExp(`\\b(?:from|join) [\`"]?${table}\\b`, 'g'))?.length === 1

const cascades = Object.entries(platformTables).flatMap(([from, { keys }]) =>
  Object.values(keys.foreign ?? {}).flatMap(([, to, onDelete]) => (onDelete ? { from, to } : [])),
)

/** The tables from which rows go when some of this table are deleted. */
function emptiedWith(table: string, found = new Set<string>()): ReadonlySet<string> {
  if (!found.has(table)) {
    found.add(table)
    for (const { from, to } of cascades) if (to === table) emptiedWith(from, found)
  }
  return found
}
