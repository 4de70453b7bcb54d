import { setImmediate } from 'node:timers/promises'
import {
  type AuditKind,
  IMPORT_MAX_ROWS,
  type ImportProgress,
  type ImportVerdict,
  MAX_SHOWN_PROBLEMS,
  plainError,
  type RowProblem,
} from '@switchroom/contract'
import { parse } from 'csv-parse'
import type { z } from 'zod'
import { entryOf, ownersIn } from '../audit/audited.ts'
import { type Actor, type Entry, record } from '../audit/record.ts'
import type { Db } from '../db/open.ts'
import { transaction } from '../db/transaction.ts'
import { errorCode, errorNumber } from '../errors/members.ts'
import type { Context } from '../http/context.ts'
import { fromCell } from '../http/csv.ts'
import { Failure } from '../http/failure.ts'
import { type Limited, refuseOverLimit } from '../http/limits.ts'
import { textIssues } from '../http/text.ts'
import { progressOf } from './progress.ts'

export type Row<T> = { line: number; row: T }
/** A row ready for the database, or why it is invalid. */
export type Resolved<R> = { ready: R } | { column?: string; message: string }

export type ImportSpec<T, R extends object> = {
  kind: AuditKind
  columns: readonly string[]
  row: z.ZodType<T>
  /** A lock name as in `transaction`. */
  lock?: string
  /** Of which an account may have a limited number. */
  limited?: Limited
  /**
   * Checks a batch of rows, in file order, with one result each. Runs over all batches before anything is
   * inserted.
   */
  resolve: (tx: Db, rows: Row<T>[]) => Promise<Resolved<R>[]>
  insert: (tx: Db, rows: R[]) => Promise<void>
  /** The inserted subject, as its single read shows it, with its sid. */
  added: (row: R) => { sid: string; subject: object }
}

const BATCH = 500

/** Thrown when the client has disconnected: nothing is kept. */
class Stopped extends Error {}

type HandlerInput = Actor & { ctx: Context; body: string; query: { dry_run?: 0 | 1 | undefined } }

/**
 * Imports all rows of a CSV file, or none. A dry run takes the same path and inserts nothing. Yields
 * progress, and the result last.
 */
export async function* importCsv<T, R extends object>(
  input: HandlerInput,
  spec: ImportSpec<T, R>,
): AsyncGenerator<ImportProgress> {
  const { ctx, meta } = input
  try {
    const verdict = yield* progressOf<ImportProgress, ImportVerdict>(async (report, stopped) => {
      const file = await readFile(input.body, spec)
      const work = (tx: Db) => run(tx, input, spec, file, report, stopped)
      if (input.query.dry_run) return work(ctx.db)
      return transaction(ctx.db, work, { lock: spec.lock })
    })
    yield { verdict }
  } catch (e) {
    if (e instanceof Stopped) return
    if (!(e instanceof Failure))
      ctx.log.error({ err: e, request_id: meta.request_id }, 'import failed')
    // the answer has begun, so it is too late for a status
    yield { msg: e instanceof Failure ? e.message : 'Internal server error' }
  }
}

type File = { lines: { line: number; cells: Record<string, string> }[]; problem?: RowProblem }

/** What the parser gives for a line of the file, with `columns` and `info` set. */
type Parsed = { info: { lines: number }; record: Record<string, string> }

/**
 * Parses the cells of a file by column. An invalid file, or one that lacks a column, has one problem for
 * the whole file.
 */
async function readFile(
  text: string,
  spec: Pick<ImportSpec<never, never>, 'columns'>,
): Promise<File> {
  const lines: File['lines'] = []
  try {
    const parser: AsyncIterable<Parsed> = parse(text, {
      bom: true,
      columns: (names: string[]) => names.map((name) => name.trim().toLowerCase()),
      info: true,
      skip_empty_lines: true,
      trim: true,
      max_record_size: 200_000,
    })
    for await (const { info, record } of parser) {
      if (lines.length === 0) {
        const unknown = Object.keys(record).find((name) => !spec.columns.includes(name))
        if (unknown !== undefined)
          return {
            lines: [],
            problem: {
              line: 1,
              message: `Unknown column "${unknown.slice(0, 64)}". The columns are ${spec.columns.join(', ')}`,
            },
          }
      }
      if (lines.length === IMPORT_MAX_ROWS)
        return {
          lines: [],
          problem: { line: info.lines, message: `At most ${IMPORT_MAX_ROWS} rows in one file` },
        }
      lines.push({ line: info.lines, cells: record })
    }
  } catch (e) {
    const code = errorCode(e)
    if (code === undefined) throw e
    return {
      lines: [],
      problem: {
        line: errorNumber(e, 'lines') ?? 1,
        message: CSV_PROBLEMS[code] ?? 'This file is not valid CSV',
      },
    }
  }
  return { lines }
}

const CSV_PROBLEMS: Record<string, string> = {
  CSV_RECORD_INCONSISTENT_COLUMNS: 'This row does not have one cell per column',
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: 'This row does not have one cell per column',
  CSV_QUOTE_NOT_CLOSED: 'A quote is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'A quote closes in the middle of a cell',
  INVALID_OPENING_QUOTE: 'A quote opens in the middle of a cell',
  CSV_MAX_RECORD_SIZE: 'This row is too long',
}

async function run<T, R extends object>(
  tx: Db,
  who: HandlerInput,
  spec: ImportSpec<T, R>,
  { lines, problem }: File,
  report: (progress: ImportProgress) => void,
  stopped: () => boolean,
): Promise<ImportVerdict> {
  const rows = lines.length
  const problems: RowProblem[] = []
  let bad_rows = 0
  const addProblem = (p: RowProblem) => {
    bad_rows += 1
    if (problems.length < MAX_SHOWN_PROBLEMS) problems.push(p)
  }
  if (problem) addProblem(problem)
  else if (rows === 0) addProblem({ line: 1, message: 'This file has no rows' })
  const ready: R[] = []
  for (let done = 0; done < rows; done += BATCH) {
    if (stopped()) throw new Stopped()
    const batch: Row<T>[] = []
    for (const { line, cells } of lines.slice(done, done + BATCH)) {
      const checked = check(cells, spec.row)
      if ('row' in checked) batch.push({ line, row: checked.row })
      else addProblem({ line, ...checked })
    }
    const resolved = batch.length > 0 ? await spec.resolve(tx, batch) : []
    resolved.forEach((r, i) => {
      if ('ready' in r) ready.push(r.ready)
      else addProblem({ line: batch[i]!.line, ...r })
    })
    report({ done: Math.min(done + BATCH, rows), rows })
    // lets other requests run
    await setImmediate()
  }
  problems.sort((a, b) => a.line - b.line)
  const verdict = { rows, added: bad_rows > 0 ? 0 : ready.length, problems, bad_rows }
  if (bad_rows > 0) return verdict
  if (spec.limited) await refuseOverLimit(who.ctx, tx, who.scope, spec.limited, ready.length)
  if (who.query.dry_run) return verdict
  const entries: Entry[] = []
  const owners = ownersIn(tx)
  for (let i = 0; i < ready.length; i += BATCH) {
    if (stopped()) throw new Stopped()
    const batch = ready.slice(i, i + BATCH)
    await spec.insert(tx, batch)
    for (const row of batch) {
      const { sid, subject } = spec.added(row)
      entries.push((await entryOf(owners, spec.kind, sid, undefined, subject))!)
    }
    await setImmediate()
  }
  await record(tx, who, entries)
  return verdict
}

function check<T>(
  cells: Record<string, string>,
  schema: z.ZodType<T>,
): { row: T } | { column: string; message: string } {
  const values = Object.fromEntries(
    Object.entries(cells).flatMap(([column, cell]) => {
      const text = fromCell(cell)
      // an empty cell counts as omitted
      return text === '' ? [] : [[column, text]]
    }),
  )
  const [bad] = textIssues(values)
  if (bad) return { column: String(bad.path[0]), message: bad.message }
  const parsed = schema.safeParse(values, { error: plainError })
  if (parsed.success) return { row: parsed.data }
  const issue = parsed.error.issues[0]!
  return { column: String(issue.path[0] ?? ''), message: issue.message }
}
