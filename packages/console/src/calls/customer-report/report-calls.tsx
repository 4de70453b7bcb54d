import { durationText, numberText, type ReportCall, t } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryClient } from '../../lib/api'
import { INLINE } from '../../lib/inline'
import { LoadError } from '../../lib/load-error'
import { Button } from '../../ui/button'
import { LoadingState } from '../../ui/states'
import { Status } from '../../ui/status'
import { TableHead } from '../../ui/table-head'
import { ExactTime } from '../../ui/time'
import { outcome } from '../call-text'

/** Calls of a page. */
const PAGE = 50

/** Asks for a page of the calls of a report. */
export type LoadCalls = {
  key: readonly unknown[]
  page: (page: { page: number; count: number }) => Promise<{ data: ReportCall[]; total: number }>
}

/** The calls of a report, newest first, a page at a time. */
export function ReportCalls({ load, hides_numbers }: { load: LoadCalls; hides_numbers: boolean }) {
  const [page, setPage] = useState(1)
  const { data, error, refetch, isFetching } = useQuery(
    {
      queryKey: ['calls of a report', ...load.key, page],
      queryFn: () => load.page({ page, count: PAGE }),
      placeholderData: keepPreviousData,
      ...INLINE,
    },
    queryClient,
  )
  if (error) return <LoadError error={error} retry={refetch} />
  if (!data) return <LoadingState text={t('Loading the calls')} />
  const first = (page - 1) * PAGE + 1
  return (
    <>
      {hides_numbers && (
        <p className="block-empty">
          {t('Numbers show only the country code and the last two digits.')}
        </p>
      )}
      <Table calls={data.data} />
      <div className="report-foot">
        <span>
          {t('{first} to {last} of {total}', {
            first: numberText(first),
            last: numberText(Math.min(first + PAGE - 1, data.total)),
            total: numberText(data.total),
          })}
        </span>
        {data.total > PAGE && (
          <nav className="report-screen" aria-label={t('Pages')}>
            <Button size="small" disabled={page === 1} onClick={() => setPage(page - 1)}>
              {t('Newer calls')}
            </Button>{' '}
            <Button
              size="small"
              busy={isFetching}
              disabled={first + PAGE > data.total}
              onClick={() => setPage(page + 1)}
            >
              {t('Older calls')}
            </Button>
          </nav>
        )}
      </div>
    </>
  )
}

const Table = ({ calls }: { calls: readonly ReportCall[] }) => (
  <div className="table-box">
    <table className="table" aria-label={t('Calls')}>
      <TableHead
        of={[
          t('Time'),
          t('Direction'),
          t('From'),
          t('To'),
          t('Outcome'),
          { end: t('Duration') },
          t('Application'),
        ]}
      />
      <tbody>
        {calls.map((call, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a page does not change, and shortened calls may be the same
          <tr key={i}>
            <td data-label={t('Time')}>
              <ExactTime at={call.attempted_at} />
            </td>
            <td data-label={t('Direction')}>{directionText(call.direction)}</td>
            <td data-label={t('From')}>
              <code>{call.from ?? t('Unknown')}</code>
            </td>
            <td data-label={t('To')}>
              <code>{call.to ?? t('Unknown')}</code>
            </td>
            <td data-label={t('Outcome')}>
              <Outcome call={call} />
            </td>
            <td data-label={t('Duration')} data-align="end">
              {call.answered ? (durationText(call.duration) ?? '–') : '–'}
            </td>
            <td data-label={t('Application')}>{call.application ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const directionText = (direction: string | null) =>
  direction === 'inbound' ? t('Inbound') : direction === 'outbound' ? t('Outbound') : t('Unknown')

function Outcome({ call }: { call: ReportCall }) {
  const { tone, word } = outcome(call)
  return <Status tone={tone}>{word}</Status>
}
