import { type RunView, t } from '@switchroom/contract'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { viewOf as applicationOf } from '../../applications/queries'
import { useCrumb } from '../../lib/crumb'
import { isNotFound } from '../../lib/failure'
import { useFollowProvider } from '../../lib/follow-provider'
import { LoadError } from '../../lib/load-error'
import { PlainLink } from '../../lib/plain-link'
import { buttonClass } from '../../ui/button'
import { zonedText } from '../../ui/dates'
import { Fact, Facts } from '../../ui/facts'
import { PageHeader } from '../../ui/page-header'
import { EmptyState, LoadingState } from '../../ui/states'
import { Status } from '../../ui/status'
import { Simulation } from '../simulated-callers/simulation'
import { Outcomes } from '../test-cases/outcomes'
import { SaveAsTestCase } from '../test-cases/save'
import { viewOf } from './queries'
import { Run, RunNotices } from './run'
import { RunActions } from './run-actions'
import { runHref, tryHref } from './run-href'
import { STATES } from './run-text'
import sheet from './try.css?url'

const route = getRouteApi('/internal/applications/$application_sid/try/$run_sid')

/** A run by its address, which can be shared while it goes on. */
export function RunPage() {
  const { application_sid, run_sid } = route.useParams()
  const { data: application } = useSuspenseQuery(applicationOf(application_sid))
  const view = useQuery(viewOf({ application_sid, run_sid }))
  const { data: run, error, failureReason, refetch } = view
  useCrumb(t('Try it: {name}', { name: application.name }))
  useFollowProvider(application)
  const isGone = isNotFound(error)
  return (
    <>
      {/* other screens need none of it */}
      <link rel="stylesheet" href={sheet} precedence="page" />
      <PageHeader title={t('Call to {name}', { name: application.name })}>
        {run && run.state !== 'running' && !run.is_withheld && <SaveAsTestCase run={run} />}
        {run && <RunActions run={run} />}
      </PageHeader>
      {run ? (
        <>
          <StartFacts run={run} />
          <RunNotices run={run} lost={failureReason ?? error} />
          {run.simulation && <Simulation application_sid={application_sid} of={run.simulation} />}
          <Outcomes run={run} />
          {run.is_withheld ? (
            <EmptyState text={t('The account keeps less of the words of its calls by now.')} />
          ) : (
            <Run key={run_sid} run={run} />
          )}
        </>
      ) : isGone ? (
        <EmptyState text={t('Run not found. Only the latest runs of an application are kept.')}>
          <PlainLink href={tryHref(application_sid)} className={buttonClass()}>
            {t('Try it')}
          </PlainLink>
        </EmptyState>
      ) : error ? (
        <LoadError error={error} retry={refetch} />
      ) : (
        <LoadingState text={t('Loading the run')} />
      )}
    </>
  )
}

function StartFacts({ run }: { run: RunView }) {
  const { start, begun_at, repeats, application_sid } = run
  const { tone, word } = STATES[run.state]
  const headers = Object.entries(start.sip_headers ?? {})
  return (
    <Facts inline>
      <Fact name={t('Status')}>
        <Status tone={tone}>{word}</Status>
      </Fact>
      <Fact name={t('From')}>
        <span className="mono">{start.from}</span>
        {start.caller_name && <span dir="auto"> {start.caller_name}</span>}
      </Fact>
      <Fact name={t('To')}>
        <span className="mono">{start.to}</span>
      </Fact>
      <Fact name={t('Started')}>{zonedText(begun_at)}</Fact>
      {repeats && (
        <Fact name={t('Repeats')}>
          <PlainLink href={runHref({ application_sid, run_sid: repeats })}>
            {t('An earlier run')}
          </PlainLink>
        </Fact>
      )}
      {headers.length > 0 && (
        <Fact name={t('SIP headers')}>
          {headers.map(([name, value]) => (
            <code key={name} className="run-header">
              {name}: {value}
            </code>
          ))}
        </Fact>
      )}
    </Facts>
  )
}
