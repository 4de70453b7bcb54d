import { HOURLY_MAX_MS, numberText, type ScoreFigures, t } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { type Ends, endsBefore, endsOf, isoEnds } from '../../calls/call-span'
import dashboardSheet from '../../calls/dashboard/dashboard.css?url'
import { Filters } from '../../conversations/voice/filters'
import { askedOf, type Search } from '../../conversations/voice/search'
import sheet from '../../conversations/voice/voice.css?url'
import { ownAccount } from '../../lib/access'
import { query } from '../../lib/api'
import { useApplicationName } from '../../lib/application-name'
import { accountScores, providerScores } from '../../lib/endpoints'
import { INLINE } from '../../lib/inline'
import { LoadError } from '../../lib/load-error'
import { PlainLink } from '../../lib/plain-link'
import { RoutePending } from '../../lib/route-states'
import { useCurrentProvider } from '../../lib/use-provider'
import { useSetSearch } from '../../lib/use-set-search'
import { Button, buttonClass } from '../../ui/button'
import { timeText, zonedText } from '../../ui/dates'
import { PageHeader } from '../../ui/page-header'
import { EmptyState } from '../../ui/states'
import { timeZone, useChosenTimeZone } from '../../ui/time-zone'
import { scoreCardHref } from './queries'
import { Figures } from './score-figures'
import type { OtherScores } from './score-tables'

const route = getRouteApi('/internal/scores')

type Of = { provider: string; account_sid: string | undefined }

function figuresOf({ provider, account_sid }: Of, ends: Ends, application_sid: string | undefined) {
  const asked = { ...isoEnds(ends), time_zone: timeZone(), application_sid }
  return account_sid
    ? query(accountScores.figures, { params: { account_sid }, query: asked })
    : query(providerScores.figures, { params: { service_provider_sid: provider }, query: asked })
}

/** Figures of scored calls. */
export function Scores() {
  const search: Search = route.useSearch()
  const setSearch = useSetSearch<Search>()
  const provider = useCurrentProvider()
  const { application_sid } = search
  const asked = askedOf(search)
  // figures and what they are compared with cover the same time until a refresh
  const [now, setNow] = useState(Date.now)
  const zone = useChosenTimeZone()
  const ends = endsOf(asked.date, now)
  const of = { provider, account_sid: ownAccount() ?? search.account_sid }
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery({
    ...figuresOf(of, ends, application_sid),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const other = useOther(of, search, ends)
  return (
    <>
      <link rel="stylesheet" href={dashboardSheet} precedence="page" />
      <link rel="stylesheet" href={sheet} precedence="page" />
      <PageHeader title={t('Call scores')}>
        <Button look="quiet" busy={isFetching} onClick={() => setNow(Date.now())}>
          <RefreshCw aria-hidden />
          {t('Refresh')}
        </Button>
        {application_sid && (
          <PlainLink href={scoreCardHref(application_sid)} className={buttonClass()}>
            {t('Score card')}
          </PlainLink>
        )}
      </PageHeader>
      <Filters search={search} asked={asked} setSearch={setSearch} />
      {error && !data && <LoadError error={error} retry={refetch} />}
      {!data && !error && <RoutePending />}
      {data?.scored === 0 && (
        <Empty
          application_sid={application_sid}
          onMonth={asked.date === '30' ? undefined : () => setSearch({ date: '30' })}
        />
      )}
      {data && data.scored > 0 && (
        <div aria-busy={isPlaceholderData}>
          <p className="hint">
            {periodText(data, other)} {t('Save a figure’s calls as a view to get alerts.')}
          </p>
          <Figures
            key={zone}
            data={data}
            other={other && other.figures.scored > 0 ? other : undefined}
            filter={{ account_sid: search.account_sid, application_sid }}
            provider={provider}
            hourly={Date.parse(data.until) - Date.parse(data.from) <= HOURLY_MAX_MS}
          />
        </div>
      )}
    </>
  )
}

/** The figures to compare with, once loaded. */
function useOther(of: Of, search: Search, ends: Ends): OtherScores | undefined {
  const { date, compare } = askedOf(search)
  const application = useApplicationName(search.with ?? '')
  const isBefore = compare === 'before'
  const enabled = isBefore || (compare === 'application' && search.with !== undefined)
  const { data } = useQuery({
    ...figuresOf(
      of,
      isBefore ? endsBefore(date, ends) : ends,
      isBefore ? search.application_sid : search.with,
    ),
    ...INLINE,
    staleTime: Number.POSITIVE_INFINITY,
    enabled,
  })
  return enabled && data
    ? { figures: data, application: isBefore ? undefined : application }
    : undefined
}

function periodText({ from, until }: ScoreFigures, other: OtherScores | undefined) {
  const values = { from: timeText(from), to: zonedText(until) }
  if (!other) return t('{from} to {to}.', values)
  const { figures, application } = other
  if (application !== undefined)
    return t('{from} to {to}, compared with {calls} scored calls of {application}.', {
      ...values,
      application,
      calls: numberText(figures.scored),
    })
  return t('{from} to {to}, compared with {calls} scored calls of the period before.', {
    ...values,
    calls: numberText(figures.scored),
  })
}

const Empty = ({
  application_sid,
  onMonth,
}: {
  application_sid: string | undefined
  onMonth: (() => void) | undefined
}) => (
  <EmptyState text={t('No scored calls in this period.')}>
    <p className="voice-needs">
      {t(
        'A share of the calls of an application is scored once its score card is turned on: by rules, and by a language model where the account has one.',
      )}
    </p>
    {onMonth && <Button onClick={onMonth}>{t('Show the last 30 days')}</Button>}
    <PlainLink
      href={application_sid ? scoreCardHref(application_sid) : '/internal/applications'}
      className={buttonClass()}
    >
      {application_sid ? t('Score card') : t('Applications')}
    </PlainLink>
  </EmptyState>
)
