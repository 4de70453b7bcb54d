import type { Db } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import type { TrunkFilter } from '../../stores/calls/store.ts'
import { visible } from '../voip-carriers/queries.ts'
import type { Row } from '../voip-carriers/readable.ts'

type Carrier = Pick<Row, 'name' | 'account_sid' | 'service_provider_sid'>

/**
 * Filters for the calls of carriers, in the order of `carriers`. Records have only a carrier's name: calls of an
 * account with a carrier of this name are that carrier's, then its provider's, then the ownerless one's. Always within
 * the caller's scope: an account sees its own calls through a shared carrier.
 */
export async function trunkFilters(
  db: Db,
  scope: Scope,
  carriers: readonly Carrier[],
): Promise<TrunkFilter[]> {
  const shared = carriers.filter((c) => !c.account_sid).map((c) => c.name)
  const named = shared.length > 0 ? await ownersOf(db, scope, shared) : []
  return carriers.map(({ name: trunk, account_sid, service_provider_sid }) => {
    if (account_sid) return { trunk, account_sid }
    const same = named.filter((c) => c.name === trunk)
    const owner =
      scope.role === 'account'
        ? { account_sid: scope.account_sid }
        : service_provider_sid
          ? { service_provider_sid }
          : {}
    const account_sids = same.flatMap((c) => c.account_sid ?? [])
    const service_provider_sids = service_provider_sid
      ? []
      : same.flatMap((c) => (c.account_sid ? [] : (c.service_provider_sid ?? [])))
    return { trunk, ...owner, except: { account_sids, service_provider_sids } }
  })
}

const ownersOf = (db: Db, scope: Scope, names: readonly string[]) =>
  db
    .selectFrom('voip_carriers')
    .select(['name', 'account_sid', 'service_provider_sid'])
    .where('name', 'in', names)
    .where((eb) =>
      eb.or([eb('account_sid', 'is not', null), eb('service_provider_sid', 'is not', null)]),
    )
    .where(visible(scope))
    .distinct()
    .execute()
