import type { CallCounts, CallFigures } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ownAccount } from '../lib/access'
import { query } from '../lib/api'
import { BlockQuery, INLINE } from '../lib/block-query'
import type { ThingOwner } from '../lib/follow-provider'
import { PlainLink } from '../lib/plain-link'
import { useCapabilities } from '../lib/use-capabilities'
import { Block } from '../ui/block'
import { Skeleton } from '../ui/states'
import { Time } from '../ui/time'
import { type Ends, endsOf, isoEnds } from './call-span'
import { outcome, ratioText } from './call-text'
import { callsHref } from './dashboard/links'
import { endpointsFor } from './recent-calls/search'
import './thing-calls.css'

/** Which of the owner's calls are a thing's: through an application or carrier, or from or to a number. */
export type CallsOf = { application_sid?: string; trunk?: string; filter?: string }

type Ask = { account_sid: string | undefined; provider: string; of: CallsOf }
type Part = Pick<CallCounts, 'calls' | 'answered' | 'not_answered'>

const MINUTE = 60_000
/** The same for a minute, so that going back and forth asks for no new figures. */
const minuteNow = () => Math.ceil(Date.now() / MINUTE) * MINUTE

/** The block "Calls" of an overview: how many, how many answered, and the last that failed. */
export function ThingCalls({ owner, of = {} }: { owner: ThingOwner; of?: CallsOf }) {
  const ours = useCapabilities()
  const [now] = useState(minuteNow)
  const account_sid = ownAccount() ?? owner.account_sid ?? undefined
  const provider = owner.service_provider_sid ?? ''
  if (!ours || !(account_sid || provider)) return null
  const ask = { account_sid, provider, of }
  const Counts = of.filter ? CountsByText : CountsByFigures
  const week = endsOf('7', now)
  return (
    <Block title="Calls">
      <table className="thing-calls">
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Time</span>
            </th>
            <th scope="col">Calls</th>
            <th scope="col">Answered</th>
            <th scope="col">Answered ratio</th>
          </tr>
        </thead>
        <tbody>
          <Counts {...ask} name="Today" ends={endsOf('today', now)} />
          <Counts {...ask} name="Last 7 days" ends={week} />
        </tbody>
      </table>
      <LastFailure {...ask} ends={week} />
    </Block>
  )
}

type Span = Ask & { name: string; ends: Ends }

const NO_CALLS: Part = { calls: 0, answered: 0, not_answered: 0 }

function partOf(figures: CallFigures, { application_sid, trunk }: CallsOf): Part {
  if (application_sid)
    return figures.applications.find((a) => a.application_sid === application_sid) ?? NO_CALLS
  if (trunk) return figures.trunks.find((t) => t.trunk === trunk) ?? NO_CALLS
  return figures
}

/** The figures of the owner, which the dashboard shows too, hold those of each application and carrier. */
function CountsByFigures(span: Span) {
  const { endpoints, params } = endpointsFor(span.provider, span)
  const { data, error, refetch } = useQuery({
    ...query(endpoints.figures, { params, query: isoEnds(span.ends) }),
    ...INLINE,
  })
  return <Row {...span} part={data && partOf(data, span.of)} failed={error && refetch} />
}

const useTotal = ({ provider, ends, of, ...owner }: Span, answered?: 'true' | 'false') => {
  const { endpoints, params } = endpointsFor(provider, owner)
  return useQuery({
    ...query(endpoints.list, {
      params,
      query: { ...isoEnds(ends), filter: of.filter, answered, page: 1, count: 1 },
    }),
    ...INLINE,
  })
}

/** No figures are kept per number, so the lists that the counts link to are counted. */
function CountsByText(span: Span) {
  const all = useTotal(span)
  const answered = useTotal(span, 'true')
  const failed = useTotal(span, 'false')
  const [some, good, bad] = [all.data, answered.data, failed.data]
  const part = some &&
    good &&
    bad && { calls: some.total, answered: good.total, not_answered: bad.total }
  const refetch = () => [all, answered, failed].map((q) => q.refetch())
  return (
    <Row {...span} part={part} failed={(all.error ?? answered.error ?? failed.error) && refetch} />
  )
}

function Row({
  name,
  ends,
  account_sid,
  of,
  part,
  failed,
}: Span & { part: Part | undefined; failed: (() => unknown) | null }) {
  const count = (n: number, answered?: 'true') =>
    n === 0 ? (
      0
    ) : (
      <PlainLink href={callsHref(ends, { account_sid, ...of, ...(answered && { answered }) })}>
        {n.toLocaleString()}
      </PlainLink>
    )
  return (
    <tr>
      <th scope="row">{name}</th>
      {part ? (
        <>
          <td>{count(part.calls)}</td>
          <td>{count(part.answered, 'true')}</td>
          <td>{part.calls === 0 ? <span className="none">No calls</span> : ratioText(part)}</td>
        </>
      ) : failed ? (
        <td colSpan={3}>
          Calls cannot be loaded.{' '}
          <button type="button" className="thing-calls-again" onClick={failed}>
            Try again
          </button>
        </td>
      ) : (
        <td colSpan={3}>
          <Skeleton width="100%" />
        </td>
      )}
    </tr>
  )
}

function LastFailure({ ends, ...ask }: Ask & { ends: Ends }) {
  const { endpoints, params } = endpointsFor(ask.provider, ask)
  const last = useQuery({
    ...query(endpoints.list, {
      params,
      query: { ...isoEnds(ends), ...ask.of, answered: 'false', page: 1, count: 1 },
    }),
    ...INLINE,
  })
  // the counts above say that calls cannot be loaded
  if (last.error) return null
  return (
    <p className="thing-calls-last">
      <BlockQuery query={last} lines={1}>
        {({ data: [call] }) =>
          call ? (
            <>
              Last failure:{' '}
              {call.call_sid ? (
                <PlainLink href={`/internal/recent-calls/${encodeURIComponent(call.call_sid)}`}>
                  {outcome(call).word}
                </PlainLink>
              ) : (
                outcome(call).word
              )}
              , {call.from ?? 'Unknown'} → {call.to ?? 'Unknown'}, <Time at={call.attempted_at} />
            </>
          ) : (
            <span className="none">No failed calls in the last 7 days.</span>
          )
        }
      </BlockQuery>
    </p>
  )
}
