import { batchesOf } from '../../db/batches.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import { ownedBy } from '../../http/tenancy.ts'
import { noState, StateUnreachable } from '../../live/state.ts'
import { isCallOf, type TrunkFilter } from '../../stores/calls/store.ts'

/** Inbound calls in progress per trunk, in the order of `trunks`. Undefined if Redis cannot be reached. */
export async function callsNow(
  { db, state }: Pick<Context, 'db' | 'state'>,
  scope: Scope,
  trunks: readonly TrunkFilter[],
): Promise<number[] | undefined> {
  if (state === noState) return undefined
  const names = new Set(trunks.map(({ trunk }) => trunk))
  try {
    const { items } = await state.activeCalls()
    const calls = items.flatMap(({ account_sid, record: { originatingSipTrunkName: trunk } }) =>
      trunk !== undefined && names.has(trunk) ? { account_sid, trunk } : [],
    )
    const providers = await providersOf(db, scope, new Set(calls.map((c) => c.account_sid)))
    const counts = trunks.map(() => 0)
    for (const call of calls) {
      const service_provider_sid = providers.get(call.account_sid)
      if (service_provider_sid === undefined) continue
      for (const [i, trunk] of trunks.entries())
        if (isCallOf(trunk, { ...call, service_provider_sid })) counts[i]!++
    }
    return counts
  } catch (e) {
    if (e instanceof StateUnreachable) return undefined
    throw e
  }
}

/** The providers of these accounts, as far as the caller may see them. */
async function providersOf(db: Db, scope: Scope, sids: ReadonlySet<string>) {
  const found = new Map<string, string>()
  for (const batch of batchesOf([...sids]))
    for (const row of await db
      .selectFrom('accounts')
      .select(['account_sid', 'service_provider_sid'])
      .where('account_sid', 'in', batch)
      .where(ownedBy('accounts', scope))
      .execute())
      found.set(row.account_sid, row.service_provider_sid)
  return found
}
