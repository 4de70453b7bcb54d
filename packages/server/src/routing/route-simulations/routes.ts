import {
  type api,
  type CarrierSelection,
  lintRoutes,
  type Naming,
  REPLAYED_CARRIERS_MAX,
  type Received,
  type RoutingCarrier,
  type RoutingOwner,
  type RoutingStep,
  simulateInbound,
  simulateOutbound,
  t,
} from '@switchroom/contract'
import { selectable } from '../../carriers/voip-carriers/many.ts'
import * as voipCarriers from '../../carriers/voip-carriers/queries.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { Failure, found, invalid, invalidField } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import { StateUnreachable } from '../../live/state.ts'
import { chosenBy, selectsMoreThan } from '../../selections/chosen.ts'
import type { Owner } from '../../stores/calls/store.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import * as serviceProviders from '../../tenants/service-providers/queries.ts'
import * as tables from '../lcrs/queries.ts'
import { checkCarriers, ownerOf } from '../lcrs/tables.ts'
import * as routing from './queries.ts'
import { regexTimeout } from './regex-timeout.ts'
import type { Draft, TableOwner } from './replay.ts'

// late, as it is large and seldom used
const loadReplay = () => import('./replay.ts')

type RequestedOwner = {
  account_sid?: string | undefined
  service_provider_sid?: string | undefined
}

async function ownerIn(db: Db, scope: Scope, requested: RequestedOwner): Promise<RoutingOwner> {
  if (requested.account_sid) return accounts.owned(db, scope, requested.account_sid)
  const sid = requested.service_provider_sid!
  if (scope.role === 'account' || !(await serviceProviders.find(db, scope, sid)))
    throw invalidField('service_provider_sid', t('No such service provider'))
  return { account_sid: null, service_provider_sid: sid }
}

const AMBIGUOUS: RoutingStep = {
  kind: 'set',
  result: 'warned',
  reason: t(
    'Both the account and its provider have a routing table. The platform uses whichever it finds first, most likely the one shown here.',
  ),
}

/** Whose calls a table or carrier concerns. Account users never see more than their account's. */
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

type ReplayBody = Parameters<Handlers<typeof api.routeSimulations>['replay']>[0]['body']

async function tableDraft(
  db: Db,
  scope: Scope,
  { lcr_sid, routes }: NonNullable<ReplayBody['lcr']>,
  requested: RequestedOwner,
): Promise<Draft> {
  const { NEW } = await loadReplay()
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
  const { NEW } = await loadReplay()
  const stored = voip_carrier_sid
    ? found(await voipCarriers.find(db, scope, voip_carrier_sid), t('carrier'))
    : undefined
  const account = given ? await accounts.owned(db, scope, given) : undefined
  const gateways = stored ? await voipCarriers.gateways(db, stored.voip_carrier_sid) : []
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

/** What the body would change: a table, a carrier, both, or which carriers are active. */
async function draftOf(
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

/** How the feature server names a carrier, before the SBC looks at the routing table. */
async function namingOf(
  db: Db,
  owner: RoutingOwner,
  { trunk, from }: { trunk?: string | undefined; from?: string | undefined },
  hasTable: boolean,
): Promise<Naming | undefined> {
  if (trunk)
    return {
      by: 'trunk',
      text: trunk,
      voip_carrier_sid: await routing.carrierNamed(db, owner, trunk),
    }
  if (!from) return undefined
  const voip_carrier_sid = hasTable ? undefined : await routing.carrierOfCaller(db, owner, from)
  return { by: 'caller', text: from, voip_carrier_sid }
}

/** The gateways that the SBCs leave out now: none without Redis, undefined if that does not answer. */
async function avoidedOf({ state }: Context, carriers: RoutingCarrier[]) {
  const sids = carriers.flatMap((c) => c.sip_gateways.map((g) => g.sip_gateway_sid))
  try {
    return await state.avoidedGateways(sids)
  } catch (e) {
    if (e instanceof StateUnreachable) return undefined
    throw e
  }
}

const AVOIDED_UNKNOWN: RoutingStep = {
  kind: 'gateway',
  result: 'warned',
  reason: t('Redis does not answer, so it is not known which gateways are left out.'),
}

/** What all of these are, if they are all the same. */
const onlyOne = (sids: (string | null)[]) =>
  sids.every((sid) => sid === sids[0]) ? (sids[0] ?? null) : null

/** The owner of a new table or carrier: an account or a provider. */
async function newOwner(db: Db, scope: Scope, requested: RequestedOwner): Promise<TableOwner> {
  const { account_sid, service_provider_sid } = await ownerIn(db, scope, requested)
  return { account_sid, service_provider_sid }
}

export const routeSimulationRoutes: Handlers<typeof api.routeSimulations> = {
  async outbound({ body, scope, ctx }) {
    const { db } = ctx
    const { number, lcr, inbound_carrier_sid, ...requested } = body
    const owner = await ownerIn(db, scope, requested)
    if (inbound_carrier_sid && !(await voipCarriers.find(db, scope, inbound_carrier_sid)))
      throw invalidField('inbound_carrier_sid', t('No such carrier'))
    const sets = lcr ? [] : await routing.setsOf(db, owner)
    const [set] = sets
    const routes = lcr?.routes ?? (set && (await routing.routesOf(db, set.lcr_sid)))
    const naming = number ? await namingOf(db, owner, requested, routes !== undefined) : undefined
    const named = [
      ...(routes ?? []).flatMap((r) => r.lcr_carrier_set_entries.map((e) => e.voip_carrier_sid)),
      ...[naming?.voip_carrier_sid, inbound_carrier_sid].filter((sid) => typeof sid === 'string'),
    ]
    const carriers = await routing.carriersFor(db, scope, owner, named)
    // an account may not read its provider's routes, but may see where its own call goes
    const readable = lcr !== undefined || scope.role !== 'account' || set?.account_sid != null
    const avoided = number ? await avoidedOf(ctx, carriers) : undefined
    const { steps, outcome } = number
      ? simulateOutbound(
          {
            number,
            owner,
            routes,
            carriers,
            naming,
            inbound_carrier_sid,
            avoided,
          },
          regexTimeout(),
        )
      : { steps: [], outcome: 'none' as const }
    const shown = readable
      ? steps
      : steps.filter((s) => s.kind !== 'route' || s.result !== 'passed')
    return {
      outcome,
      steps: [
        ...(sets.length > 1 && number ? [AMBIGUOUS] : []),
        ...(number && !avoided ? [AVOIDED_UNKNOWN] : []),
        ...shown,
      ].map((step) => ({ program: 'outbound-sbc' as const, ...step })),
      lcr_sid: (readable && set?.lcr_sid) || null,
      findings: routes && readable ? lintRoutes({ routes, carriers, owner }) : [],
    }
  },

  async inbound({ body: { account_sid, source, number, username }, scope, ctx: { db } }) {
    const owner = account_sid ? await accounts.owned(db, scope, account_sid) : undefined
    const carriers = await routing.carriersNear(db, scope, source, owner)
    const trunks = owner ? await routing.authTrunks(db, scope, owner) : []
    const numbers = await routing.numbersLike(
      db,
      scope,
      [...carriers, ...trunks].map((c) => c.voip_carrier_sid),
      number.replace(/^\+/, ''),
    )
    const callRoutes = await routing.callRoutesOf(db, [
      ...new Set(numbers.flatMap((n) => n.account_sid ?? [])),
    ])
    const applications = await routing.applicationNames(db, scope, [
      ...new Set(
        [...carriers, ...trunks, ...numbers, ...callRoutes].flatMap(({ application_sid }) =>
          application_sid ? [application_sid] : [],
        ),
      ),
    ])
    const { outcome, steps } = simulateInbound(
      {
        source,
        number,
        account_sid: account_sid ?? null,
        carriers,
        username,
        trunks,
        numbers,
        callRoutes,
        applications,
      },
      regexTimeout(),
    )
    return { outcome, steps: steps.map((step) => ({ ...step, program: 'inbound-sbc' as const })) }
  },

  async replay({ body, scope, ctx }) {
    const { db, stores } = ctx
    const { replay } = await loadReplay()
    const avoided = (carriers: RoutingCarrier[]) => avoidedOf(ctx, carriers)
    return replay({ db, calls: stores.calls, avoided }, scope, await draftOf(ctx, scope, body))
  },
}
