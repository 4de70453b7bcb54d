import { type CallAnomalies, type CallAnomaly, fromServer, plural, t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { TrendingUp, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { query } from '../../lib/api'
import { accountRecentCalls, providerRecentCalls } from '../../lib/endpoints'
import { INLINE } from '../../lib/inline'
import { PlainLink } from '../../lib/plain-link'
import { Button } from '../../ui/button'
import { clockText } from '../../ui/dates'
import { rich } from '../../ui/rich'
import { Skeleton } from '../../ui/states'
import { anomalyHref } from './anomaly-href'

const REFRESH_MS = 60_000
/** How many are shown at first. */
const FIRST = 5

const subjectText = ({ id, name, direction }: Pick<CallAnomaly, 'id' | 'name' | 'direction'>) =>
  direction === 'inbound'
    ? t('{name}, inbound', { name: name ?? id })
    : direction === 'outbound'
      ? t('{name}, outbound', { name: name ?? id })
      : (name ?? id)

/** Summary of the comparison: the period, the weeks, and what could not be judged. */
function Judged({ data: { data, judged, unjudged, weeks, at } }: { data: CallAnomalies }) {
  const missing = unjudged.reduce((sum, { total }) => sum + total, 0)
  return (
    <>
      <p className="hint" role="status">
        {judged === 0
          ? t(
              'Nothing could be compared: there are too few calls, or too few in the days and weeks before.',
            )
          : data.length === 0 &&
            plural(
              judged,
              'No anomalies: 1 carrier, application, account or prefix was compared.|No anomalies: {n} carriers, applications, accounts and prefixes were compared.',
            )}{' '}
        {judged > 0 &&
          (weeks > 1
            ? plural(
                weeks,
                'Compared with the same hours of the last week at {time}. Calls in progress are not counted.|Compared with the same hours of the last {n} weeks at {time}. Calls in progress are not counted.',
                { time: clockText(at) },
              )
            : t('Compared with the last seven days at {time}. Calls in progress are not counted.', {
                time: clockText(at),
              }))}
      </p>
      {missing > 0 && (
        <details>
          <summary>{plural(missing, '1 was not compared|{n} were not compared')}</summary>
          <ul>
            {unjudged.map(({ reason, sentence, total, subjects }) => (
              <li key={reason}>
                {fromServer(sentence)}: {subjects.map(subjectText).join(' · ')}
                {total > subjects.length && ' …'}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

/** Anomalies among the calls: a sentence each, with a link to the calls. */
export function Anomalies({
  provider,
  account_sid,
  filtered,
}: {
  provider: string
  /** The user's or filtered account. */
  account_sid: string | undefined
  /** The filtered account, for links. */
  filtered: string | undefined
}) {
  const [showsAll, setShowsAll] = useState(false)
  const { data, error, refetch } = useQuery({
    ...(account_sid
      ? query(accountRecentCalls.anomalies, { params: { account_sid } })
      : query(providerRecentCalls.anomalies, { params: { service_provider_sid: provider } })),
    ...INLINE,
    refetchInterval: REFRESH_MS,
  })
  const all = data?.data ?? []
  const shown = showsAll ? all : all.slice(0, FIRST)
  return (
    <section className="dashboard-part anomalies" aria-labelledby="anomalies-title">
      <h2 id="anomalies-title">{t('Anomalies')}</h2>
      {data && all.length > 0 && (
        <ul>
          {shown.map((a) => (
            <li key={`${a.kind} ${a.id} ${a.direction} ${a.measure}`}>
              {a.measure === 'more_calls' ? (
                <TrendingUp aria-hidden className="anomaly-info" />
              ) : (
                <TriangleAlert aria-hidden className="anomaly-warn" />
              )}
              <span>
                <PlainLink href={anomalyHref(a, filtered)}>{fromServer(a.sentence)}</PlainLink>{' '}
                <span className="none">
                  {plural(a.calls, 'since {time}, 1 call|since {time}, {n} calls', {
                    time: clockText(a.since),
                  })}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
      {all.length > shown.length && (
        <Button size="small" look="quiet" onClick={() => setShowsAll(true)}>
          {rich('Show all {all}', { all: all.length })}
        </Button>
      )}
      {/* the figures below say why, if calls cannot be read at all */}
      {error && !data ? (
        <p className="hint" role="status">
          {rich('Calls could not be compared. {button}', {
            button: (
              <Button size="small" onClick={() => void refetch()}>
                {t('Compare again')}
              </Button>
            ),
          })}
        </p>
      ) : data ? (
        <Judged data={data} />
      ) : (
        <Skeleton height={20} width="60%" />
      )}
    </section>
  )
}
