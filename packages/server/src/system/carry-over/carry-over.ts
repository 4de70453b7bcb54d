import { sql } from 'kysely'
import { commandActor } from '../../audit/command.ts'
import { type Entry, record } from '../../audit/record.ts'
import { type Db, kindOf } from '../../db/open.ts'
import { platformTables } from '../../db/platform.ts'
import { MIGRATIONS } from '../../db/prepare.ts'
import { shapeOf } from '../../db/shape.ts'
import { transaction } from '../../db/transaction.ts'
import { addMissing } from './add-missing.ts'
import { type CarryOver, type Installation, nothing } from './report.ts'
import { allOf, nameOf, type Row, translate } from './rows.ts'
import { CARRIED, KEYED, KINDS, LEFT, MADE_BY_SETUP } from './tables.ts'

class Undone extends Error {}

/** The two are not of this version: the message says which has to be started first. */
export class OtherVersion extends Error {
  override name = 'OtherVersion'
}

async function refuseOtherVersion(from: Db, to: Db) {
  const migrationsOf = async (db: Db) =>
    new Set((await allOf(db, MIGRATIONS)).map(({ name }) => String(name)))
  const [old, there] = [await migrationsOf(from), await migrationsOf(to)]
  if ([...there].some((name) => !old.has(name)))
    throw new OtherVersion(
      'An earlier version has made the old data folder. Start this version on it once, without the platform’s database, and try again.',
    )
  if ([...old].some((name) => !there.has(name)))
    throw new OtherVersion(
      'A later version has made the old data folder. Start the server with that version, and try again.',
    )
}

/**
 * Adds people's data from one installation to another, in one transaction: rows keep their sids, and encrypted values
 * are encrypted with the secret there. Data that people have made there is never changed. With problems, or without
 * `isReal`, nothing is written. Throws `OtherVersion`.
 */
export async function carryOver(
  from: Installation,
  to: Installation,
  { isReal }: { isReal: boolean },
): Promise<CarryOver> {
  await refuseOtherVersion(from.db, to.db)
  let report: CarryOver = nothing()
  try {
    await transaction(
      to.db,
      async (tx) => {
        report = nothing()
        await setForeignKeys(tx, false)
        try {
          await carryAll(from, { db: tx, box: to.box }, report)
        } finally {
          await setForeignKeys(tx, true)
        }
        if (!isReal || report.problems.length > 0) throw new Undone()
      },
      { isLarge: true },
    )
  } catch (e) {
    if (!(e instanceof Undone)) throw e
  }
  return report
}

/** Some tables refer to each other. Every row comes with all that it refers to. */
async function setForeignKeys(tx: Db, areChecked: boolean) {
  if (kindOf(tx) === 'mysql')
    await sql`set foreign_key_checks = ${sql.lit(Number(areChecked))}`.execute(tx)
  // SQLite checks when the transaction ends
  else if (!areChecked) await sql`pragma defer_foreign_keys = on`.execute(tx)
}

async function carryAll(from: Installation, to: Installation, report: CarryOver) {
  const [shape, shapeThere] = [await shapeOf(from.db), await shapeOf(to.db)]
  const isSameSecret = from.box.digest('') === to.box.digest('')
  /** Sids of resources that have another sid there. */
  const renamed = new Map<string, string>()
  const entries: Entry[] = []
  for (const table of CARRIED) {
    if (!shape.has(table)) continue
    const rows = await allOf(from.db, table)
    if (rows.length === 0) continue
    if (table === KEYED && !isSameSecret) {
      const why = 'they need the old secret: everybody makes new ones under "Security"'
      report.left.push({ table, rows: rows.length, why })
      continue
    }
    if (!shapeThere.has(table)) {
      report.problems.push({ table, name: '', why: 'the table does not exist there' })
      continue
    }
    const known = await knownThere(to.db, table, rows, renamed)
    const translation = { from: from.box, to: to.box, renamed, columns: shapeThere.get(table)! }
    const translated = rows
      .filter((row) => !known.has(row))
      .map((row) =>
        translate(table, row, translation, (why) => {
          report.problems.push({ table, name: nameOf(row), why })
        }),
      )
    const { added, replaced } = await addMissing(to, table, translated, report)
    if (added.length > 0) report.added.push({ table, rows: added.length })
    const kind = KINDS[table]
    if (!kind) continue
    entries.push(...added.map((row) => entryOf('create', table, kind, row)))
    entries.push(...replaced.map((row) => entryOf('update', table, kind, row)))
  }
  for (const { table, why } of LEFT) {
    if (!shape.has(table)) continue
    const { rows } = await sql<{
      n: number
    }>`select count(*) as n from ${sql.table(table)}`.execute(from.db)
    const n = Number(rows[0]!.n)
    if (n > 0) report.left.push({ table, rows: n, why })
  }
  await record(to.db, commandActor('carry-over'), entries)
}

/**
 * Rows that are not added: those that every installation makes, and people of the same name and place, such as the
 * first administrator. References to them get the sid that they have there.
 */
async function knownThere(db: Db, table: string, rows: Row[], renamed: Map<string, string>) {
  const made = MADE_BY_SETUP[table]
  const same = made ?? (table === 'users' ? 'name' : undefined)
  const primary = platformTables[table]?.keys.primary
  const known = new Set<Row>(made ? rows : [])
  if (!same || !primary) return known
  const there = await allOf(db, table)
  const keys = made ? [same] : [same, 'account_sid', 'service_provider_sid']
  for (const row of rows) {
    const twin = there.find((one) => keys.every((key) => one[key] === row[key]))
    if (!twin) continue
    known.add(row)
    if (twin[primary] !== row[primary]) renamed.set(String(row[primary]), String(twin[primary]))
  }
  return known
}

const textOr = (value: unknown) => (typeof value === 'string' ? value : null)

const entryOf = (action: Entry['action'], table: string, kind: Entry['kind'], row: Row): Entry => ({
  action,
  kind,
  sid: String(row[platformTables[table]?.keys.primary ?? Object.keys(row)[0]!]),
  name: nameOf(row),
  account_sid: textOr(row.account_sid),
  service_provider_sid: textOr(row.service_provider_sid),
  before: null,
  after: null,
})
