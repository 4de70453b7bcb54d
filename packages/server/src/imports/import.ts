import { setImmediate } from 'node:timers/promises'
import {
  type AuditKind,
  CHANGED_BY_SPREADSHEET,
  type CsvFile,
  ERROR_STATUS,
  type ImportProgress,
  type ImportVerdict,
  keysOf,
  MAX_SHOWN_PROBLEMS,
  plainError,
  type RowProblem,
  t,
} from '@switchroom/contract'
import type { z } from 'zod'
import { type AuditSubject, auditedIn, entryOf, ownersIn } from '../audit/audited.ts'
import { type Actor, type Entry, record } from '../audit/record.ts'
import { deferred, seal } from '../audit/seal.ts'
import { BATCH, batchesOf, LARGE } from '../db/batches.ts'
import { type Db, isDuplicate } from '../db/open.ts'
import { transaction } from '../db/transaction.ts'
import type { Context } from '../http/context.ts'
import { fromCell } from '../http/csv.ts'
import { Failure, toFailure } from '../http/failure.ts'
import { type Limited, type Quota, refuseOverLimit, refuseOverQuota } from '../http/limits.ts'
import { progressOf, Stopped } from '../http/progress.ts'
import { hasEnded } from '../http/sessions.ts'
import { textIssues } from '../http/text.ts'
import type { File } from './file.ts'

export type Row<T> = { line: number; row: T }
/** A row ready for the database, or why it is invalid. */
export type Resolved<R> = { ready: R } | { column?: string; message: string }

type Added = { sid: string; subject: object }

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
  /** The inserted subject, as its single read shows it, with its sid; undefined for a row that only adds to another's. */
  added: (row: R) => Added | undefined
  /** The resource that the rows become part of: its change is the only entry in the audit log. Not for large files. */
  partOf?: AuditSubject<object>
}

/** Thrown when rows are no longer valid: nothing is kept. */
class Outdated extends Error {
  readonly verdict: ImportVerdict

  constructor(verdict: ImportVerdict) {
    super(t('Someone else changed the data meanwhile'))
    this.verdict = verdict
  }
}

type HandlerInput = Actor & {
  ctx: Context
  body: CsvFile
  query: { dry_run?: 0 | 1 | undefined; columns?: string[] | undefined }
}

/**
 * Imports all rows of a CSV file, or none. A dry run takes the same path and inserts nothing. Yields
 * progress, and the result last.
 */
export async function* importCsv<T, R extends object>(
  input: HandlerInput,
  spec: ImportSpec<T, R>,
): AsyncGenerator<ImportProgress> {
  const { ctx, meta, scope } = input
  try {
    // with the first import
    const { readFile } = await import('./file.ts')
    const file = await readFile(input.body, spec, input.query.columns)
    if (input.query.dry_run && file.read) yield { file: file.read }
    const verdict = yield* progressOf<ImportProgress, ImportVerdict>(async (report, stopped) => {
      const {
        verdict,
        valid,
        ready: unfinished,
      } = await checkAll(input, spec, file, { report, stopped })
      if (verdict.bad_rows > 0 || input.query.dry_run) return verdict
      const ready = await finishAll(spec, unfinished, report, stopped)
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
        if (await hasEnded(tx, scope))
          throw new Failure('unauthenticated', t('Your session has ended. Nothing was imported.'))
        await checkAgain(tx, input, spec, { valid, ready }, stopped)
        await later?.store(tx)
        await insertAll(tx, spec, ready, stopped)
        if (!later && !spec.partOf)
          await record(tx, input, await entriesOf(ownersIn(tx), spec, ready))
      }
      const { partOf } = spec
      const change = partOf ? (tx: Db) => auditedIn(tx, input, partOf, () => work(tx)) : work
      const lock = spec.lock?.(ready)
      try {
        if (isLarge) await ctx.bulk((transact) => transact(work, { lock }))
        else await transaction(ctx.db, change, { lock })
      } catch (e) {
        const checked = { valid, ready }
        // a unique key does not tell which rows others have added
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

/** Checks all rows, with a verdict as if they were imported. Changes nothing. */
async function checkAll<T, R extends object>(
  { ctx, scope }: HandlerInput,
  spec: ImportSpec<T, R>,
  { lines, problem }: File,
  { report, stopped }: { report: (progress: ImportProgress) => void; stopped: () => boolean },
): Promise<{ verdict: ImportVerdict; valid: Row<T>[]; ready: R[] }> {
  const rows = lines.length
  const problems = problemList()
  if (problem) problems.add(problem)
  else if (rows === 0) problems.add({ line: 1, message: t('This file has no rows') })
  const valid: Row<T>[] = []
  const ready: R[] = []
  async function resolve(batch: Row<T>[]) {
    const resolved = batch.length > 0 ? await spec.resolve(ctx.db, batch) : []
    resolved.forEach((r, i) => {
      if ('ready' in r) {
        valid.push(batch[i]!)
        ready.push(r.ready)
      } else problems.add({ line: batch[i]!.line, ...r })
    })
  }
  const grouped: { group: string; row: Row<T> }[] = []
  const badGroups = new Set<string>()
  for (let done = 0; done < rows; done += BATCH) {
    if (stopped()) throw new Stopped()
    const batch: Row<T>[] = []
    for (const { line, cells } of lines.slice(done, done + BATCH)) {
      const checked = check(cells, spec.row)
      const group = spec.groupOf?.(cells)
      if (!('row' in checked)) {
        problems.add({ line, ...checked })
        if (group !== undefined) badGroups.add(group)
      } else if (group === undefined) batch.push({ line, row: checked.row })
      else grouped.push({ group, row: { line, row: checked.row } })
    }
    await resolve(batch)
    report({ done: Math.min(done + BATCH, rows), rows })
    // lets other requests run
    await setImmediate()
  }
  // a group without a row would be invalid for that alone
  await resolve(grouped.flatMap(({ group, row }) => (badGroups.has(group) ? [] : [row])))
  const verdict = problems.verdict(rows)
  if (verdict.bad_rows === 0) await refuseTooMany(ctx.db, { ctx, scope }, spec, ready)
  return { verdict, valid, ready }
}

/** Throws when these rows would take an account over one of its limits, or its quota. */
async function refuseTooMany<T, R extends object>(
  db: Db,
  { ctx, scope }: Pick<HandlerInput, 'ctx' | 'scope'>,
  { limited, quota }: ImportSpec<T, R>,
  rows: R[],
) {
  const added = limited?.(rows) ?? {}
  for (const what of keysOf(added)) await refuseOverLimit(ctx, db, scope, what, added[what])
  if (quota) await refuseOverQuota(ctx, db, quota.table, rows.map(quota.accountOf))
}

/** Does the slow part, row by row. */
async function finishAll<T, R extends object>(
  { finish }: ImportSpec<T, R>,
  rows: R[],
  report: (progress: ImportProgress) => void,
  stopped: () => boolean,
) {
  if (!finish) return rows
  const finished: R[] = []
  for (const row of rows) {
    if (stopped()) throw new Stopped()
    finished.push(await finish(row))
    report({ done: finished.length, rows: rows.length })
  }
  return finished
}

/** Throws if others have written something since that forbids these rows. */
async function checkAgain<T, R extends object>(
  tx: Db,
  { ctx, scope }: HandlerInput,
  spec: ImportSpec<T, R>,
  { valid, ready }: { valid: Row<T>[]; ready: R[] },
  stopped: () => boolean,
) {
  await refuseTooMany(tx, { ctx, scope }, spec, ready)
  const problems = problemList()
  const before = ready.values()
  for (const rows of spec.groupOf ? [valid] : batchesOf(valid)) {
    if (stopped()) throw new Stopped()
    const resolved = await spec.resolve(tx, rows)
    resolved.forEach((r, i) => {
      const { line } = rows[i]!
      const was = before.next().value!
      if (!('ready' in r)) problems.add({ line, ...r })
      else if (!refersToSame(spec.added(was), spec.added(r.ready)))
        problems.add({ line, message: t('A name in this row now stands for something else') })
    })
    await setImmediate()
  }
  if (!problems.isEmpty()) throw new Outdated(problems.verdict(valid.length))
}

const REFERENCES = ['account_sid', 'application_sid', 'service_provider_sid', 'voip_carrier_sid']

/** True if two readings of a row refer to the same rows; its own sid is new each time. */
function refersToSame(a: Added | undefined, b: Added | undefined) {
  if (!a || !b) return a === b
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
    const added = spec.added(row)
    if (!added) continue
    entries.push((await entryOf(owners, spec.kind, added.sid, undefined, added.subject))!)
  }
  return entries
}

/** Collects the problems of a file's rows; the first are shown. */
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

/** A number of many digits as spreadsheets write it, with some digits lost: no name or password looks like that. */
const EXPONENT = /^\d(?:[.,]\d+)?E\+\d\d$/i

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
  const [changed] = Object.entries(values).find(([, text]) => EXPONENT.test(text)) ?? []
  if (changed) return { column: changed, message: CHANGED_BY_SPREADSHEET }
  const parsed = schema.safeParse(values, { error: plainError })
  if (parsed.success) return { row: parsed.data }
  const issue = parsed.error.issues[0]!
  return { column: String(issue.path[0] ?? ''), message: issue.message }
}
