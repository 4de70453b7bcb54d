import { type CarrierSelection, type Flag, plural, savedIssues, t } from '@switchroom/contract'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import { changeMany, deleteAll, type ManyActor } from '../../selections/change-many.ts'
import { chosenBy, refuse, type Selectable } from '../../selections/chosen.ts'
import * as carriers from './queries.ts'
import { refuseToAccounts } from './reserved.ts'
import * as carrierUses from './uses.ts'
import * as carrierViews from './view.ts'

type Carrier = carrierViews.VoipCarrierWhole

export const selectable = ({
  schemaHas,
}: Pick<Context, 'schemaHas'>): Selectable<'voip_carrier_sids', carriers.Filters, Carrier> => ({
  kind: 'voip_carrier',
  what: t('carriers'),
  sids: 'voip_carrier_sids',
  sidOf: (c) => c.voip_carrier_sid,
  nameOf: (c) => c.name,
  findAll: (db, scope, sids) => carrierViews.viewAll(db, schemaHas, scope, sids),
  matching: (db, scope, filters, most) =>
    carriers.sidsMatching(db, schemaHas, scope, filters, most),
})

const sidsOf = (some: Carrier[]) => some.map((c) => c.voip_carrier_sid)

/**
 * Refuses shared carriers, which accounts see in their list but may not change. Called first, so that nothing else is
 * revealed about them.
 */
const refuseShared = (ctx: Context, scope: Scope, chosen: Carrier[]) =>
  refuse(
    selectable(ctx),
    chosen.filter((c) => carriers.isShared(scope, c)),
    chosen,
    {
      cannot: (counts) =>
        t('Nothing was changed: {bad} of {all} carriers belong to your service provider', counts),
      message: t('Only your service provider can change this carrier'),
    },
  )

/** Activates or deactivates carriers, all of them or none. Resolves to how many this has changed. */
export async function updateMany(
  actor: ManyActor,
  select: CarrierSelection,
  { is_active }: { is_active: Flag },
) {
  const { ctx, scope } = actor
  refuseToAccounts(ctx, scope)
  const changes = await changeMany(actor, selectable(ctx), select, {
    plan: async (_, chosen) => {
      refuseShared(ctx, scope, chosen)
      const changed = chosen.filter((c) => c.is_active !== is_active)
      refuse(selectable(ctx), changed.filter(isIncomplete), chosen, {
        cannot: (counts) =>
          t('Nothing was changed: {bad} of {all} carriers are incomplete', counts),
        message: (c) => savedIssues(withoutGateways(c))[0]!.message,
      })
      return changed.map((before) => ({ before, after: { ...before, is_active } }))
    },
    store: (tx, batch) =>
      carriers.updateAll(tx, scope, sidsOf(batch.map(({ before }) => before)), { is_active }),
  })
  return { changed: changes.length }
}

/** A change of one carrier that leaves out its gateways is checked without them as well. */
const withoutGateways = ({ sip_gateways: _, smpp_gateways: __, ...carrier }: Carrier) => carrier
const isIncomplete = (c: Carrier) => savedIssues(withoutGateways(c)).length > 0

/** Number of chosen carriers, and how many of those that the caller may delete are in use. */
export async function usesOfMany(
  { ctx, scope }: { ctx: Context; scope: Scope },
  select: CarrierSelection,
) {
  const chosen = await chosenBy(ctx.db, scope, selectable(ctx), select)
  const own = chosen.filter((c) => !carriers.isShared(scope, c))
  return {
    carriers: chosen.length,
    in_use: (await carrierUses.countUses(ctx.db, sidsOf(own))).size,
  }
}

/** Deletes carriers that nothing uses, all of them or none. Resolves to how many. */
export async function removeMany(actor: ManyActor, select: CarrierSelection) {
  const { ctx, scope } = actor
  refuseToAccounts(ctx, scope)
  const changes = await changeMany(actor, selectable(ctx), select, {
    plan: async (tx, chosen) => {
      refuseShared(ctx, scope, chosen)
      await refuseUsed(tx, ctx, chosen)
      return deleteAll(tx, chosen)
    },
    store: (tx, batch) =>
      carriers.removeAll(tx, ctx.schemaHas, scope, sidsOf(batch.map(({ before }) => before))),
  })
  return { deleted: changes.length }
}

async function refuseUsed(tx: Db, ctx: Context, chosen: Carrier[]) {
  const uses = await carrierUses.countUses(tx, sidsOf(chosen))
  refuse(
    selectable(ctx),
    chosen.filter((c) => uses.has(c.voip_carrier_sid)),
    chosen,
    {
      cannot: (counts) => t('Nothing was changed: {bad} of {all} carriers are in use', counts),
      message: (c) => {
        const { numbers, routes } = uses.get(c.voip_carrier_sid)!
        if (routes === 0) return plural(numbers, 'Used by 1 phone number|Used by {n} phone numbers')
        if (numbers === 0)
          return plural(routes, 'Used by 1 outbound route|Used by {n} outbound routes')
        return t('Used by {numbers} and {routes}', {
          numbers: plural(numbers, '1 phone number|{n} phone numbers'),
          routes: plural(routes, '1 outbound route|{n} outbound routes'),
        })
      },
    },
  )
}
