import {
  type api,
  type CarrierSelection,
  REPLAYED_CARRIERS_MAX,
  type Received,
  type RoutingOwner,
  t,
} from '@switchroom/contract'
import * as carrierGateways from '../../carriers/voip-carriers/gateway-queries.ts'
import { selectable } from '../../carriers/voip-carriers/many.ts'
import * as voipCarriers from '../../carriers/voip-carriers/queries.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { Failure, found, invalid, invalidField } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import { chosenBy, selectsMoreThan } from '../../selections/chosen.ts'
import type { Owner } from '../../stores/calls/store.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import * as serviceProviders from '../../tenants/service-providers/queries.ts'
import * as tables from '../lcrs/queries.ts'
import { checkCarriers, ownerOf } from '../lcrs/tables.ts'
import type { Draft, TableOwner } from './replay-worlds.ts'

type ReplayBody = Parameters<Handlers<typeof api.routeSimulations>['replay']>[0]['body']

async function tableDraft(
  db: Db,
  scope: Scope,
  { lcr_sid, routes }: NonNullable<ReplayBody['lcr']>,
  requested: RequestedOwner,
): Promise<Draft> {
  const { NEW } = await import('./replay-worlds.ts')
  const stored = lcr_sid
    ? found(await tables.view(db, scope, lcr_sid), t('routing table'))
    : undefined
  const owner = stored ?? (await newOwner(db, scope, requested))
  await checkCarriers(
    db,
    scope,
    await ownerOf(db, scope, owner),
    routes.flatMap((r, i) =>
      r.lcr_carrier_set_entries.map((e, j) => ({
        path: ['lcr', 'routes', i, 'lcr_carrier_set_entries', j, 'voip_carrier_sid'],
        sid: e.voip_carrier_sid,
      })),
    ),
    stored?.routes,
  )
  const { account_sid, service_provider_sid } = owner
  return {
    owner: callsOf(scope, owner),
    table: { lcr_sid: lcr_sid ?? NEW, account_sid, service_provider_sid, routes },
  }
}

async function carrierDraft(
  db: Db,
  scope: Scope,
  { voip_carrier_sid, account_sid: given, ...draft }: NonNullable<ReplayBody['carrier']>,
  requested: RequestedOwner,
): Promise<Draft> {
  const { NEW } = await import('./replay-worlds.ts')
  const stored = voip_carrier_sid
    ? found(await voipCarriers.find(db, scope, voip_carrier_sid), t('carrier'))
    : undefined
  const account = given ? await accounts.owned(db, scope, given) : undefined
  const gateways = stored ? await carrierGateways.gateways(db, stored.voip_carrier_sid) : []
  const known = new Set(gateways.map((g) => g.sip_gateway_sid))
  for (const [i, { sip_gateway_sid: sid }] of draft.sip_gateways.entries())
    if (sid && !known.has(sid))
      throw invalid({
        path: ['carrier', 'sip_gateways', i, 'sip_gateway_sid'],
        message: t('invalid sip_gateway_sid'),
      })
  const was = stored ?? (await newOwner(db, scope, requested))
  const account_sid = given === undefined ? was.account_sid : given
  const service_provider_sid = was.service_provider_sid ?? account?.service_provider_sid ?? null
  const stays = account_sid === was.account_sid ? account_sid : null
  return {
    owner: callsOf(scope, { account_sid: stays, service_provider_sid }),
    carrier: {
      ...draft,
      voip_carrier_sid: voip_carrier_sid ?? NEW,
      account_sid,
      service_provider_sid,
    },
  }
}

async function deactivationDraft(
  ctx: Context,
  scope: Scope,
  select: CarrierSelection,
): Promise<Draft> {
  const of = selectable(ctx)
  if (await selectsMoreThan(ctx.db, scope, of, select, REPLAYED_CARRIERS_MAX))
    throw new Failure(
      'invalid',
      t('At most {REPLAYED_CARRIERS_MAX} carriers at once', { REPLAYED_CARRIERS_MAX }),
    )
  const chosen = await chosenBy(ctx.db, scope, of, select)
  const provider = 'service_provider_sid' in scope ? scope.service_provider_sid : null
  return {
    owner: callsOf(scope, {
      account_sid: onlyOne(chosen.map((c) => c.account_sid)),
      service_provider_sid: provider ?? onlyOne(chosen.map((c) => c.service_provider_sid)),
    }),
    deactivated: new Set(chosen.map((c) => c.voip_carrier_sid)),
  }
}

/** The change that a body describes: a table, a carrier, both, or which carriers are active. */
export async function draftOf(
  ctx: Context,
  scope: Scope,
  body: Received<typeof api.routeSimulations.replay>['body'],
): Promise<Draft> {
  const { db } = ctx
  if (body.deactivated) return deactivationDraft(ctx, scope, body.deactivated)
  const table = body.lcr && (await tableDraft(db, scope, body.lcr, body))
  const carrier = body.carrier && (await carrierDraft(db, scope, body.carrier, body))
  return table && carrier
    ? { ...table, ...carrier, owner: ownerOfBoth(table.owner, carrier.owner) }
    : (table ?? carrier)!
}

type RequestedOwner = {
  account_sid?: string | undefined
  service_provider_sid?: string | undefined
}

export async function ownerIn(
  db: Db,
  scope: Scope,
  requested: RequestedOwner,
): Promise<RoutingOwner> {
  if (requested.account_sid) return accounts.owned(db, scope, requested.account_sid)
  const sid = requested.service_provider_sid!
  if (scope.role === 'account' || !(await serviceProviders.find(db, scope, sid)))
    throw invalidField('service_provider_sid', t('No such service provider'))
  return { account_sid: null, service_provider_sid: sid }
}

/** Owner of the calls that a table or carrier concerns. Account users never see more than their account's. */
function callsOf(scope: Scope, { account_sid, service_provider_sid }: TableOwner): Owner {
  const account = scope.role === 'account' ? scope.account_sid : account_sid
  if (account) return { account_sid: account }
  return service_provider_sid ? { service_provider_sid } : {}
}

/** A table and a carrier that are changed together concern the calls of whichever owner has more. */
function ownerOfBoth(table: Owner, carrier: Owner): Owner {
  if (table.account_sid && carrier.account_sid && table.account_sid !== carrier.account_sid)
    throw invalidField('carrier', t('The routing table belongs to another account'))
  return table.account_sid ? carrier : table
}

/** The sid that all of them have, or null if they differ. */
const onlyOne = (sids: (string | null)[]) =>
  sids.every((sid) => sid === sids[0]) ? (sids[0] ?? null) : null

/** The owner of a new table or carrier: an account or a provider. */
async function newOwner(db: Db, scope: Scope, requested: RequestedOwner): Promise<TableOwner> {
  const { account_sid, service_provider_sid } = await ownerIn(db, scope, requested)
  return { account_sid, service_provider_sid }
}
