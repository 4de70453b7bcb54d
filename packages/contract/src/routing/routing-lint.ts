import { plural, t } from '../wire/text.ts'
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
const DIGITS = '0123456789'
/** Numbers as people dial them. */
const DIALLED = `${DIGITS}+*#`
/** A number that few patterns are meant to match. */
const ANY_NUMBER = '15005550100'

/** The prefix a pattern requires: for each position, the allowed characters. */
type Shape = {
  anchored: boolean
  places: string[]
  /** True if the prefix is all of the pattern; false if more follows. */
  isComplete: boolean
}

const ATOM = /\\d|\\[^\w\s]|\[\^?[\d+-]+\]|\.|[\d+#]/y
const TIMES = /\{(\d{1,2})(,\d{0,2})?\}|[*+?]/y

/** The prefixes of a pattern's alternatives; undefined if the pattern is too complex. */
function shapesOf(pattern: string): Shape[] | undefined {
  const group = /^(\^?)\((?:\?:)?([^()[\]|]*(?:\|[^()[\]|]*)*)\)$/.exec(pattern)
  const alternatives = group
    ? group[2]!.split('|').map((a) => group[1]! + a)
    : pattern.includes('[') && pattern.includes('|')
      ? [pattern]
      : pattern.split('|')
  const shapes = alternatives.map(shapeOf)
  return shapes.every((s) => s !== undefined) ? shapes : undefined
}

function shapeOf(pattern: string): Shape | undefined {
  const anchored = pattern.startsWith('^')
  const places: string[] = []
  let at = anchored ? 1 : 0
  const rest = () => pattern.slice(at)
  while (at < pattern.length) {
    if (rest() === '$') return { anchored, places, isComplete: false }
    const atom = read(ATOM, pattern, at)
    if (!atom) return undefined
    const chars = charsOf(atom[0])
    if (!chars) return undefined
    at += atom[0].length
    const times = read(TIMES, pattern, at)
    at += times?.[0].length ?? 0
    // lazy and possessive quantifiers are not understood here
    if (times && read(TIMES, pattern, at)) return undefined
    const least = times ? (times[1] ? Number(times[1]) : times[0] === '+' ? 1 : 0) : 1
    for (let i = 0; i < least; i++) places.push(chars)
    const varies = times !== null && (times[1] === undefined || times[2] !== undefined)
    if (!varies) continue
    // an optional part leaves open where the rest begins
    if (/[()|[\]]/.test(rest())) return undefined
    const endless = times[0] === '*' || times[0] === '+' || times[2] === ','
    const takesRest = rest() === '' || (rest() === '$' && atom[0] === '.' && endless)
    return { anchored, places, isComplete: takesRest }
  }
  return { anchored, places, isComplete: true }
}

function read(what: RegExp, text: string, at: number) {
  what.lastIndex = at
  return what.exec(text)
}

function charsOf(atom: string): string | undefined {
  if (atom === '.') return DIALLED
  if (atom === '\\d') return DIGITS
  if (atom.startsWith('\\')) return atom[1]
  if (!atom.startsWith('[')) return atom === '+' ? undefined : atom
  const set = new RegExp(atom)
  return [...DIALLED].filter((c) => set.test(c)).join('') || undefined
}

/** True if `wide` matches every number that `narrow` matches. False if unknown. */
const covers = (wide: Shape[] | undefined, narrow: Shape[] | undefined) =>
  Boolean(narrow?.every((n) => wide?.some((w) => includes(w, n))))

function includes(wide: Shape, narrow: Shape) {
  if (!wide.isComplete) return false
  if (wide.places.length === 0) return true
  if (wide.anchored && !narrow.anchored) return false
  const fitsAt = (from: number) =>
    wide.places.every((allowed, i) => {
      const possible = narrow.places[from + i]
      return possible !== undefined && [...possible].every((c) => allowed.includes(c))
    })
  const last = wide.anchored ? 0 : narrow.places.length - wide.places.length
  for (let from = 0; from <= last; from++) if (fitsAt(from)) return true
  return false
}

const ALL: Shape[] = [{ anchored: false, places: [], isComplete: true }]

const isReadable = ({ regex }: Route) => {
  try {
    return Boolean(new RegExp(regex))
  } catch {
    return false
  }
}

/** A sample number for the pattern, if one can be derived. */
function sampleOf(route: Route, shapes: Shape[] = []): string | undefined {
  const starts = shapes.map(({ places }) => places.map((chars) => chars[0]).join(''))
  const all = [...starts.flatMap((s) => [s + ANY_NUMBER.slice(s.length), s]), ANY_NUMBER]
  return all.find((number) => number !== '' && routeMatches(route, number))
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
