import { type GettingStarted as Answer, t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { atLeast, mayWrite } from '../../lib/access'
import { query } from '../../lib/api'
import { gettingStarted } from '../../lib/endpoints'
import { isShown } from '../../lib/getting-started-shown'
import { LoadError } from '../../lib/load-error'
import { savePreferences } from '../../lib/save-preferences'
import { homeHref } from '../../lib/session'
import { useCurrentProvider } from '../../lib/use-provider'
import { Button } from '../../ui/button'
import { Notice } from '../../ui/notice'
import { PageHeader } from '../../ui/page-header'
import { rich } from '../../ui/rich'
import { LoadingState } from '../../ui/states'
import sheet from './getting-started.css?url'
import { StepLine } from './step-line'

const REFRESH_MS = 3_000

/** The way to a first call, as a list that ticks itself. */
export const GettingStarted = () =>
  atLeast('service_provider') ? <OfProvider /> : <Steps service_provider_sid={undefined} />

const OfProvider = () => <Steps service_provider_sid={useCurrentProvider()} />

function Steps({ service_provider_sid }: { service_provider_sid: string | undefined }) {
  const { data, error, refetch } = useQuery({
    ...query(gettingStarted.view, { query: { service_provider_sid } }),
    refetchInterval: REFRESH_MS,
    retry: false,
    staleTime: 0,
  })
  return (
    <>
      <link rel="stylesheet" href={sheet} precedence="page" />
      <PageHeader title={t('Getting started')}>
        {data && <Progress steps={data.steps} />}
        <PutAway />
      </PageHeader>
      {error && data && <Notice tone="bad">{t('The latest state cannot be loaded.')}</Notice>}
      {data ? (
        <List found={data} service_provider_sid={service_provider_sid} />
      ) : error ? (
        <LoadError error={error} retry={refetch} />
      ) : (
        <LoadingState text={t('Loading the first steps')} />
      )}
    </>
  )
}

function List({
  found,
  service_provider_sid,
}: {
  found: Answer
  service_provider_sid: string | undefined
}) {
  const open = found.steps.filter(({ open }) => open !== null).map(({ step }) => step)
  // whoever has no platform yet goes on without one
  const next = open.find((step) => step !== 'platform') ?? open[0]
  return (
    <>
      <p className="steps-intro">
        {next === undefined
          ? t('Everything is in place: calls come in, are answered, and leave their records here.')
          : t('From an empty installation to the first answered call. Each step ticks itself.')}
      </p>
      {!mayWrite() && (
        <Notice tone="info">
          {t('You have view-only access, so others have to do these steps.')}
        </Notice>
      )}
      <ol className="start-steps">
        {found.steps.map(({ step, open }) => (
          <StepLine
            key={step}
            step={step}
            open={open}
            found={found}
            isNext={step === next}
            service_provider_sid={service_provider_sid}
          />
        ))}
      </ol>
    </>
  )
}

function Progress({ steps }: { steps: Answer['steps'] }) {
  const done = steps.filter(({ open }) => open === null).length
  return (
    <span className="steps-progress" role="status">
      {rich('{done} of {steps} done', { done, steps: steps.length })}
      <progress value={done} max={steps.length} aria-hidden />
    </span>
  )
}

/** Takes the list out of the menu, or puts it back. */
function PutAway() {
  const navigate = useNavigate()
  const [shown, setShown] = useState(isShown)
  const toggle = () => {
    void savePreferences({ hides_getting_started: shown })
    if (shown) void navigate({ href: homeHref() })
    else setShown(true)
  }
  return <Button onClick={toggle}>{shown ? t('Hide from menu') : t('Show in menu')}</Button>
}
