import {
  type api,
  lintRoutes,
  type RoutingOwner,
  type RoutingStep,
  simulateInbound,
  simulateOutbound,
} from '@switchroom/contract'
import type { Db } from '../../db/open.ts'
import { invalidField } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import * as serviceProviders from '../../tenants/service-providers/queries.ts'
import * as routing from './queries.ts'
import { regexTimeout } from './regex-timeout.ts'

type RequestedOwner = {
  account_sid?: string | undefined
  service_provider_sid?: string | undefined
}

async function ownerIn(db: Db, scope: Scope, requested: RequestedOwner): Promise<RoutingOwner> {
  if (requested.account_sid) return accounts.owned(db, scope, requested.account_sid)
  const sid = requested.service_provider_sid!
  if (scope.role === 'account' || !(await serviceProviders.find(db, scope, sid)))
    throw invalidField('service_provider_sid', 'No such service provider')
  return { account_sid: null, service_provider_sid: sid }
}

const AMBIGUOUS: RoutingStep = {
  kind: 'set',
  result: 'warned',
  reason:
    'Both the account and its provider have a routing table. The platform uses whichever it finds first, most likely the one shown here.',
}

export const routeSimulationRoutes: Handlers<typeof api.routeSimulations> = {
  async outbound({ body: { number, lcr, ...requested }, scope, ctx: { db } }) {
    const owner = await ownerIn(db, scope, requested)
    const sets = lcr ? [] : await routing.setsOf(db, owner)
    const [set] = sets
    const routes = lcr?.routes ?? (set && (await routing.routesOf(db, set.lcr_sid)))
    const named = (routes ?? []).flatMap((r) =>
      r.lcr_carrier_set_entries.map((e) => e.voip_carrier_sid),
    )
    const carriers = await routing.carriersFor(db, scope, owner, named)
    // an account may not read its provider's routes, but may see where its own call goes
    const readable = lcr !== undefined || scope.role !== 'account' || set?.account_sid != null
    const { steps, outcome } = number
      ? simulateOutbound({ number, owner, routes, carriers }, regexTimeout())
      : { steps: [], outcome: 'none' as const }
    const shown = readable
      ? steps
      : steps.filter((s) => s.kind !== 'route' || s.result !== 'passed')
    return {
      outcome,
      steps: sets.length > 1 && number ? [AMBIGUOUS, ...shown] : shown,
      lcr_sid: (readable && set?.lcr_sid) || null,
      findings: routes && readable ? lintRoutes({ routes, carriers, owner }) : [],
    }
  },

  async inbound({ body: { account_sid, source, number }, scope, ctx: { db } }) {
    const owner = account_sid ? await accounts.owned(db, scope, account_sid) : undefined
    const carriers = await routing.carriersNear(db, scope, source, owner)
    const numbers = await routing.numbersLike(
      db,
      scope,
      carriers.map((c) => c.voip_carrier_sid),
      number.replace(/^\+/, ''),
    )
    const callRoutes = await routing.callRoutesOf(db, [
      ...new Set(numbers.flatMap((n) => n.account_sid ?? [])),
    ])
    const applications = await routing.applicationNames(db, scope, [
      ...new Set(
        [...carriers, ...numbers, ...callRoutes].flatMap(({ application_sid }) =>
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
        numbers,
        callRoutes,
        applications,
      },
      regexTimeout(),
    )
    return { outcome, steps }
  },
}
