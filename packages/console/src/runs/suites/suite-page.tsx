import { fromServer, plural, type SuiteCall, type SuiteView, t } from '@switchroom/contract'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { viewOf as applicationOf } from '../../applications/queries'
import { testCaseOfCallHref } from '../../calls/case-address'
import { mayWrite } from '../../lib/access'
import { send } from '../../lib/api'
import { useCrumb } from '../../lib/crumb'
import { suites } from '../../lib/endpoints'
import { useFollowProvider } from '../../lib/follow-provider'
import { LoadError } from '../../lib/load-error'
import { PlainLink } from '../../lib/plain-link'
import { zonedText } from '../../ui/dates'
import { Fact, Facts } from '../../ui/facts'
import { PageHeader } from '../../ui/page-header'
import { LoadingState } from '../../ui/states'
import { Status } from '../../ui/status'
import { TableHead } from '../../ui/table-head'
import { viewOf as runOf } from '../runs/queries'
import { runHref } from '../runs/run-href'
import { StopButton } from '../stop-button'
import { viewOf } from './queries'
import { pairsOf, RESULTS } from './suite-text'
import { Counts } from './suites'
import sheet from './suites.css?url'

const route = getRouteApi('/internal/applications/$application_sid/suites/$suite_sid')

/** Calls that are played again: which are the same, which differ, and where. */
export function SuitePage() {
  const params = route.useParams()
  const { data: application } = useSuspenseQuery(applicationOf(params.application_sid))
  const { data: suite, error, refetch } = useQuery(viewOf(params))
  useCrumb(t('Calls played again: {name}', { name: application.name }))
  useFollowProvider(application)
  return (
    <>
      <link rel="stylesheet" href={sheet} precedence="page" />
      <PageHeader title={t('Calls to {name}, played again', { name: application.name })}>
        {suite && suite.results.running > 0 && mayWrite() && (
          <StopButton stop={() => send(suites.stop, { params })} />
        )}
      </PageHeader>
      {suite ? (
        <Calls suite={suite} />
      ) : error ? (
        <LoadError error={error} retry={refetch} />
      ) : (
        <LoadingState text={t('Loading the suite')} />
      )}
    </>
  )
}

function Calls({ suite }: { suite: SuiteView }) {
  const { begun_at, start, end, looked_at, left_out, results, calls } = suite
  return (
    <div className="suite-page">
      <div role="status">
        <Counts results={results} />
      </div>
      <Facts inline>
        <Fact name={t('Started')}>{zonedText(begun_at)}</Fact>
        <Fact name={t('Calls of')}>
          {t('{start} to {end}', { start: zonedText(start), end: zonedText(end) })}
        </Fact>
        <Fact name={t('Looked at')}>{plural(looked_at, '1 call|{n} calls')}</Fact>
        {left_out > 0 && (
          <Fact name={t('Cannot be played')}>
            {plural(
              left_out,
              '1 call without a trace, or without its words|{n} calls without a trace, or without their words',
            )}
          </Fact>
        )}
      </Facts>
      <p className="hint">
        {t(
          'A call is the same if the application says, asks, dials and ends what it did then, in the same order. Numbers, dates and names may differ.',
        )}
      </p>
      <ul className="suite-calls" aria-label={t('Calls')}>
        {calls.map((call) => (
          <li key={call.run_sid}>
            <Call call={call} suite={suite} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Call({ call, suite }: { call: SuiteCall; suite: SuiteView }) {
  const { attempted_at, from, to, result, why } = call
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="suite-call" onToggle={(e) => setIsOpen(e.currentTarget.open)}>
      <summary>
        <Status tone={RESULTS[result].tone}>{RESULTS[result].text}</Status>
        <span className="numbers">{zonedText(attempted_at)}</span>
        <span className="mono">{`${from} → ${to}`}</span>
        {why && <span className="suite-why">{fromServer(why)}</span>}
      </summary>
      {isOpen && <SideBySide call={call} suite={suite} />}
    </details>
  )
}

function SideBySide({
  call: { run_sid, steps, trace_id, result },
  suite: { application_sid, account_sid },
}: {
  call: SuiteCall
  suite: SuiteView
}) {
  const run = useQuery({ ...runOf({ application_sid, run_sid }), enabled: result !== 'gone' })
  const pairs = pairsOf(steps, run.data ?? { steps: [], outcomes: null })
  return (
    <>
      {steps.length === 0 ? (
        <p className="hint">{t('The account keeps less of the words of its calls by now.')}</p>
      ) : (
        <table className="suite-pairs" aria-label={t('Then and now')}>
          <TableHead of={[t('In the call'), t('Played again')]} />
          <tbody>
            {pairs.map(({ before, now, differs }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the steps do not change
              <tr key={i}>
                <td dir="auto">{before}</td>
                <td dir="auto">{differs ? <Status tone="bad">{now}</Status> : now}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="suite-links">
        {result !== 'gone' && (
          <PlainLink href={runHref({ application_sid, run_sid })}>{t('Open run')}</PlainLink>
        )}
        {account_sid && mayWrite() && (
          <PlainLink href={testCaseOfCallHref(application_sid, { account_sid, trace_id })}>
            {t('Make a test case')}
          </PlainLink>
        )}
      </p>
    </>
  )
}
