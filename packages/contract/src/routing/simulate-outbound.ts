import { listText, plural, t } from '../wire/text.ts'
import {
  certainty,
  gatewayAddress,
  type MatchRegex,
  matchRegex,
  type Route,
  type RoutingCarrier,
  type RoutingOwner,
  type RoutingStep,
} from './routing.ts'
import { walkRoutes } from './walk-routes.ts'

/**
 * How the feature server may name a carrier before the SBC is asked: by the trunk of the application, or, where there is
 * no routing table, by the caller's number. `voip_carrier_sid`: undefined if there is no such trunk or number, null if the
 * number has no carrier.
 */
export type Naming = {
  by: 'trunk' | 'caller'
  text: string
  voip_carrier_sid: string | null | undefined
}

export type Outbound = {
  number: string
  owner: RoutingOwner
  /** Undefined if neither the account nor its provider has a routing table. */
  routes: Route[] | undefined
  carriers: RoutingCarrier[]
  naming?: Naming | undefined
  /** The carrier that a forwarded call came in on. */
  inbound_carrier_sid?: string | undefined
  /** Gateways that did not answer the SBC's last OPTIONS, which leaves them out. */
  avoided?: ReadonlySet<string> | undefined
}
export type OutboundResult = {
  steps: RoutingStep[]
  /** `random`: the platform picks one of the carriers at random. */
  outcome: 'routed' | 'random' | 'failed'
  /** The index of the route in the input. */
  route: number | null
  carriers: string[]
  gateways: string[]
}

/** An outbound call to a number. */
export function simulateOutbound(call: Outbound, matches: MatchRegex = matchRegex): OutboundResult {
  const steps: RoutingStep[] = []
  const named = namedCarrier(call, steps)
  if (named) return goThrough(call, steps, named, null)
  const { match, hangs } = walkRoutes(call, steps, matches)
  if (hangs) return { steps, outcome: 'failed', route: null, carriers: [], gateways: [] }
  if (match) return goThrough(call, steps, match.entry.voip_carrier_sid, match.route)
  const own = carrierItCameInOn(call, steps)
  return own ? goThrough(call, steps, own, null) : pickRandomCarrier(call, steps)
}

/** The carrier that the feature server names, if it names one: it is taken, whatever the routing table says. */
function namedCarrier({ naming, routes }: Outbound, steps: RoutingStep[]) {
  if (!naming) return undefined
  const { by, text, voip_carrier_sid } = naming
  const note = (result: RoutingStep['result'], reason: string) =>
    steps.push({ kind: 'carrier', result, reason, program: 'feature-server' })
  if (by === 'caller' && routes)
    note('passed', t('The caller’s number is not looked up, because there is a routing table.'))
  else if (by === 'caller' && voip_carrier_sid)
    note(
      'taken',
      t('The caller’s number {number} has a carrier, which is named.', { number: text }),
    )
  else if (by === 'caller')
    note('passed', t('The caller’s number {number} names no carrier.', { number: text }))
  else if (voip_carrier_sid) note('taken', t('The application names trunk {name}.', { name: text }))
  else
    note(
      'warned',
      t('There is no trunk {name}, so none is named and the call goes on without.', { name: text }),
    )
  return by === 'caller' && routes ? undefined : voip_carrier_sid
}

/** Asked when no route matches. */
function carrierItCameInOn(
  { inbound_carrier_sid, carriers }: Outbound,
  steps: RoutingStep[],
): string | undefined {
  if (!inbound_carrier_sid) return undefined
  const carrier = carriers.find((c) => c.voip_carrier_sid === inbound_carrier_sid)
  const name = carrier?.name ?? ''
  if (!carrier?.sip_gateways.some((g) => g.outbound)) {
    const reason = t('The call came in on {name}, which has no outbound gateway.', { name })
    steps.push({ kind: 'carrier', result: 'passed', reason })
    return undefined
  }
  const reason = t('The call came in on {name}, so it goes out there as well.', { name })
  steps.push({ kind: 'carrier', result: 'taken', reason })
  return inbound_carrier_sid
}

function goThrough(
  call: Outbound,
  steps: RoutingStep[],
  voip_carrier_sid: string,
  route: number | null,
): OutboundResult {
  const carrier = call.carriers.find((c) => c.voip_carrier_sid === voip_carrier_sid)
  const routed = { steps, route, carriers: [voip_carrier_sid] }
  if (!carrier) {
    steps.push({
      kind: 'carrier',
      result: 'warned',
      reason: t('The call goes to a carrier that you do not have access to.'),
    })
    return { ...routed, outcome: 'routed', gateways: [] }
  }
  const { name } = carrier
  steps.push(
    carrier.is_active
      ? {
          kind: 'carrier',
          result: 'taken',
          reason: t('The call goes to carrier {name}.', { name }),
        }
      : {
          kind: 'carrier',
          result: 'warned',
          reason: t(
            'The call goes to carrier {name}, although it is inactive. Routes ignore that.',
            { name },
          ),
        },
  )
  const gateways = gatewaysOf(carrier, call, steps)
  if (gateways.length === 0) {
    steps.push({
      kind: 'outcome',
      result: 'failed',
      reason: carrier.sip_gateways.some((g) => g.outbound)
        ? t('The call fails with 603: no gateway of carrier {name} is left.', { name })
        : t(
            'The call fails: carrier {name} has no outbound gateway, and no other carrier is tried.',
            { name },
          ),
    })
    return { ...routed, outcome: 'failed', gateways }
  }
  steps.push({
    kind: 'outcome',
    result: certainty(steps),
    reason: t('The call goes out through {name}.', { name }),
  })
  return { ...routed, outcome: 'routed', gateways }
}

/** Unlike a route, the random choice considers only active carriers with an active outbound gateway. */
function pickRandomCarrier(call: Outbound, steps: RoutingStep[]): OutboundResult {
  const { owner, carriers } = call
  const usable = carriers.filter(
    (c) => c.is_active && c.sip_gateways.some((g) => g.is_active && g.outbound),
  )
  const own = usable.filter((c) => owner.account_sid && c.account_sid === owner.account_sid)
  const shared = usable.filter(
    (c) => !c.account_sid && c.service_provider_sid === owner.service_provider_sid,
  )
  const candidates = own.length > 0 ? own : shared
  const result = {
    steps,
    route: null,
    carriers: candidates.map((c) => c.voip_carrier_sid),
  }
  if (candidates.length === 0) {
    steps.push({
      kind: 'outcome',
      result: 'failed',
      reason: t(
        'The call fails with 603. Neither the account nor its provider has an active carrier with an active outbound gateway.',
      ),
    })
    return { ...result, outcome: 'failed', gateways: [] }
  }
  steps.push({
    kind: 'carrier',
    result: candidates.length > 1 ? 'warned' : 'taken',
    reason:
      own.length > 0
        ? plural(
            own.length,
            'The only usable one of the account’s carriers is picked.|One of the account’s {n} usable carriers is picked at random for each call.',
          )
        : plural(
            shared.length,
            'The only usable one of the provider’s carriers is picked.|One of the provider’s {n} usable carriers is picked at random for each call.',
          ),
  })
  const gateways = candidates.flatMap((carrier) => gatewaysOf(carrier, call, steps))
  if (gateways.length === 0) {
    const reason = t('The call fails with 603: no gateway is left.')
    steps.push({ kind: 'outcome', result: 'failed', reason })
    return { ...result, outcome: 'failed', gateways }
  }
  steps.push({
    kind: 'outcome',
    result: candidates.length > 1 ? 'warned' : 'taken',
    reason: t(
      'The call goes out through {carriers}. A call that came in through a carrier goes out through the same carrier if possible.',
      {
        carriers: listText(
          candidates.map((c) => c.name),
          'disjunction',
        ),
      },
    ),
  })
  return { ...result, outcome: 'random', gateways }
}

function gatewaysOf(
  { name, sip_gateways }: RoutingCarrier,
  { avoided }: Outbound,
  steps: RoutingStep[],
) {
  const gateways = sip_gateways.filter((g) => g.outbound)
  const tried: string[] = []
  for (const gateway of gateways) {
    const at = { name, address: gatewayAddress(gateway) }
    const isAvoided = avoided?.has(gateway.sip_gateway_sid)
    if (!isAvoided) tried.push(gateway.sip_gateway_sid)
    steps.push({
      kind: 'gateway',
      ...(isAvoided
        ? {
            result: 'warned',
            reason: t(
              '{name}: gateway {address} is left out for minutes, because it did not answer OPTIONS.',
              at,
            ),
          }
        : gateway.is_active
          ? { result: 'taken', reason: t('{name}: gateway {address} is tried.', at) }
          : {
              result: 'warned',
              reason: t('{name}: gateway {address} is tried although it is inactive.', at),
            }),
    })
  }
  return tried
}
