import type { AuditKind, CsvFile } from '@switchroom/contract'
import type { z } from 'zod'
import type { AuditSubject } from '../audit/audited.ts'
import type { Actor } from '../audit/record.ts'
import type { Db, Tables } from '../db/open.ts'
import type { Context } from '../http/context.ts'
import type { Limited, Quota } from '../http/limits.ts'

export type Row<T> = { line: number; row: T }
/** A row ready for the database, or why it is invalid. */
export type Resolved<R> = { ready: R } | { column?: string; message: string }

export type Added = { sid: string; subject: object }

export type ImportSpec<T, R extends object> = {
  kind: AuditKind
  columns: readonly string[]
  row: z.ZodType<T>
  /** The most rows of one file, if that is fewer than others may have. */
  most?: number
  /** A lock name for `transaction`, if these rows need one: rules with a unique key need none. */
  lock?: (rows: R[]) => string | undefined
  /** Numbers of rows that count toward an account's limits. */
  limited?: (rows: R[]) => Partial<Record<Limited, number>>
  /** The quota that rows count for, and whose. */
  quota?: { table: Quota; accountOf: (row: R) => string | null }
  /**
   * Key of rows that describe one resource together, such as a carrier with a row per gateway. All rows are then one
   * batch.
   */
  groupOf?: (cells: Record<string, string>) => string
  /**
   * Checks a batch of rows, in file order, with one result each. Runs over all batches while others write, and
   * again before they are inserted, when nobody else does.
   */
  resolve: (tx: Db, rows: Row<T>[]) => Promise<Resolved<R>[]>
  /** Work on a valid row that takes long, such as a password hash: one row at a time, before others have to wait. */
  finish?: (row: R) => Promise<R>
  insert: (tx: Db, rows: R[]) => Promise<void>
  /** The rows that `insert` inserts, by table, if it does nothing else. A large file is then made ready while others write. */
  inserted?: (rows: R[]) => [table: keyof Tables & string, rows: Record<string, unknown>[]][]
  /** True if a unique key refuses the row once somebody has added the same, and nothing else makes it invalid. */
  isUnique?: (row: R) => boolean
  /** The inserted subject, as its single read shows it, with its sid; undefined for a row that only adds to another's. */
  added: (row: R) => Added | undefined
  /** The resource that the rows become part of: its change is the only entry in the audit log. Not for large files. */
  partOf?: AuditSubject<object>
}

export type HandlerInput = Actor & {
  ctx: Context
  body: CsvFile
  query: { dry_run?: 0 | 1 | undefined; columns?: string[] | undefined }
}
