import type { Flag } from '../wire/common.ts'
import { listText, plural, t } from '../wire/text.ts'

/**
 * Simulates how the platform's data layer and SBCs route a call, including their quirks.
 * `differential.test.ts` on the server compares it with the platform's own package.
 */

export type RouteEntry = { voip_carrier_sid: string; priority: number; workload: number }
export type Route = {
  regex: string
  priority: number
  description: string | null
  lcr_carrier_set_entries: RouteEntry[]
}
export type RoutingGateway = {
  sip_gateway_sid: string
  ipv4: string
  netmask: number
  port: number | null
  inbound: Flag
  outbound: Flag
  is_active: Flag
}
export type RoutingCarrier = {
  voip_carrier_sid: string
  name: string
  account_sid: string | null
  service_provider_sid: string | null
  application_sid: string | null
  is_active: Flag
  /** Ordered by sid, as the platform reads them. */
  sip_gateways: RoutingGateway[]
}
/** The owner of the call. A provider's own call has no account. */
export type RoutingOwner = { account_sid: string | null; service_provider_sid: string }

export const STEP_KINDS = [
  'set',
  'route',
  'carrier',
  'gateway',
  'number',
  'application',
  'outcome',
] as const
/** `taken`: the call goes this way. `passed`: it does not. `warned`: it does, but probably not as intended. */
export const STEP_RESULTS = ['taken', 'passed', 'warned', 'failed'] as const
/** Programs of the platform that decide the steps, in the order they run. */
export const STEP_PROGRAMS = ['feature-server', 'inbound-sbc', 'outbound-sbc'] as const
export type RoutingStep = {
  kind: (typeof STEP_KINDS)[number]
  result: (typeof STEP_RESULTS)[number]
  reason: string
  program?: (typeof STEP_PROGRAMS)[number] | undefined
  /** Set if a route does not match for the plus of the number alone. */
  because?: 'plus' | undefined
}

/** Thrown by `Matches` on timeout: the platform itself would hang. */
export class PatternTooSlow extends Error {
  override name = 'PatternTooSlow'
}
/** Tests a number against a regular expression. Throws if the expression is invalid. */
export type MatchRegex = (regex: string, number: string) => boolean
export const matchRegex: MatchRegex = (regex, number) => new RegExp(regex).test(number)

/** Length of the longest number that an API simulates. */
const LONGEST = 64

/**
 * An upper bound of the ways in which a pattern can be tried on a number of 64 characters before it fails: every choice
 * in it multiplies those before it, alternatives add up. Infinity if a group is repeated, whose ways have no such bound.
 */
export function waysToMatch(regex: string): number {
  // a class or escape is one character, and what opens a group does not matter
  const plain = regex
    .replace(/\\./g, 'a')
    .replace(/\[[^\]]*\]/g, 'a')
    .replace(/\(\?(?:<?[=!]|:|<\w+>)/g, '(')
  if (/\)[*+{]/.test(plain)) return Number.POSITIVE_INFINITY
  /** The open groups, outermost first: the sum of the alternatives before, and the product within the current one. */
  const open = [{ sum: 0, product: 1 }]
  for (const [token, from, comma, to] of plain.matchAll(/\{(\d+)(,?)(\d*)\}|[*+?]\??|./gs)) {
    const group = open.at(-1)!
    if (token === '(') open.push({ sum: 0, product: 1 })
    else if (token === ')' && open.length > 1) {
      open.pop()
      open.at(-1)!.product *= group.sum + group.product
    } else if (token === '|') {
      group.sum += group.product
      group.product = 1
    } else if (from !== undefined)
      group.product *= comma ? Math.max(1, Number(to || LONGEST) - Number(from) + 1) : 1
    else if (token.startsWith('?')) group.product *= 2
    else if (/^[*+]/.test(token)) group.product *= LONGEST
  }
  const ways = open.reduce((product, group) => product * (group.sum + group.product), 1)
  const isAnchored = plain.startsWith('^') && open[0]!.sum === 0
  return isAnchored ? ways : ways * LONGEST
}

/** True if a pattern may keep a processor busy for more than a tenth of a second for one number. */
export const mayBeSlow = (regex: string) => waysToMatch(regex) > 10_000_000

/** The route that the API writes for a table's default carrier. */
export const DEFAULT_ROUTE = { regex: '.*', priority: 9999 } as const

/** Ties go to the first one: the platform does not define an order. */
export const byPriority = <T extends { priority: number }>(things: T[]) =>
  things.toSorted((a, b) => a.priority - b.priority)

/** The platform compares the plain text first, so an invalid regular expression may match as well. */
export const routeMatches = ({ regex }: Route, number: string, matches: MatchRegex = matchRegex) =>
  number.startsWith(regex) || matches(regex, number)

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

const quoted = ({ regex, priority, description }: Route) =>
  description
    ? t('Route “{regex}” (priority {priority}, {description})', { regex, priority, description })
    : t('Route “{regex}” (priority {priority})', { regex, priority })

/** The result of an outcome: no more certain than the steps that lead to it. */
const certainty = (steps: RoutingStep[]) =>
  steps.some((step) => step.result === 'warned') ? 'warned' : 'taken'

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

/** The pattern that takes numbers with and without a plus; undefined if that is not plain. */
function withPlus({ regex }: Route, number: string, matches: MatchRegex): string | undefined {
  if (!regex.startsWith('^') || regex.includes('|')) return undefined
  const mended = `^\\+?${regex.slice(1)}`
  return matches(mended, number) ? mended : undefined
}

/** Says so where a route does not match for the plus of the number alone. */
function unmatchedReason(route: Route, number: string, matches: MatchRegex) {
  const name = quoted(route)
  const isForPlus = number.startsWith('+') && routeMatches(route, number.slice(1), matches)
  if (!isForPlus)
    return { result: 'passed', reason: t('{name} does not match.', { name }) } as const
  const pattern = withPlus(route, number, matches)
  return {
    result: 'warned',
    because: 'plus',
    reason: pattern
      ? t('{name} does not match because of the + of the number. {pattern} takes both.', {
          name,
          pattern,
        })
      : t('{name} does not match because of the + of the number.', { name }),
  } as const
}

type RouteMatch = { route: number; entry: RouteEntry }

function walkRoutes({ routes, number }: Outbound, steps: RoutingStep[], matches: MatchRegex) {
  const note = (
    kind: RoutingStep['kind'],
    result: RoutingStep['result'],
    reason: string,
  ): { match?: RouteMatch; hangs?: true } => {
    steps.push({ kind, result, reason })
    return {}
  }
  if (!routes) return note('set', 'passed', t('No outbound call routes apply to this account.'))
  if (routes.length === 0) return note('set', 'passed', t('The routing table has no routes.'))

  for (const route of byPriority(routes)) {
    const name = quoted(route)
    try {
      if (!routeMatches(route, number, matches)) {
        steps.push({ kind: 'route', ...unmatchedReason(route, number, matches) })
        continue
      }
    } catch (e) {
      if (e instanceof PatternTooSlow) {
        note('route', 'failed', t('{name} takes too long to match.', { name }))
        return { hangs: true as const }
      }
      return note(
        'route',
        'failed',
        t(
          '{name} is not a valid regular expression. The platform stops here and skips all routes after it.',
          { name },
        ),
      )
    }
    const [entry, ...others] = byPriority(route.lcr_carrier_set_entries)
    if (!entry) {
      note(
        'route',
        'warned',
        t('{name} matches but has no carrier, so the next route is tried.', { name }),
      )
      continue
    }
    const isDefault = route.priority === DEFAULT_ROUTE.priority
    note(
      'route',
      'taken',
      isDefault ? t('{name}, the default, matches.', { name }) : t('{name} matches.', { name }),
    )
    if (others.length > 0)
      note(
        'carrier',
        'passed',
        plural(
          others.length,
          'Only the first carrier of a route is used. The other one is never tried, whatever the workload setting.|Only the first carrier of a route is used. The other {n} are never tried, whatever the workload setting.',
        ),
      )
    return { match: { route: routes.indexOf(route), entry } }
  }
  return note('set', 'passed', t('No route matches the call.'))
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

const address = ({ ipv4, port, netmask }: RoutingGateway) =>
  `${ipv4}${netmask < 32 ? `/${netmask}` : ''}${port ? `:${port}` : ''}`

function gatewaysOf(
  { name, sip_gateways }: RoutingCarrier,
  { avoided }: Outbound,
  steps: RoutingStep[],
) {
  const gateways = sip_gateways.filter((g) => g.outbound)
  const tried: string[] = []
  for (const gateway of gateways) {
    const at = { name, address: address(gateway) }
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

export type RoutingNumber = {
  number: string
  voip_carrier_sid: string | null
  account_sid: string | null
  application_sid: string | null
}
/** An account's rule for numbers without an application. The platform reads these; no API writes them. */
export type CallRoute = {
  account_sid: string
  regex: string
  priority: number
  application_sid: string
}
export type Inbound = {
  source: string
  number: string
  /** The account whose SIP realm was called, if any. */
  account_sid: string | null
  carriers: RoutingCarrier[]
  /** The user that the call authenticates as, at the account's SIP realm. */
  username?: string | undefined
  /** Active trunks of the account and its provider that calls authenticate to, from any address. */
  trunks?: (RoutingCarrier & { username: string | null })[] | undefined
  numbers: RoutingNumber[]
  callRoutes: CallRoute[]
  /** Names of applications, where known. */
  applications: Record<string, string>
}
export type InboundResult = {
  steps: RoutingStep[]
  outcome: 'answered' | 'failed'
  carrier: string | null
  number: string | null
  application: string | null
}

/** True if a source address matches a gateway's address or range. */
export function isInGatewayRange({ ipv4, netmask }: RoutingGateway, source: string) {
  if (netmask >= 32) return ipv4 === source
  const [of, from] = [bits(ipv4), bits(source)]
  if (of === undefined || from === undefined) return false
  const size = 2 ** (32 - netmask)
  return Math.floor(of / size) === Math.floor(from / size)
}

function bits(ipv4: string) {
  const octets = ipv4.split('.').map(Number)
  return octets.length === 4 && octets.every((o) => o >= 0 && o <= 255)
    ? octets.reduce((sum, octet) => sum * 256 + octet, 0)
    : undefined
}

const isPattern = (number: string) => /\D/.test(number)

/** A trailing star stands for any digits; all other patterns are regular expressions. */
const numberMatches = (pattern: string, number: string, matches: MatchRegex) =>
  pattern.endsWith('*') && !isPattern(pattern.slice(0, -1))
    ? number.startsWith(pattern.slice(0, -1)) && !isPattern(number)
    : matches(pattern, number)

/** An inbound call from a carrier. */
export function simulateInbound(call: Inbound, matches: MatchRegex = matchRegex): InboundResult {
  const steps: RoutingStep[] = []
  const nothing = { steps, outcome: 'failed', number: null, application: null } as const
  const end = (reason: string) =>
    steps.push({
      kind: 'outcome',
      result: 'failed',
      reason,
    })

  let from = carriersFrom(call, steps)
  if (from.length === 0) from = trunkOf(call, steps)
  if (from.length === 0) {
    end(
      t('The call is rejected: no active carrier has an inbound gateway for {source}.', {
        source: call.source,
      }),
    )
    return { ...nothing, carrier: null }
  }
  const dialed = call.number.replace(/^\+/, '')
  const rows = call.numbers.filter(
    (n) =>
      from.some((c) => c.voip_carrier_sid === n.voip_carrier_sid) &&
      (!call.account_sid || n.account_sid === call.account_sid),
  )
  const matched = numberFor(dialed, rows, steps, matches)
  if (matched === 'unreadable') {
    end(t('The call is rejected: the platform stops here.'))
    return { ...nothing, carrier: null }
  }
  const carrier = from.find((c) => c.voip_carrier_sid === matched?.voip_carrier_sid) ?? from[0]!
  if (from.length > 1)
    steps.push({
      kind: 'carrier',
      result: matched ? 'taken' : 'warned',
      reason: matched
        ? t('The number belongs to carrier {name}.', { name: carrier.name })
        : plural(
            from.length,
            '1 carrier has this address and no phone number tells it apart. {name} is assumed.|{n} carriers have this address and no phone number tells them apart. {name} is assumed.',
            { name: carrier.name },
          ),
    })
  const application = applicationFor(call, dialed, carrier, matched, steps, matches)
  const result = {
    steps,
    carrier: carrier.voip_carrier_sid,
    number: matched?.number ?? null,
    application,
  }
  if (!application) {
    end(t('The call is rejected: no application answers it.'))
    return { ...result, outcome: 'failed' }
  }
  steps.push({
    kind: 'outcome',
    result: certainty(steps),
    reason: t('Application {name} answers the call.', {
      name: call.applications[application] ?? application,
    }),
  })
  return { ...result, outcome: 'answered' }
}

function carriersFrom({ carriers, source }: Inbound, steps: RoutingStep[]) {
  const from: RoutingCarrier[] = []
  for (const carrier of carriers) {
    const gateways = carrier.sip_gateways.filter((g) => isInGatewayRange(g, source))
    const gateway = gateways.find((g) => g.inbound)
    if (gateways.length === 0) continue
    const at = t('{name}: gateway {address}', {
      name: carrier.name,
      address: address(gateway ?? gateways[0]!),
    })
    const passed = (reason: string) => steps.push({ kind: 'gateway', result: 'passed', reason })
    if (!gateway) passed(t('{at} is not for inbound calls.', { at }))
    else if (!carrier.is_active)
      passed(t('{at} has this address, but the carrier is inactive.', { at }))
    else if (!carrier.service_provider_sid)
      passed(t('{at} has this address, but the carrier has no service provider.', { at }))
    else {
      from.push(carrier)
      steps.push({
        kind: 'gateway',
        result: gateway.is_active ? 'taken' : 'warned',
        reason: gateway.is_active
          ? t('{at} has this address. The port is not compared.', { at })
          : t('{at} has this address and takes the call, although the gateway is inactive.', {
              at,
            }),
      })
    }
  }
  return from
}

/** Asked for calls from an address that no carrier has. */
function trunkOf({ username, trunks = [] }: Inbound, steps: RoutingStep[]): RoutingCarrier[] {
  const note = (result: RoutingStep['result'], reason: string) =>
    steps.push({ kind: 'carrier', result, reason })
  if (!username) {
    for (const { name } of trunks)
      note(
        'passed',
        t('{name} takes calls from any address that authenticate with its username.', { name }),
      )
    return []
  }
  const trunk = trunks.find((c) => c.username === username)
  if (!trunk) {
    note(
      'passed',
      t('No trunk of the account or its provider has the username {username}.', { username }),
    )
    return []
  }
  note(
    'taken',
    t('The call authenticates as {username}, so it comes from {name}.', {
      username,
      name: trunk.name,
    }),
  )
  return [trunk]
}

function numberFor(
  dialed: string,
  rows: RoutingNumber[],
  steps: RoutingStep[],
  matches: MatchRegex,
) {
  const note = (result: RoutingStep['result'], reason: string) =>
    steps.push({ kind: 'number', result, reason })
  const exact = rows.find((n) => n.number === dialed)
  if (exact) {
    note('taken', t('Phone number {number} matches the called number.', { number: exact.number }))
    return exact
  }
  const patterns = rows.filter((n) => isPattern(n.number))
  for (const row of patterns.toSorted((a, b) => b.number.length - a.number.length))
    try {
      if (numberMatches(row.number, dialed, matches)) {
        note(
          'taken',
          t('Phone number pattern “{number}” matches. The longest pattern is tried first.', {
            number: row.number,
          }),
        )
        return row
      }
      note('passed', t('Phone number pattern “{number}” does not match.', { number: row.number }))
    } catch (e) {
      note(
        'failed',
        e instanceof PatternTooSlow
          ? t('Phone number pattern “{number}” takes too long to match.', { number: row.number })
          : t('Phone number pattern “{number}” is not a valid regular expression.', {
              number: row.number,
            }),
      )
      return 'unreadable' as const
    }
  note('passed', t('None of the phone numbers of this carrier matches the called number.'))
  return undefined
}

function applicationFor(
  { callRoutes }: Inbound,
  dialed: string,
  carrier: RoutingCarrier,
  matched: RoutingNumber | undefined,
  steps: RoutingStep[],
  matches: MatchRegex,
) {
  const note = (result: RoutingStep['result'], reason: string) =>
    steps.push({ kind: 'application', result, reason })
  if (matched?.application_sid) {
    note('taken', t('The phone number has an application.'))
    return matched.application_sid
  }
  if (matched) note('passed', t('The phone number has no application.'))
  if (carrier.application_sid) {
    note('taken', t('The default application of carrier {name} is used.', { name: carrier.name }))
    return carrier.application_sid
  }
  note('passed', t('Carrier {name} has no default application.', { name: carrier.name }))
  if (matched?.number !== dialed) return null
  for (const { regex, application_sid } of byPriority(
    callRoutes.filter((r) => r.account_sid === matched.account_sid),
  ))
    try {
      if (!matches(regex, dialed)) continue
      note('taken', t('Call route “{regex}” of the account matches.', { regex }))
      return application_sid
    } catch {
      note('failed', t('Call route “{regex}” of the account cannot be evaluated.', { regex }))
      return null
    }
  return null
}
