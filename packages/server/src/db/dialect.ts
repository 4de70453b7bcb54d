import {
  type InsertQueryBuilder,
  type InsertResult,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
} from 'kysely'
import { type Db, kindOf, type Tables } from './open.ts'

// SQL that SQLite and MySQL spell differently; mostly for `$call` on a query.

/** Leaves out rows whose key is already stored. */
export const skipExisting =
  (db: Db) =>
  <T extends keyof Tables>(insert: InsertQueryBuilder<Tables, T, InsertResult>) =>
    kindOf(db) === 'mysql' ? insert.ignore() : insert.onConflict((c) => c.doNothing())

/** Locks the selected rows until the transaction ends. SQLite has a single writer anyway. */
export const lockRows =
  (tx: Db) =>
  <T extends keyof Tables, O>(select: SelectQueryBuilder<Tables, T, O>) =>
    kindOf(tx) === 'mysql' ? select.forUpdate() : select

/** A text without case and accents, like `plainLetters`. On MariaDB, compared that way. */
export const plainly = (db: Db, text: RawBuilder<unknown>): RawBuilder<unknown> =>
  kindOf(db) === 'mysql'
    ? sql`convert(${text} using utf8mb4) collate utf8mb4_unicode_520_ci`
    : // few texts have other letters than those that SQLite compares without case itself
      sql`case when length(${text}) = octet_length(${text}) then ${text} else plain_letters(${text}) end`

/** Matches numbers that are no patterns. */
export const hasOnlyDigits = (db: Db, column: string) =>
  kindOf(db) === 'mysql'
    ? sql<boolean>`${sql.ref(column)} regexp '^[+]?[0-9]+$'`
    : sql<boolean>`ltrim(${sql.ref(column)}, '+') not glob '*[^0-9]*'`

/** Joins a table to those before it, which are read first: few rows, by whose keys the others are found. */
export const joinedInOrder = (db: Db) =>
  sql.raw(kindOf(db) === 'mysql' ? 'straight_join' : 'cross join')
