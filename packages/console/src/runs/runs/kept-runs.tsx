import { fromServer, msg, type Run, t } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ListSearch } from '../../lib/list-search'
import { type Column, Table } from '../../lib/table'
import { EmptyState } from '../../ui/states'
import { Status } from '../../ui/status'
import { Moment } from '../../ui/time'
import { listOf } from './queries'
import { runHref } from './run-href'
import { STATES } from './run-text'

const columns: Column<Run>[] = [
  { header: msg('Started'), sort: 'begun_at', width: 190, cell: (r) => <Moment at={r.begun_at} /> },
  { header: msg('From'), cell: (r) => <span className="mono">{r.start.from}</span> },
  { header: msg('To'), cell: (r) => <span className="mono">{r.start.to}</span> },
  {
    header: msg('How it ended'),
    width: '34%',
    cell: (r) => <EndCell run={r} />,
  },
  {
    header: msg('Problems'),
    align: 'end',
    width: 110,
    cell: (r) => (r.problems > 0 ? r.problems : <span className="none">{t('None')}</span>),
  },
  {
    header: msg('Test case'),
    wideOnly: true,
    width: 120,
    cell: ({ test_case_sid, is_passed }) =>
      test_case_sid === null ? (
        <span className="none">{t('No')}</span>
      ) : is_passed === null ? (
        <Status tone="off">{t('Not finished')}</Status>
      ) : is_passed ? (
        <Status tone="ok">{t('Passed')}</Status>
      ) : (
        <Status tone="bad">{t('Not passed')}</Status>
      ),
  },
]

function EndCell({ run }: { run: Run }) {
  if (run.state === 'ended')
    return (
      <span className="cut" dir="auto">
        {fromServer(run.ended ?? '')}
      </span>
    )
  const { tone, word } = STATES[run.state]
  return <Status tone={tone}>{word}</Status>
}

/** The runs of an application that are kept, newest first. */
export function KeptRuns({
  application_sid,
  search,
}: {
  application_sid: string
  search: ListSearch
}) {
  const list = useQuery({
    ...listOf({ application_sid }, search),
    placeholderData: keepPreviousData,
  })
  return (
    <Table
      label={msg('Runs')}
      columns={columns}
      query={list}
      search={search}
      rowKey={(r) => r.run_sid}
      rowHref={(r) => runHref(r)}
      empty={
        <EmptyState
          text={t(
            'Try it calls your application without a telephone: Switchroom takes the platform’s part, and you answer as the caller. Each call is kept here with its requests and what the platform would refuse.',
          )}
        />
      }
    />
  )
}
