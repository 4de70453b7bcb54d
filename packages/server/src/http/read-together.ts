import type { Db } from '../db/open.ts'
import type { Scope } from './scope.ts'

/** Most things that one statement reads. */
const MOST = 32

type Ctx = { db: Db }
type Batch<Thing> = { sids: string[]; things: Promise<(sid: string) => Thing | undefined> }

/** Sids as both databases compare them. */
const comparable = (sid: string) => sid.toLowerCase()

/** Callers who see the same. */
const whose = (scope: Scope) =>
  scope.role === 'account'
    ? `account ${scope.account_sid} ${scope.service_provider_sid}`
    : scope.role === 'service_provider'
      ? `provider ${scope.service_provider_sid}`
      : scope.role

/**
 * Single reads of a kind of thing, as one statement for those that callers of one scope ask for in the same turn of the
 * event loop: sending a statement costs more than another row. Each read begins after all that share it were asked for.
 */
export function readTogether<C extends Ctx, Thing extends object>(
  read: (ctx: C, scope: Scope, sids: readonly string[]) => Promise<Thing[]>,
  sidOf: (thing: Thing) => string,
) {
  const gathering = new WeakMap<Db, Map<string, Batch<Thing>>>()

  function begin(ctx: C, scope: Scope, batches: Map<string, Batch<Thing>>): Batch<Thing> {
    const key = whose(scope)
    const sids: string[] = []
    const run = async () => {
      await new Promise((resolve) => setImmediate(resolve))
      if (batches.get(key) === batch) batches.delete(key)
      const found = await read(ctx, scope, padded(sids))
      const bySid = new Map(found.map((thing) => [comparable(sidOf(thing)), thing]))
      return (sid: string) => bySid.get(comparable(sid))
    }
    const batch: Batch<Thing> = { sids, things: run() }
    batches.set(key, batch)
    return batch
  }

  return async (ctx: C, scope: Scope, sid: string): Promise<Thing | undefined> => {
    // a transaction sees what others do not
    if (ctx.db.isTransaction) return (await read(ctx, scope, [sid]))[0]
    const batches = gathering.get(ctx.db) ?? new Map<string, Batch<Thing>>()
    gathering.set(ctx.db, batches)
    const open = batches.get(whose(scope))
    const batch = open && open.sids.length < MOST ? open : begin(ctx, scope, batches)
    if (!batch.sids.includes(sid)) batch.sids.push(sid)
    return (await batch.things)(sid)
  }
}

/** To a power of two, by repeating one, so that the databases meet few different statements. */
function padded(sids: readonly string[]) {
  const length = 2 ** Math.ceil(Math.log2(sids.length))
  return [...sids, ...Array<string>(length - sids.length).fill(sids[0]!)]
}
