import { plural, t } from '../wire/text.ts'
import {
  byPriority,
  DEFAULT_ROUTE,
  type MatchRegex,
  PatternTooSlow,
  type Route,
  type RouteEntry,
  type RoutingStep,
  routeMatches,
} from './routing.ts'

const quoted = ({ regex, priority, description }: Route) =>
  description
    ? t('Route “{regex}” (priority {priority}, {description})', { regex, priority, description })
    : t('Route “{regex}” (priority {priority})', { regex, priority })

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

export function walkRoutes(
  { routes, number }: { routes: Route[] | undefined; number: string },
  steps: RoutingStep[],
  matches: MatchRegex,
) {
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
