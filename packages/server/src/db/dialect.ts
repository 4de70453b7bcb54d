import type { InsertQueryBuilder, InsertResult, SelectQueryBuilder } from 'kysely'
import { type Db, kindOf, type Tables } from './open.ts'

// What SQLite and MySQL spell differently, for `$call` on a query.

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
