import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import {
  type AuditKind,
  ERROR_STATUS,
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
import { deferred, seal } from '../audit/seal.ts'
import { BATCH, batchesOf, LARGE } from '../db/batches.ts'
import { type Db, isDuplicate } from '../db/open.ts'
import { transaction } from '../db/transaction.ts'
import { errorCode, errorNumber } from '../errors/members.ts'
import type { Context } from '../http/context.ts'
import { fromCell } from '../http/csv.ts'
import { toFailure } from '../http/failure.ts'
import { type Limited, refuseOverLimit } from '../http/limits.ts'
import { progressOf, Stopped } from '../http/progress.ts'
import { textIssues } from '../http/text.ts'

export type Row<T> = { line: number; row: T }
/** A row ready for the database, or why it is invalid. */
export type Resolved<R> = { ready: R } | { column?: string; message: string }

type Added = { sid: string; subject: object }

export type ImportSpec<T, R extends object> = {
  kind: AuditKind
  columns: readonly string[]
  row: z.ZodType<T>
  /** A lock name as in `transaction`, if these rows need one: what a unique key enforces needs none. */
  lock?: (rows: R[]) => string | undefined
  /** Of which an account may have a limited number. */
  limited?: Limited
  /**
   * Checks a batch of rows, in file order, with one result each. Runs over all batches while others write, and
   * again before they are inserted, when nobody else does.
   */
  resolve: (tx: Db, rows: Row<T>[]) => Promise<Resolved<R>[]>
  insert: (tx: Db, rows: R[]) => Promise<void>
  /** The inserted subject, as its single read shows it, with its sid. */
  added: (row: R) => Added
}

const CHUNK = 32_768
/** Thrown when rows are no longer valid: nothing is kept. */
class Outdated extends Error {
  readonly verdict: ImportVerdict

  constructor(verdict: ImportVerdict) {
    super('Others have written meanwhile')
    this.verdict = verdict
  }
}

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
      const { verdict, valid, ready } = await checkAll(input, spec, report, stopped)
      if (verdict.bad_rows > 0 || input.query.dry_run) return verdict
      const isLarge = valid.length > LARGE
      // made before others have to wait
      const later = isLarge ? deferred(input) : undefined
      const owners = ownersIn(ctx.db)
      if (later)
        for (const rows of batchesOf(ready)) {
          for (const entry of await entriesOf(owners, spec, rows)) later.add(entry)
          await setImmediate()
        }
      const work = async (tx: Db) => {
        await checkAgain(tx, input, spec, { valid, ready }, stopped)
        await later?.store(tx)
        await insertAll(tx, spec, ready, stopped)
        if (!later) await record(tx, input, await entriesOf(ownersIn(tx), spec, ready))
      }
      const lock = spec.lock?.(ready)
      try {
        if (isLarge) await ctx.bulk((transact) => transact(work, { lock }))
        else await transaction(ctx.db, work, { lock })
      } catch (e) {
        const checked = { valid, ready }
        // a unique key does not say which rows others have added meanwhile
        const cause = isDuplicate(e)
          ? await checkAgain(ctx.db, input, spec, checked, stopped).then(
              () => e,
              (again) => again,
            )
          : e
        if (cause instanceof Outdated) return cause.verdict
        throw cause
      }
      if (isLarge)
        ctx
          .bulk(seal)
          .catch((err: unknown) => ctx.log.error({ err }, 'entries wait for the audit log'))
      return verdict
    })
    yield { verdict }
  } catch (e) {
    if (e instanceof Stopped) return
    const failure = toFailure(e)
    if (ERROR_STATUS[failure.code] >= 500)
      ctx.log.error({ err: e, request_id: meta.request_id }, 'import failed')
    // the answer has begun, so it is too late for a status
    yield { msg: failure.message }
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
    const parser = parse({
      bom: true,
      columns: (names: string[]) => names.map((name) => name.trim().toLowerCase()),
      info: true,
      skip_empty_lines: true,
      trim: true,
      max_record_size: 200_000,
    })
    const parsed: AsyncIterable<Parsed> = Readable.from(chunksOf(text)).compose(parser)
    for await (const { info, record } of parsed) {
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

/** The text in parts, with other requests in between. */
async function* chunksOf(text: string) {
  for (let at = 0; at < text.length; ) {
    const end = at + CHUNK
    // not between the halves of a character
    const isWhole = (text.charCodeAt(end) & 0xfc00) !== 0xdc00
    yield text.slice(at, isWhole ? end : end + 1)
    at = isWhole ? end : end + 1
    await setImmediate()
  }
}

const CSV_PROBLEMS: Record<string, string> = {
  CSV_RECORD_INCONSISTENT_COLUMNS: 'This row does not have one cell per column',
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: 'This row does not have one cell per column',
  CSV_QUOTE_NOT_CLOSED: 'A quote is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'A quote closes in the middle of a cell',
  INVALID_OPENING_QUOTE: 'A quote opens in the middle of a cell',
  CSV_MAX_RECORD_SIZE: 'This row is too long',
}

/** Checks all rows, with a verdict as if they were imported. Changes nothing. */
async function checkAll<T, R extends object>(
  { ctx, scope, body }: HandlerInput,
  spec: ImportSpec<T, R>,
  report: (progress: ImportProgress) => void,
  stopped: () => boolean,
): Promise<{ verdict: ImportVerdict; valid: Row<T>[]; ready: R[] }> {
  const { lines, problem } = await readFile(body, spec)
  const rows = lines.length
  const problems = problemList()
  if (problem) problems.add(problem)
  else if (rows === 0) problems.add({ line: 1, message: 'This file has no rows' })
  const valid: Row<T>[] = []
  const ready: R[] = []
  for (let done = 0; done < rows; done += BATCH) {
    if (stopped()) throw new Stopped()
    const batch: Row<T>[] = []
    for (const { line, cells } of lines.slice(done, done + BATCH)) {
      const checked = check(cells, spec.row)
      if ('row' in checked) batch.push({ line, row: checked.row })
      else problems.add({ line, ...checked })
    }
    const resolved = batch.length > 0 ? await spec.resolve(ctx.db, batch) : []
    resolved.forEach((r, i) => {
      if ('ready' in r) {
        valid.push(batch[i]!)
        ready.push(r.ready)
      } else problems.add({ line: batch[i]!.line, ...r })
    })
    report({ done: Math.min(done + BATCH, rows), rows })
    // lets other requests run
    await setImmediate()
  }
  const verdict = problems.verdict(rows)
  if (verdict.bad_rows === 0 && spec.limited)
    await refuseOverLimit(ctx, ctx.db, scope, spec.limited, rows)
  return { verdict, valid, ready }
}

/** Throws when others have written something meanwhile that forbids these rows. */
async function checkAgain<T, R extends object>(
  tx: Db,
  { ctx, scope }: HandlerInput,
  spec: ImportSpec<T, R>,
  { valid, ready }: { valid: Row<T>[]; ready: R[] },
  stopped: () => boolean,
) {
  if (spec.limited) await refuseOverLimit(ctx, tx, scope, spec.limited, valid.length)
  const problems = problemList()
  const before = ready.values()
  for (const rows of batchesOf(valid)) {
    if (stopped()) throw new Stopped()
    const resolved = await spec.resolve(tx, rows)
    resolved.forEach((r, i) => {
      const { line } = rows[i]!
      const was = before.next().value!
      if (!('ready' in r)) problems.add({ line, ...r })
      else if (!refersToSame(spec.added(was), spec.added(r.ready)))
        problems.add({ line, message: 'A name in this row now stands for something else' })
    })
    await setImmediate()
  }
  if (!problems.isEmpty()) throw new Outdated(problems.verdict(valid.length))
}

const REFERENCES = ['account_sid', 'application_sid', 'service_provider_sid', 'voip_carrier_sid']

/** Whether two readings of a row refer to the same rows; its own sid is new each time. */
function refersToSame(a: Added, b: Added) {
  const of = ({ sid, subject }: Added, name: string): unknown => {
    const value: unknown = Reflect.get(subject, name)
    return value === sid ? 'itself' : value
  }
  return REFERENCES.every((name) => of(a, name) === of(b, name))
}

async function insertAll<T, R extends object>(
  tx: Db,
  spec: ImportSpec<T, R>,
  ready: R[],
  stopped: () => boolean,
) {
  let inserted = Promise.resolve()
  for (const rows of batchesOf(ready)) {
    if (stopped()) throw new Stopped()
    const before = inserted
    inserted = spec.insert(tx, rows)
    // until it is awaited
    inserted.catch(() => undefined)
    // the next are made ready while the database works
    await before
    await setImmediate()
  }
  await inserted
}

async function entriesOf<T, R extends object>(
  owners: ReturnType<typeof ownersIn>,
  spec: ImportSpec<T, R>,
  rows: R[],
) {
  const entries: Entry[] = []
  for (const row of rows) {
    const { sid, subject } = spec.added(row)
    entries.push((await entryOf(owners, spec.kind, sid, undefined, subject))!)
  }
  return entries
}

/** What is wrong with a file's rows; the first are shown. */
function problemList() {
  const shown: RowProblem[] = []
  let bad_rows = 0
  return {
    add(problem: RowProblem) {
      bad_rows += 1
      if (shown.length < MAX_SHOWN_PROBLEMS) shown.push(problem)
    },
    isEmpty: () => bad_rows === 0,
    verdict: (rows: number): ImportVerdict => ({
      rows,
      added: bad_rows > 0 ? 0 : rows,
      problems: shown.sort((a, b) => a.line - b.line),
      bad_rows,
    }),
  }
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
