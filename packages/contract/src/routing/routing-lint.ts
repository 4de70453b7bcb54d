import { plural, t } from '../wire/text.ts'
import { ALL, ANY_NUMBER, covers, DIGITS, type Shape, sampleOf, shapesOf } from './route-shapes.ts'
import {
  byPriority,
  mayBeSlow,
  type Route,
  type RoutingCarrier,
  type RoutingOwner,
  routeMatches,
} from './routing.ts'

export const ROUTING_RULES = [
  'bad-pattern',
  'slow-pattern',
  'unanchored',
  'plus',
  'duplicate',
  'shadowed',
  'same-priority',
  'no-carrier',
  'unused-carrier',
  'foreign-carrier',
  'inactive-carrier',
  'no-gateway',
  'missing-default',
] as const
export type RoutingRule = (typeof ROUTING_RULES)[number]
/** A suggested pattern, or removing the route. */
export type RoutingFix = { pattern: string } | { remove: true }
export type RoutingFinding = {
  rule: RoutingRule
  /** The index of the route in the input; null if the finding is about all routes. */
  route: number | null
  message: string
  /** A number that is probably routed wrongly. */
  example: string
  fix?: RoutingFix | undefined
}

export const PATTERN_MAX = 32
const isReadable = ({ regex }: Route) => {
  try {
    return Boolean(new RegExp(regex))
  } catch {
    return false
  }
}

/** A number that contains the sample in its middle. */
function caughtInside(route: Route, shapes: Shape[] = []) {
  for (const { anchored, places } of shapes) {
    if (anchored || places.length === 0) continue
    // a number that does not start with the pattern's prefix
    const start = [...DIGITS].toReversed().find((d) => !places[0]!.includes(d)) ?? '9'
    const number = `${start}0${places.map((chars) => chars[0]).join('')}`
    const inside = [number.padEnd(11, '0'), number].find((n) => routeMatches(route, n))
    if (inside && !places[0]!.includes(start)) return inside
  }
  return undefined
}

/** Each route is compared with at most this many before it, to bound the time. */
const COMPARED_MAX = 500

const escaped = (text: string) => text.replace(/[.*+?^$()[\]{}|\\/]/g, '\\$&')
const fixed = (pattern: string) => (pattern.length <= PATTERN_MAX ? { pattern } : undefined)

/** Likely mistakes in a set of routes. */
export function lintRoutes({
  routes,
  carriers,
  owner,
}: {
  routes: Route[]
  carriers: RoutingCarrier[]
  owner: RoutingOwner
}): RoutingFinding[] {
  const findings: RoutingFinding[] = []
  const ordered = byPriority(routes)
  const bySid = new Map(carriers.map((c) => [c.voip_carrier_sid, c]))
  const earlier: { route: Route; shapes: Shape[] | undefined }[] = []
  const sampleNumber = samples(ordered)
  for (const route of ordered) {
    const index = routes.indexOf(route)
    const of = (rule: RoutingRule, message: string, example: string, fix?: RoutingFix) =>
      findings.push({ rule, route: index, message, example, ...(fix && { fix }) })

    if (!isReadable(route)) {
      of(
        'bad-pattern',
        t(
          '“{regex}” is not a valid regular expression. Numbers that reach it never get to the routes after it.',
          { regex: route.regex },
        ),
        sampleNumber(route),
        fixed(`^${escaped(route.regex)}`),
      )
      continue
    }
    if (mayBeSlow(route.regex)) {
      of(
        'slow-pattern',
        t(
          '“{regex}” has nested repetition. Matching it can block the platform for a very long time.',
          { regex: route.regex },
        ),
        ANY_NUMBER,
      )
      continue
    }
    const shapes = shapesOf(route.regex)
    const sample = sampleOf(route, shapes) ?? ANY_NUMBER
    const reached = earlier.filter((e) => hasCarriers(e.route))
    const same = reached.find((e) => e.route.regex === route.regex)
    const wider = reached.find((e) => covers(e.shapes, shapes))
    if (same)
      of(
        'duplicate',
        t('“{regex}” appears twice. The second one is never reached.', { regex: route.regex }),
        sample,
        {
          remove: true,
        },
      )
    else if (wider)
      of(
        'shadowed',
        t('“{regex}” is never reached: “{other}” before it matches all of its numbers.', {
          regex: route.regex,
          other: wider.route.regex,
        }),
        sample,
        { remove: true },
      )
    const inside = !covers(shapes, ALL) && caughtInside(route, shapes)
    if (inside)
      of(
        'unanchored',
        t('“{regex}” matches anywhere in a number, not only at the start.', { regex: route.regex }),
        inside,
        fixed(route.regex.includes('|') ? `^(?:${route.regex})` : `^${route.regex}`),
      )
    const equal = earlier.find((e) => e.route.priority === route.priority)
    if (equal && !same && !wider)
      of(
        'same-priority',
        t('“{regex}” has the same priority as “{other}”. Which comes first is undefined.', {
          regex: route.regex,
          other: equal.route.regex,
        }),
        sample,
      )
    lintCarriers(route, bySid, owner, (rule, message) => of(rule, message, sample))
    if (earlier.length < COMPARED_MAX) earlier.push({ route, shapes })
  }
  const plus = withoutPlus(ordered, routes)
  if (plus) findings.push(plus)
  if (!ordered.some((r) => hasCarriers(r) && covers(shapesOf(r.regex), ALL)))
    findings.push({
      rule: 'missing-default',
      route: null,
      message: t(
        'No default route. Numbers that match no route go out through a random carrier, or fail.',
      ),
      example: sampleNumber(),
    })
  return findings
}

/** The routes that numbers with a plus pass by, although their patterns are of the same numbers without: the first of them. */
function withoutPlus(ordered: Route[], routes: Route[]): RoutingFinding | undefined {
  const tried = ordered
    .filter((r) => hasCarriers(r) && isReadable(r) && !mayBeSlow(r.regex))
    .slice(0, COMPARED_MAX)
    // each is tried on numbers of all others
    .map((route) => ({ route, pattern: new RegExp(route.regex) }))
  const carrierOf = (route: Route | undefined) =>
    route && byPriority(route.lcr_carrier_set_entries)[0]?.voip_carrier_sid
  const takenBy = (number: string) =>
    tried.find(({ route, pattern }) => number.startsWith(route.regex) || pattern.test(number))
      ?.route
  const missed = tried.flatMap(({ route }) => {
    const { regex } = route
    const sample = sampleOf(route, shapesOf(regex))
    if (!sample || !/^\^[^|]*$/.test(regex) || takenBy(sample) !== route) return []
    const example = `+${sample}`
    const pattern = `^\\+?${regex.slice(1)}`
    if (!routeMatches({ ...route, regex: pattern }, example)) return []
    return carrierOf(takenBy(example)) === carrierOf(route) ? [] : [{ route, example, pattern }]
  })
  const [first] = missed
  if (!first) return undefined
  const { route, example, pattern } = first
  return {
    rule: 'plus',
    route: routes.indexOf(route),
    message: plural(
      missed.length,
      'Numbers with a + do not match “{regex}”. {pattern} takes both.|Numbers with a + do not match “{regex}”, the first of {n} such routes. {pattern} takes both.',
      { regex: route.regex, pattern },
    ),
    example,
    fix: fixed(pattern),
  }
}

const hasCarriers = (route: Route) => route.lcr_carrier_set_entries.length > 0

/** Returns what finds a sample number that reaches a route, or passes all of them. Each pattern is tried once per number. */
function samples(ordered: Route[]) {
  const free = [...DIGITS].toReversed().map((d) => d + ANY_NUMBER.slice(1))
  /** The place of the first route that takes each number. */
  const takenAt = [ANY_NUMBER, ...free].map((number) => ({
    number,
    place: ordered.findIndex(
      (r) => hasCarriers(r) && isReadable(r) && !mayBeSlow(r.regex) && routeMatches(r, number),
    ),
  }))
  return (until?: Route) => {
    const place = until ? ordered.indexOf(until) : ordered.length
    const reaches = takenAt.find(
      (taken) =>
        (taken.place === -1 || taken.place >= place) &&
        !(until && taken.number.startsWith(until.regex)),
    )
    return reaches?.number ?? ANY_NUMBER
  }
}

function lintCarriers(
  route: Route,
  carriers: Map<string, RoutingCarrier>,
  owner: RoutingOwner,
  report: (rule: RoutingRule, message: string) => void,
) {
  const [first, second] = byPriority(route.lcr_carrier_set_entries)
  if (!first)
    return report(
      'no-carrier',
      t('“{regex}” has no carrier. Its numbers go on to later routes.', { regex: route.regex }),
    )
  if (second)
    report(
      'unused-carrier',
      t('Only the first carrier of “{regex}” is ever used.', { regex: route.regex }),
    )
  const carrier = carriers.get(first.voip_carrier_sid)
  if (!carrier || !isUsable(carrier, owner))
    report(
      'foreign-carrier',
      carrier
        ? owner.account_sid
          ? t('Carrier {name} belongs to another account, but still gets the calls of “{regex}”.', {
              name: carrier.name,
              regex: route.regex,
            })
          : t('Carrier {name} belongs to one account, but gets the calls of all for “{regex}”.', {
              name: carrier.name,
              regex: route.regex,
            })
        : t('You do not have access to the carrier of “{regex}”.', { regex: route.regex }),
    )
  if (!carrier) return
  if (!carrier.is_active)
    report(
      'inactive-carrier',
      t('Carrier {name} is inactive, but still gets the calls of “{regex}”.', {
        name: carrier.name,
        regex: route.regex,
      }),
    )
  const outbound = carrier.sip_gateways.filter((g) => g.outbound)
  if (!outbound.some((g) => g.is_active))
    report(
      'no-gateway',
      outbound.length > 0
        ? t(
            'All outbound gateways of carrier {name} are inactive, but still get the calls of “{regex}”.',
            { name: carrier.name, regex: route.regex },
          )
        : t('Carrier {name} has no outbound gateway, so the calls of “{regex}” fail.', {
            name: carrier.name,
            regex: route.regex,
          }),
    )
}

const isUsable = (carrier: RoutingCarrier, owner: RoutingOwner) =>
  carrier.account_sid
    ? carrier.account_sid === owner.account_sid
    : carrier.service_provider_sid === owner.service_provider_sid
