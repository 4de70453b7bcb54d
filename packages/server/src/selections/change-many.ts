import { setImmediate } from 'node:timers/promises'
import { entryOf, ownersIn } from '../audit/audited.ts'
import { type Actor, type Entry, record } from '../audit/record.ts'
import { deferred, seal } from '../audit/seal.ts'
import { BATCH, batchesOf, LARGE } from '../db/batches.ts'
import type { Db } from '../db/open.ts'
import { transaction } from '../db/transaction.ts'
import type { Context } from '../http/context.ts'
import { type Reporting, Stopped } from '../http/progress.ts'
import { chosenBy, type Select, type Selectable, selectsMoreThan } from './chosen.ts'

/** The input of a handler whose endpoint tells its progress. */
export type ManyActor = Actor & { ctx: Context; reporting: Reporting }

/** A row before and after the change; `after` is undefined if it is deleted. */
export type Change<R, After extends R | undefined = R | undefined> = { before: R; after: After }

type Work<R, After extends R | undefined> = {
  /** Lock name, see `transaction`. */
  lock?: string
  /** The changes, without rows that stay unchanged. Throws if one of them is forbidden. */
  plan: (tx: Db, chosen: R[]) => Promise<Change<R, After>[]>
  /** Stores one batch of them. */
  store: (tx: Db, batch: Change<R, After>[]) => Promise<unknown>
}

/** The plan of a deletion that nothing forbids. */
export const deleteAll = async <R>(_: Db, chosen: R[]): Promise<Change<R, undefined>[]> =>
  chosen.map((before) => ({ before, after: undefined }))

/**
 * Changes or deletes a selection, all of it or nothing, in one transaction, with an audit entry for each row. Reports
 * the rows written, which count once this resolves.
 */
export async function changeMany<
  K extends `${string}_sids`,
  F,
  R extends object,
  After extends R | undefined,
>(
  { ctx, reporting: { report, stopped }, ...actor }: ManyActor,
  of: Selectable<K, F, R>,
  select: Select<K, F>,
  { lock, plan, store }: Work<R, After>,
): Promise<Change<R, After>[]> {
  const { scope } = actor
  const isLarge = await selectsMoreThan(ctx.db, scope, of, select, LARGE)
  const work = async (tx: Db) => {
    const changes = await plan(tx, await chosenBy(tx, scope, of, select))
    const owners = ownersIn(tx)
    const later = isLarge ? deferred(actor) : undefined
    const entries: Entry[] = []
    let done = 0
    for (const batch of batchesOf(changes)) {
      if (stopped()) throw new Stopped()
      await store(tx, batch)
      for (const { before, after } of batch) {
        const entry = await entryOf(owners, of.kind, of.sidOf(before), before, after)
        if (!entry) continue
        if (later) later.add(entry)
        else entries.push(entry)
      }
      done += batch.length
      if (changes.length > BATCH) report({ done, rows: changes.length })
      // lets the report out, and other requests in
      await setImmediate()
    }
    if (later) await later.store(tx)
    else await record(tx, actor, entries)
    return changes
  }
  if (!isLarge) return transaction(ctx.db, work, { lock })
  const changes = await ctx.bulk((transact) => transact(work, { lock }))
  ctx.bulk(seal).catch((err: unknown) => ctx.log.error({ err }, 'entries wait for the audit log'))
  return changes
}
