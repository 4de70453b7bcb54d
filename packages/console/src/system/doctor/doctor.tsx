import {
  DOCTOR_CHECKS,
  DOCTOR_GROUPS,
  DOCTOR_OUTCOME_TEXTS,
  type DoctorReport,
  type DoctorResult,
  doctorFindings,
  doctorLabel,
  doctorSummary,
  doctorText,
  fromServer,
  t,
} from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { send } from '../../lib/api'
import { doctor } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { LoadError } from '../../lib/load-error'
import { keysOf } from '../../lib/records'
import { Button } from '../../ui/button'
import { copyText } from '../../ui/copy'
import { Notice } from '../../ui/notice'
import { PageHeader } from '../../ui/page-header'
import { rich } from '../../ui/rich'
import { LoadingState } from '../../ui/states'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import { toastError, toastSuccess } from '../../ui/toast'
import '../system-health/health.css'
import './doctor.css'

const TONES = { problem: 'bad', warning: 'warn', not_checked: 'off', ok: 'ok' } as const

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

function Results({ results }: Pick<DoctorReport, 'results'>) {
  const findings = doctorFindings(results)
  const groups = keysOf(DOCTOR_GROUPS).map((group) => ({
    title: DOCTOR_GROUPS[group],
    results: results.filter(
      (result) => DOCTOR_CHECKS[result.check].group === group && !findings.includes(result),
    ),
  }))
  return (
    <>
      {findings.length > 0 && (
        <Group title={t('Needs attention')} results={findings} nameOf={doctorLabel} />
      )}
      {groups
        .filter((group) => group.results.length > 0)
        .map((group) => (
          <Group key={group.title} {...group} nameOf={({ check }) => DOCTOR_CHECKS[check].label} />
        ))}
    </>
  )
}

type GroupProps = {
  title: string
  results: readonly DoctorResult[]
  nameOf: (result: DoctorResult) => string
}

const Group = ({ title, results, nameOf }: GroupProps) => (
  <section className="parts" aria-label={title}>
    <h2>{title}</h2>
    <ul>
      {results.map((result) => (
        <li key={`${result.check} ${result.sentence}`} className="doctor-result">
          <span className="part-name">{nameOf(result)}</span>
          <span className="part-state">
            <Status tone={TONES[result.outcome]}>{DOCTOR_OUTCOME_TEXTS[result.outcome]}</Status>
          </span>
          <div className="part-text">
            {fromServer(result.sentence)}
            {result.fix && (
              <p className="doctor-fix">
                <b>{t('To fix it:')}</b> {fromServer(result.fix)}
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  </section>
)
