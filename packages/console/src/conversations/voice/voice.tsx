import { type VoiceFigures as Figures, t } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type Ends, endsOf } from '../../calls/call-span'
import dashboardSheet from '../../calls/dashboard/dashboard.css?url'
import { visitTime } from '../../calls/visit-time'
import { mayWrite, ownAccount } from '../../lib/access'
import { useApplicationName } from '../../lib/application-name'
import { messageOf } from '../../lib/failure'
import { linkTo } from '../../lib/link-to'
import { LoadError } from '../../lib/load-error'
import { RoutePending } from '../../lib/route-states'
import { useCurrentProvider } from '../../lib/use-provider'
import { useSetSearch } from '../../lib/use-set-search'
import { Button, buttonClass } from '../../ui/button'
import { Notice } from '../../ui/notice'
import { PageHeader } from '../../ui/page-header'
import { rich } from '../../ui/rich'
import { EmptyState } from '../../ui/states'
import { useChosenTimeZone } from '../../ui/time-zone'
import type { Comparison } from './changes'
import { Filters } from './filters'
import { Models } from './models'
import { figuresOf, type Of, otherOf } from './queries'
import { askedOf, type Search } from './search'
import sheet from './voice.css?url'
import { VoiceFigures } from './voice-figures'

const route = getRouteApi('/internal/voice')

/** Figures of conversations: how long callers waited, and what went wrong. */
export function Voice() {
  const search: Search = route.useSearch()
  const setSearch = useSetSearch<Search>()
  const provider = useCurrentProvider()
  const account_sid = ownAccount() ?? search.account_sid
  const { application_sid } = search
  const asked = askedOf(search)
  const { date, compare } = asked
  // figures and what they are compared with cover the same time until a refresh
  const [now, setNow] = useState(visitTime)
  const zone = useChosenTimeZone()
  const ends = endsOf(date, now)
  const of = { provider, account_sid }
  const figures = useQuery({
    ...figuresOf(of, ends, application_sid),
    placeholderData: keepPreviousData,
  })
  const { error, isPlaceholderData } = figures
  const other = useOther(of, search, ends)
  // if a refresh fails, the old figures stay on screen
  const key = JSON.stringify([provider, account_sid, application_sid, date, zone])
  const [last, setLast] = useState<{ key: string; data: Figures }>()
  useEffect(() => {
    if (figures.data && !isPlaceholderData) setLast({ key, data: figures.data })
  }, [key, figures.data, isPlaceholderData])
  const data = figures.data ?? (last?.key === key ? last.data : undefined)
  return (
    <>
      {/* of these screens alone: all others load theirs together */}
      <link rel="stylesheet" href={dashboardSheet} precedence="page" />
      <link rel="stylesheet" href={sheet} precedence="page" />
      <PageHeader title={t('Voice insights')}>
        <Button look="quiet" busy={figures.isFetching} onClick={() => setNow(Date.now())}>
          <RefreshCw aria-hidden />
          {t('Refresh')}
        </Button>
      </PageHeader>
      <Filters search={search} asked={asked} setSearch={setSearch} />
      {error && data && (
        <div className="dashboard-old">
          <Notice tone="bad">
            {rich('{message}. The figures below may be out of date. {button}', {
              message: messageOf(error),
              button: (
                <Button size="small" onClick={() => void figures.refetch()}>
                  {t('Try again')}
                </Button>
              ),
            })}
          </Notice>
        </div>
      )}
      {other.error && data && compare !== 'none' && (
        <div className="dashboard-old">
          <Notice tone="warn">
            {rich('{message}. The figures cannot be compared. {button}', {
              message: messageOf(other.error),
              button: (
                <Button size="small" onClick={() => void other.refetch()}>
                  {t('Compare again')}
                </Button>
              ),
            })}
          </Notice>
        </div>
      )}
      {error && !data && <LoadError error={error} retry={figures.refetch} />}
      {!data && !error && <RoutePending />}
      {data && !data.is_kept && <NotKept />}
      {data?.is_kept && data.calls === 0 && (
        <Empty showsMonth={date === '30'} onMonth={() => setSearch({ date: '30' })} />
      )}
      {data && data.calls > 0 && (
        <div aria-busy={isPlaceholderData}>
          <VoiceFigures
            key={zone}
            data={data}
            other={error || isPlaceholderData ? undefined : other.compared}
            filter={{ account_sid: search.account_sid, application_sid }}
            provider={provider}
          />
        </div>
      )}
      {data && <Models of={of} search={search} ends={ends} />}
    </>
  )
}

/** The figures to compare with, once loaded. */
function useOther(of: Of, search: Search, ends: Ends) {
  const { compare } = askedOf(search)
  const application = useApplicationName(search.with ?? '')
  const isBefore = compare === 'before'
  const enabled = isBefore || (compare === 'application' && search.with !== undefined)
  const { data, error, refetch } = useQuery({ ...otherOf(of, search, ends), enabled })
  // a disabled query may still have cached data, such as the figures of no application
  const compared: Comparison | undefined =
    enabled && data ? { figures: data, application: isBefore ? undefined : application } : undefined
  return { compared, error, refetch }
}

const toCalls = (
  <Link {...linkTo('/internal/recent-calls')} className={buttonClass()}>
    {t('Recent calls')}
  </Link>
)

const NotKept = () => (
  <EmptyState
    text={t(
      'Traces are kept in Jaeger, so there are no figures across calls, and no lists of calls by what happened in them. You can still open the conversation of a single call.',
    )}
  >
    {toCalls}
  </EmptyState>
)

const Empty = ({ showsMonth, onMonth }: { showsMonth: boolean; onMonth: () => void }) => (
  <EmptyState text={t('No conversations in this period.')}>
    <p className="voice-needs">
      {t(
        'A conversation is counted a few seconds after the call is over, if the platform has sent its trace and its call record, and something was said or listened to.',
      )}
    </p>
    {!showsMonth && <Button onClick={onMonth}>{t('Show the last 30 days')}</Button>}
    {mayWrite() && (
      <Link {...linkTo('/internal/getting-started')} className={buttonClass()}>
        {t('Getting started')}
      </Link>
    )}
  </EmptyState>
)
