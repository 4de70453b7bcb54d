import { msg, plural, SUITE_MAX_CALLS, type Suite, t } from '@switchroom/contract'
import { keepPreviousData, useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import { useState } from 'react'
import { viewOf as applicationOf } from '../../applications/queries'
import { CALL_DATES, endsOf, isCallDate, isoEnds } from '../../calls/call-span'
import { mayWrite } from '../../lib/access'
import { send } from '../../lib/api'
import { useCrumb } from '../../lib/crumb'
import { suites } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { useFollowProvider } from '../../lib/follow-provider'
import { linkTo } from '../../lib/link-to'
import { type Column, Table } from '../../lib/table'
import { Block } from '../../ui/block'
import { Button } from '../../ui/button'
import { Notice } from '../../ui/notice'
import { NumberField } from '../../ui/number-field'
import { PageHeader } from '../../ui/page-header'
import { SelectField } from '../../ui/select'
import { EmptyState } from '../../ui/states'
import { Status } from '../../ui/status'
import { Moment } from '../../ui/time'
import { listOf, suiteHref } from './queries'
import { countTexts, RESULTS } from './suite-text'
import sheet from './suites.css?url'

const route = getRouteApi('/internal/applications/$application_sid/suites')

const columns: Column<Suite>[] = [
  { header: msg('Started'), sort: 'begun_at', width: 190, cell: (s) => <Moment at={s.begun_at} /> },
  { header: msg('Calls from'), width: 190, cell: (s) => <Moment at={s.start} /> },
  { header: msg('Calls until'), width: 190, cell: (s) => <Moment at={s.end} /> },
  { header: msg('Result'), cell: (s) => <Counts results={s.results} /> },
]

export const Counts = ({ results }: Pick<Suite, 'results'>) => (
  <span className="suite-counts numbers">
    {countTexts(results).map(({ result, text }) => (
      <Status key={result} tone={RESULTS[result].tone}>
        {text}
      </Status>
    ))}
  </span>
)

/** Calls of an application that are played again, to compare what it does with what it did. */
export function Suites() {
  const { application_sid } = route.useParams()
  const search = route.useSearch()
  const { data: application } = useSuspenseQuery(applicationOf(application_sid))
  useCrumb(application.name)
  useFollowProvider(application)
  const list = useQuery({ ...listOf(application_sid, search), placeholderData: keepPreviousData })
  return (
    <>
      <link rel="stylesheet" href={sheet} precedence="page" />
      <PageHeader title={t('Calls played again')} />
      {mayWrite() && (
        <Block title={t('Play calls again')}>
          <Begin application_sid={application_sid} />
        </Block>
      )}
      <div className="suite-list">
        <Table
          label={msg('Suites')}
          columns={columns}
          query={list}
          search={search}
          rowKey={(s) => s.suite_sid}
          rowHref={suiteHref}
          empty={
            <EmptyState
              text={t(
                'Calls of a day are played again without a telephone: each caller says and presses what they did, and what the application does is compared with what it did then.',
              )}
            />
          }
        />
      </div>
    </>
  )
}

function Begin({ application_sid }: { application_sid: string }) {
  const navigate = useNavigate()
  const [date, setDate] = useState('today')
  const [calls, setCalls] = useState<number | null>(10)
  const begin = useMutation({
    mutationFn: () =>
      send(suites.begin, {
        params: { application_sid },
        body: {
          ...isoEnds(endsOf(isCallDate(date) ? date : 'today', Date.now())),
          calls: calls ?? 0,
        },
      }),
    onSuccess: (suite) => navigate(linkTo(suiteHref(suite))),
  })
  return (
    <form
      className="suite-form"
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        if (!begin.isPending) begin.mutate()
      }}
    >
      <SelectField label={t('Calls of')} options={CALL_DATES} value={date} onChange={setDate} />
      <NumberField
        label={t('At most')}
        min={1}
        value={calls}
        onChange={setCalls}
        help={plural(SUITE_MAX_CALLS, '1 call|Up to {n}, different courses first')}
      />
      <Button look="primary" type="submit" busy={begin.isPending}>
        <Play aria-hidden />
        {begin.isPending ? t('Choosing calls…') : t('Play')}
      </Button>
      {begin.error && <Notice tone="bad">{messageOf(begin.error)}</Notice>}
    </form>
  )
}
