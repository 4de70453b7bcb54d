import type { CallCounts, CallFigures } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ownAccount } from '../lib/access'
import { query } from '../lib/api'
import type { ThingOwner } from '../lib/follow-provider'
import { INLINE } from '../lib/inline'
import { useCapabilities } from '../lib/use-capabilities'
import { type Ends, isoEnds } from './call-span'
import { endpointsFor } from './search'

/** Which of the owner's calls are a thing's: through an application or carrier, or from or to a number. */
export type CallsOf = { application_sid?: string; trunk?: string; filter?: string }

export type Ask = { account_sid: string | undefined; provider: string; of: CallsOf }
export type Span = Ask & { ends: Ends }
type Counts = Pick<CallCounts, 'calls' | 'answered' | 'not_answered'>

const NO_CALLS: Counts = { calls: 0, answered: 0, not_answered: 0 }
const MINUTE = 60_000

/** The same for a minute, so that going back and forth asks for no new figures. */
export function useMinute() {
  const [now] = useState(() => Math.ceil(Date.now() / MINUTE) * MINUTE)
  return now
}

/** Whom to ask for a thing's calls. Only our server tells them. */
export function useAsk(owner: ThingOwner, of: CallsOf): Ask | undefined {
  const ours = useCapabilities()
  const account_sid = ownAccount() ?? owner.account_sid ?? undefined
  const provider = owner.service_provider_sid ?? ''
  return ours && (account_sid || provider) ? { account_sid, provider, of } : undefined
}

function countsIn(figures: CallFigures, { application_sid, trunk }: CallsOf): Counts {
  if (application_sid)
    return figures.applications.find((a) => a.application_sid === application_sid) ?? NO_CALLS
  if (trunk) return figures.trunks.find((t) => t.trunk === trunk) ?? NO_CALLS
  return figures
}

const useTotal = (
  { provider, ends, of, ...owner }: Span,
  waits: boolean,
  answered?: 'true' | 'false',
) => {
  const { endpoints, params } = endpointsFor(provider, owner)
  return useQuery({
    ...query(endpoints.list, {
      params,
      query: { ...isoEnds(ends), filter: of.filter, answered, page: 1, count: 1 },
    }),
    ...INLINE,
    enabled: !waits && !!of.filter,
  })
}

type Asked = { counts: Counts | undefined; hasFailed: boolean; refetch: () => void }

/**
 * A thing's calls in a span. The figures of the owner, which the dashboard shows too, hold those of each application
 * and carrier. None are kept per number, so the lists that its counts link to are counted: of a part of a span only once it
 * is known that the span, whose counts are `within`, has any.
 */
export function useCounts(span: Span, within?: Asked): Asked {
  const { endpoints, params } = endpointsFor(span.provider, span)
  const figures = useQuery({
    ...query(endpoints.figures, { params, query: isoEnds(span.ends) }),
    ...INLINE,
    enabled: !span.of.filter,
  })
  const has = within?.counts?.calls
  // figures are asked for at once
  const waits = !!span.of.filter && !!within && !has
  const totals = [
    useTotal(span, waits),
    useTotal(span, waits, 'true'),
    useTotal(span, waits, 'false'),
  ]
  const asked = span.of.filter ? totals : [figures]
  const [all, good, bad] = totals.map((t) => t.data?.total)
  const counted: Counts | undefined =
    waits && has === 0
      ? NO_CALLS
      : all === undefined || good === undefined || bad === undefined
        ? undefined
        : { calls: all, answered: good, not_answered: bad }
  return {
    counts: span.of.filter ? counted : figures.data && countsIn(figures.data, span.of),
    hasFailed: asked.some((q) => q.error) || (waits && !!within?.hasFailed),
    refetch: () => (waits ? within?.refetch() : asked.forEach((q) => void q.refetch())),
  }
}

/** The last call that failed, in a list of at most one. */
export function useLastFailure({ ends, ...ask }: Span) {
  const { endpoints, params } = endpointsFor(ask.provider, ask)
  return useQuery({
    ...query(endpoints.list, {
      params,
      query: { ...isoEnds(ends), ...ask.of, answered: 'false', page: 1, count: 1 },
    }),
    ...INLINE,
  })
}
