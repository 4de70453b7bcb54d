import type { Flag } from '../wire/common.ts'

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
/** Who decides a step: the platform's programs, one after the other. */
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
/** True if a regular expression matches a number. Throws if it is invalid. */
export type MatchRegex = (regex: string, number: string) => boolean
export const matchRegex: MatchRegex = (regex, number) => new RegExp(regex).test(number)

/** Longest number that the API simulates, in characters. */
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
  /** Open groups, outermost first: the sum of the alternatives before, and the product within this one. */
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

/** True if a pattern may take a processor longer than a tenth of a second for one number. */
export const mayBeSlow = (regex: string) => waysToMatch(regex) > 10_000_000

/** The route that the API writes for a table's default carrier. */
export const DEFAULT_ROUTE = { regex: '.*', priority: 9999 } as const

/** Ties go to the first one: the platform does not define an order. */
export const byPriority = <T extends { priority: number }>(things: T[]) =>
  things.toSorted((a, b) => a.priority - b.priority)

/** The platform compares the plain text first, so an invalid regular expression may match as well. */
export const routeMatches = ({ regex }: Route, number: string, matches: MatchRegex = matchRegex) =>
  number.startsWith(regex) || matches(regex, number)

/** The result of an outcome: no more certain than the steps that lead to it. */
export const certainty = (steps: RoutingStep[]) =>
  steps.some((step) => step.result === 'warned') ? 'warned' : 'taken'

/** A gateway’s address, with its range and port. */
export const gatewayAddress = ({ ipv4, port, netmask }: RoutingGateway) =>
  `${ipv4}${netmask < 32 ? `/${netmask}` : ''}${port ? `:${port}` : ''}`
