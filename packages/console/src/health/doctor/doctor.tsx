import {
  type DoctorReport,
  doctorFindings,
  doctorSummary,
  doctorText,
  t,
} from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { send } from '../../lib/api'
import { doctor } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { LoadError } from '../../lib/load-error'
import { Button } from '../../ui/button'
import { copyText } from '../../ui/copy'
import { Notice } from '../../ui/notice'
import { PageHeader } from '../../ui/page-header'
import { rich } from '../../ui/rich'
import { LoadingState } from '../../ui/states'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import { toastError, toastSuccess } from '../../ui/toast'
import { Results, TONES } from './results'

/** Checks the server's set-up as the screen opens, and says what is wrong and how to fix it. */
export function Doctor() {
  const run = useQuery({
    queryKey: ['doctor'],
    // it changes nothing, and takes a moment, so nobody but the user runs it
    queryFn: () => send(doctor.run, {}),
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { data: report, error, isFetching, refetch } = run
  return (
    <>
      <PageHeader title={t('Doctor')}>
        {report && <Overall results={report.results} />}
        {report && <Button onClick={() => void copy(report)}>{t('Copy as text')}</Button>}
        {report && (
          <Button busy={isFetching} onClick={() => void refetch()}>
            {isFetching ? t('Checking…') : t('Run again')}
          </Button>
        )}
      </PageHeader>
      <p className="parts-server">
        {rich(
          'Checks this server’s set-up and changes nothing. {code} does the same where the server does not start.',
          { code: <code>npm run doctor</code> },
        )}
        {report && (
          <>
            {' '}
            {rich('Version {version} on {span}, checked {time}.', {
              version: report.version,
              span: <span className="mono">{report.host}</span>,
              time: <Time at={report.ran_at} />,
            })}
          </>
        )}
      </p>
      {report && error && (
        <Notice tone="bad">
          {rich('The checks did not run again. {message}', { message: messageOf(error) })}
        </Notice>
      )}
      {report ? (
        <Results results={report.results} />
      ) : error ? (
        <LoadError error={error} retry={refetch} />
      ) : (
        <LoadingState text={t('Checking the set-up')} />
      )}
    </>
  )
}

async function copy(report: DoctorReport) {
  if (await copyText(doctorText(report))) toastSuccess(t('Report copied to clipboard'))
  else toastError(t('Unable to copy the report, please select the text and right click to copy'))
}

function Overall({ results }: Pick<DoctorReport, 'results'>) {
  const [worst] = doctorFindings(results)
  return (
    <span role="status">
      <Status tone={TONES[worst?.outcome ?? 'ok']}>{doctorSummary(results)}</Status>
    </span>
  )
}
