import { setImmediate } from 'node:timers/promises'
import { ERROR_STATUS, type ImportProgress, type ImportVerdict, t } from '@switchroom/contract'
import { auditedIn, entryOf, ownersIn } from '../audit/audited.ts'
import { type Entry, record } from '../audit/record.ts'
import { deferred, seal } from '../audit/seal.ts'
import { batchesOf, LARGE } from '../db/batches.ts'
import type { Stage } from '../db/bulk.ts'
import { type Db, isDuplicate } from '../db/open.ts'
import { transaction } from '../db/transaction.ts'
import { Failure, toFailure } from '../http/failure.ts'
import { progressOf, Stopped } from '../http/progress.ts'
import { hasEnded } from '../http/sessions.ts'
import { checkAll, finishAll, problemList, refuseTooMany } from './check.ts'
import type { Added, HandlerInput, ImportSpec, Row } from './spec.ts'

/** Thrown when rows are no longer valid: nothing is kept. */
class Outdated extends Error {
  readonly verdict: ImportVerdict

  constructor(verdict: ImportVerdict) {
    super(t('Someone else changed the data meanwhile'))
    this.verdict = verdict
  }
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
      const checked = { valid, ready }
      const work = async (tx: Db, stage?: Stage) => {
        if (await hasEnded(tx, scope))
          throw new Failure('unauthenticated', t('Your session has ended. Nothing was imported.'))
        await refuseTooMany(tx, input, spec, ready)
        await checkAgain(tx, spec, checked, stopped)
        await later?.store(tx)
        await (stage ? stage.insert(tx) : insertAll(tx, spec, ready, stopped))
        if (!later && !spec.partOf)
          await record(tx, input, await entriesOf(ownersIn(tx), spec, ready))
      }
      const { partOf } = spec
      const change = (tx: Db) => (partOf ? auditedIn(tx, input, partOf, () => work(tx)) : work(tx))
      const lock = spec.lock?.(ready)
      try {
        if (later && spec.inserted)
          await ctx.bulk(async (transact, stage) => {
            await later.stage(stage)
            await stageAll(stage, spec.inserted!, ready, stopped)
            await transact((tx) => work(tx, stage), { lock })
          })
        else if (isLarge) await ctx.bulk((transact) => transact((tx) => work(tx), { lock }))
        else await transaction(ctx.db, change, { lock })
      } catch (e) {
        // a unique key does not tell which rows others have added
        const cause = isDuplicate(e)
          ? await checkAgain(ctx.db, { ...spec, isUnique: undefined }, checked, stopped).then(
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

type Checks<T, R extends object> = Pick<ImportSpec<T, R>, 'added' | 'groupOf' | 'resolve'> & {
  isUnique?: ImportSpec<T, R>['isUnique'] | undefined
}

/** Throws if others have written something since that forbids these rows. */
async function checkAgain<T, R extends object>(
  tx: Db,
  spec: Checks<T, R>,
  { valid, ready }: { valid: Row<T>[]; ready: R[] },
  stopped: () => boolean,
) {
  const problems = problemList()
  const open = valid.flatMap((row, i) =>
    spec.isUnique?.(ready[i]!) ? [] : [{ row, was: ready[i]! }],
  )
  for (const rows of spec.groupOf ? [open] : batchesOf(open)) {
    if (stopped()) throw new Stopped()
    const resolved = await spec.resolve(
      tx,
      rows.map(({ row }) => row),
    )
    resolved.forEach((r, i) => {
      const { row, was } = rows[i]!
      const { line } = row
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

async function stageAll<R extends object>(
  stage: Stage,
  inserted: NonNullable<ImportSpec<unknown, R>['inserted']>,
  ready: R[],
  stopped: () => boolean,
) {
  for (const batch of batchesOf(ready)) {
    if (stopped()) throw new Stopped()
    for (const [table, rows] of inserted(batch)) await stage.add(table, rows)
    await setImmediate()
  }
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
