import {
  type SystemHealth as Answer,
  fromServer,
  HEALTH_PARTS,
  type HealthGroup,
  type HealthPart,
  t,
} from '@switchroom/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { query, queryClient, send } from '../../lib/api'
import { systemHealth } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { linkTo } from '../../lib/link-to'
import { LoadError } from '../../lib/load-error'
import { keysOf } from '../../lib/records'
import { Button, buttonClass } from '../../ui/button'
import { Notice } from '../../ui/notice'
import { PageHeader } from '../../ui/page-header'
import { rich } from '../../ui/rich'
import { LoadingState } from '../../ui/states'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import { toastError } from '../../ui/toast'
import { Backups } from './backups'
import { Quotas } from './quotas'
import { merged, useReadiness } from './readiness'
import { labelOf, STATES, unwellOf } from './states'
import { StoredRecords } from './stored'
import { Turns } from './turns'
import './health.css'

const REFRESH_MS = 3_000
const view = query(systemHealth.view, {})

/** The state of every part that this server depends on. What is wrong comes first. */
export function SystemHealth() {
  const health = useQuery({ ...view, refetchInterval: REFRESH_MS, retry: false, staleTime: 0 })
  const readiness = useReadiness(health.error !== null)
  const check = useMutation({
    mutationFn: () => send(systemHealth.check, {}),
    onSuccess: (answer) => queryClient.setQueryData(view.queryKey, answer),
    onError: (error) => toastError(messageOf(error)),
  })
  const known = health.data
  const parts = known && (readiness && health.error ? merged(known.parts, readiness) : known.parts)
  return (
    <>
      <PageHeader title={t('System health')}>
        {parts && <Overall parts={parts} />}
        {known && (
          <Link to="/internal/system-health/doctor" className={buttonClass()}>
            {t('Run doctor')}
          </Link>
        )}
        {known && (
          <Button busy={check.isPending} onClick={() => check.mutate()}>
            {check.isPending ? t('Checking…') : t('Check now')}
          </Button>
        )}
      </PageHeader>
      {known && health.error && (
        <Notice tone="bad">
          {rich('The latest state cannot be loaded. {message}', {
            message: messageOf(health.error),
          })}
        </Notice>
      )}
      {known && parts ? (
        <>
          <Server answer={known} />
          <Parts parts={parts} />
          <StoredRecords parts={parts} />
          <Turns refreshMs={REFRESH_MS} />
          <Quotas quotas={known.quotas} />
          <Backups />
        </>
      ) : health.error ? (
        <LoadError error={health.error} retry={health.refetch} />
      ) : (
        <LoadingState text={t('Loading system health')} />
      )}
    </>
  )
}

function Overall({ parts }: { parts: HealthPart[] }) {
  const unwell = unwellOf(parts)
  const failing = unwell.filter(({ state }) => state === 'failing').length
  const text =
    unwell.length === 0
      ? t('All parts OK')
      : [
          failing > 0 && t('{failing} failing', { failing }),
          unwell.length > failing && t('{unwell} degraded', { unwell: unwell.length - failing }),
        ]
          .filter(Boolean)
          .join(', ')
  return (
    <span role="status">
      <Status tone={STATES[unwell[0]?.state ?? 'ok'].tone}>{text}</Status>
    </span>
  )
}

const Server = ({ answer: { host, started_at, version } }: { answer: Answer }) => (
  <p className="parts-server">
    {rich('Version {version} on {span}, started {time}', {
      version,
      span: <span className="mono">{host}</span>,
      time: <Time at={started_at} />,
    })}
  </p>
)

const GROUPS: Record<HealthGroup, string> = {
  data: t('Data'),
  records: t('Call records'),
  intake: t('Intake from the platform'),
  services: t('Outside services'),
  process: t('This server'),
}

function Parts({ parts }: { parts: HealthPart[] }) {
  const unwell = unwellOf(parts)
  const groups = keysOf(GROUPS).map((group) => ({
    title: GROUPS[group],
    parts: parts
      .filter(({ part, state }) => state === 'ok' && HEALTH_PARTS[part].group === group)
      .toSorted((a, b) => labelOf(a).localeCompare(labelOf(b))),
  }))
  return [{ title: t('Needs attention'), parts: unwell }, ...groups]
    .filter(({ parts }) => parts.length > 0)
    .map(({ title, parts }) => <Group key={title} title={title} parts={parts} />)
}

const Group = ({ title, parts }: { title: string; parts: HealthPart[] }) => (
  <section className="parts" aria-label={title}>
    <h2>{title}</h2>
    <ul>
      {parts.map((part) => (
        <Part key={part.part} part={part} />
      ))}
    </ul>
  </section>
)

/** Pages with the details of a part. */
const PAGES: Partial<Record<HealthPart['part'], { href: string; label: string }>> = {
  event_delivery: { href: '/internal/alerts/webhooks', label: t('Event webhooks') },
}

function Part({ part }: { part: HealthPart }) {
  const { state, since, sentence, last_error } = part
  const { tone, text } = STATES[state]
  const page = PAGES[part.part]
  return (
    <li>
      <span className="part-name">{labelOf(part)}</span>
      <span className="part-state">
        <Status tone={tone}>{text}</Status>
      </span>
      <span className="part-text">
        {sentence && fromServer(sentence)}
        {page && state !== 'ok' && (
          <>
            {' '}
            <Link {...linkTo(page.href)}>{page.label}</Link>
          </>
        )}
        {state === 'ok' && last_error && (
          <span className="part-past">
            {rich('Last error {time}: {sentence}', {
              time: <Time at={last_error.at} />,
              sentence: fromServer(last_error.sentence),
            })}
          </span>
        )}
      </span>
      <span className="part-since">{rich('changed {time}', { time: <Time at={since} /> })}</span>
    </li>
  )
}
