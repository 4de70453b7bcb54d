import { type CarrierFacts, HEALTH_RULES } from '@switchroom/contract'
import { visible } from '../../carriers/voip-carriers/queries.ts'
import type { Row } from '../../carriers/voip-carriers/readable.ts'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import type { Owner } from '../../stores/calls/store.ts'

type Carrier = Pick<Row, 'name' | 'account_sid' | 'service_provider_sid'>
type OfCarrier = CarrierFacts['anomalies'][number] & { id: string }

/**
 * Among whose calls anomalies of a carrier are looked for: a caller's own, or its provider's, so that the carriers of a
 * list share one look. Undefined for one without a provider.
 */
export function lookOwner(
  scope: Scope,
  { service_provider_sid }: Pick<Carrier, 'service_provider_sid'>,
): Owner | undefined {
  if (scope.role === 'account') return { account_sid: scope.account_sid }
  return service_provider_sid ? { service_provider_sid } : undefined
}

/** Anomalies among an owner's calls, by carrier. A rise in calls is not trouble of a carrier. */
export async function anomaliesByTrunk(
  { stores, memory }: Pick<Context, 'stores' | 'memory'>,
  owner: Owner,
  now: number,
): Promise<Map<string, OfCarrier[]>> {
  const [finder, { sentenceOf }] = await Promise.all([
    memory.anomalies(),
    import('../../calls/call-anomalies/sentence.ts'),
  ])
  const { anomalies } = await finder.find(stores.calls, owner, now)
  const ofCarriers = anomalies
    .filter(({ kind, measure }) => kind === 'carrier' && measure !== 'more_calls')
    .map(
      (a): OfCarrier => ({
        id: a.id,
        state:
          a.measure === 'answered' && a.value < a.usual * HEALTH_RULES.failing_below
            ? 'failing'
            : 'degraded',
        direction: a.direction,
        since: new Date(a.since).toISOString(),
        sentence: sentenceOf(a, a.id),
      }),
    )
  return Map.groupBy(ofCarriers, ({ id }) => id)
}

/** Anomalies in the order of `carriers`. Records have only a name: none if several carriers of the owner have it. */
export async function anomaliesOf(
  ctx: Pick<Context, 'db' | 'stores' | 'memory'>,
  scope: Scope,
  carriers: readonly Carrier[],
  now: number,
): Promise<CarrierFacts['anomalies'][]> {
  const owners = carriers.map((carrier) => lookOwner(scope, carrier))
  const found = new Map<string, Map<string, OfCarrier[]>>()
  for (const owner of owners) {
    const key = JSON.stringify(owner)
    if (owner && !found.has(key)) found.set(key, await anomaliesByTrunk(ctx, owner, now))
  }
  const named = carriers.map(({ name }, i) => found.get(JSON.stringify(owners[i]))?.get(name) ?? [])
  const names = carriers.filter((_, i) => named[i]!.length > 0).map(({ name }) => name)
  if (names.length === 0) return named
  const namesakes = await ctx.db
    .selectFrom('voip_carriers')
    .select(['name', 'service_provider_sid'])
    .where('name', 'in', names)
    .where(visible(scope))
    .execute()
  return carriers.map(({ name, service_provider_sid }, i) => {
    const same = namesakes.filter(
      (c) =>
        c.name === name &&
        (c.service_provider_sid ?? service_provider_sid) === service_provider_sid,
    )
    return same.length === 1 ? named[i]! : []
  })
}
