import {
  type api,
  lintRoutes,
  type Naming,
  type RoutingCarrier,
  type RoutingOwner,
  type RoutingStep,
  simulateInbound,
  simulateOutbound,
  t,
} from '@switchroom/contract'
import * as voipCarriers from '../../carriers/voip-carriers/queries.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { invalidField } from '../../http/failure.ts'
import type { Handlers } from '../../http/serve.ts'
import { StateUnreachable } from '../../live/state.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import * as carrierRows from './carrier-queries.ts'
import { draftOf, ownerIn } from './drafts.ts'
import * as routing from './queries.ts'
import { regexTimeout } from './regex-timeout.ts'

// imported late, as it is large and seldom used
const loadReplay = () => import('./replay.ts')

const AMBIGUOUS: RoutingStep = {
  kind: 'set',
  result: 'warned',
  reason: t(
    'Both the account and its provider have a routing table. The platform uses whichever it finds first, most likely the one shown here.',
  ),
}

/** Names of a carrier for the feature server, before the SBC looks at the routing table. */
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
      voip_carrier_sid: await carrierRows.carrierNamed(db, owner, trunk),
    }
  if (!from) return undefined
  const voip_carrier_sid = hasTable ? undefined : await carrierRows.carrierOfCaller(db, owner, from)
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
    const carriers = await carrierRows.carriersFor(db, scope, owner, named)
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
    const carriers = await carrierRows.carriersNear(db, scope, source, owner)
    const trunks = owner ? await carrierRows.authTrunks(db, scope, owner) : []
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
