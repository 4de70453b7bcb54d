import { sql } from 'kysely'
import { batchesOf } from '../../db/batches.ts'
import { insertMany } from '../../db/insert-many.ts'
import { type Db, isDuplicate, type Tables, timestamp } from '../../db/open.ts'
import { platformTables } from '../../db/platform.ts'
import { isSealed, type SecretBox } from '../../secrets/secret-box.ts'
import type { CarryOver, Installation } from './report.ts'
import { allOf, nameOf, type Row } from './rows.ts'
import { KINDS, ONE_BY_RULE, SETTINGS, UNTOUCHED } from './tables.ts'

/** Adds the rows that are not there, or are as set-up made them. Returns both. */
export async function addMissing(
  { db, box }: Installation,
  table: string,
  rows: Row[],
  report: CarryOver,
) {
  const primary = platformTables[table]?.keys.primary
  const missing: Row[] = []
  const replaced: Row[] = []
  const keep = async (row: Row, there: Row) => {
    const different = differences(row, there, box)
    if (different.length === 0) return
    if (primary && isUntouched(table, there)) {
      await replace(db, table, primary, row)
      report.replaced.push({ table, name: nameOf(row) })
      replaced.push(row)
    } else report.kept.push({ table, name: nameOf(there), different })
  }
  if (SETTINGS.includes(table)) {
    const [there] = await allOf(db, table)
    if (there) await keep(rows[0]!, there)
    else missing.push(...rows)
  } else if (!primary) missing.push(...rows)
  else
    for (const batch of batchesOf(rows)) {
      const sids = batch.map((row) => row[primary])
      const { rows: found } = await sql<Row>`select * from ${sql.table(table)}
        where ${sql.ref(primary)} in (${sql.join(sids)})`.execute(db)
      const bySid = new Map(found.map((row) => [row[primary], row]))
      for (const row of batch) {
        const there = bySid.get(row[primary])
        if (!there) missing.push(row)
        else await keep(row, there)
      }
    }
  const alone = await withoutTwins(db, table, missing, report)
  return { added: await insert(db, table, alone, report), replaced }
}

function isUntouched(table: string, row: Row) {
  const made = UNTOUCHED[table]
  if (!made) return false
  return made.name === row.name && made.unset.every((column) => (row[column] ?? null) === null)
}

const replace = (db: Db, table: string, primary: string, { [primary]: key, ...values }: Row) =>
  sql`update ${sql.table(table)} set ${sql.join(
    Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
  )} where ${sql.ref(primary)} = ${key}`.execute(db)

const anotherOne = (columns: readonly string[]) =>
  `another one with the same ${columns.join(' and ') || 'key'} is there`

/** A value in the case in which both databases compare texts. */
const inOneCase = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value)

/** Rows without a twin by a rule that the database does not enforce. The others are problems. */
async function withoutTwins(db: Db, table: string, rows: Row[], report: CarryOver) {
  const columns = ONE_BY_RULE[table]
  if (!columns) return rows
  const alone: Row[] = []
  for (const batch of batchesOf(rows)) {
    const there = await sql<Row>`select * from ${sql.table(table)}
      where ${sql.ref(columns[0])} in (${sql.join(batch.map((row) => row[columns[0]]))})`.execute(
      db,
    )
    for (const row of batch) {
      const isTwin = there.rows.some((one) =>
        columns.every((c) => inOneCase(one[c]) === inOneCase(row[c])),
      )
      if (isTwin) report.problems.push({ table, name: nameOf(row), why: anotherOne(columns) })
      else alone.push(row)
    }
  }
  return alone
}

const plain = (value: unknown, box: SecretBox) => {
  if (typeof value !== 'string') return value
  if (isSealed(value)) return box.open(value)
  return /^\d{4}-\d\d-\d\dT[\d:]+\.000Z$/.test(value) ? timestamp(new Date(value)) : value
}

const differences = (row: Row, there: Row, box: SecretBox) =>
  Object.keys(row).filter((column) => plain(row[column], box) !== plain(there[column], box))

/**
 * Inserts rows. A resource that exists there by another key, as the database tells, is a problem. Parts of a resource
 * that exists there count as existing.
 */
async function insert(db: Db, table: string, rows: Row[], report: CarryOver): Promise<Row[]> {
  const added: Row[] = []
  for (const batch of batchesOf(rows)) {
    try {
      await insertMany(db, table as keyof Tables, batch)
      added.push(...batch)
      continue
    } catch (e) {
      if (!isDuplicate(e)) throw e
    }
    for (const row of batch) {
      try {
        await insertMany(db, table as keyof Tables, [row])
        added.push(row)
      } catch (e) {
        const duplicate = isDuplicate(e)
        if (!duplicate) throw e
        // ours have no other keys than of one thing each
        if (table.startsWith('switchroom_')) continue
        const name = nameOf(row)
        if (!(table in KINDS)) report.kept.push({ table, name, different: [] })
        else report.problems.push({ table, name, why: anotherOne(duplicate.columns) })
      }
    }
  }
  return added
}
