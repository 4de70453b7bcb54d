import { type Cost, numberText, plural, type Turns as Queue, t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../lib/api'
import { systemHealth } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { LoadError } from '../../lib/load-error'
import { Notice } from '../../ui/notice'
import { rich } from '../../ui/rich'
import { LoadingState } from '../../ui/states'
import { TableHead } from '../../ui/table-head'
import '../../lib/table.css'
import './turns.css'

const view = query(systemHealth.turns, {})

/** Who has costly requests running and waiting on this server, and how many they may have. */
export function Turns({ refreshMs }: { refreshMs: number }) {
  const { data, error, refetch } = useQuery({
    ...view,
    refetchInterval: refreshMs,
    retry: false,
    staleTime: 0,
    meta: { background: true },
  })
  return (
    <section className="parts turns" aria-labelledby="turns-title">
      <h2 id="turns-title">{t('Costly requests')}</h2>
      <p className="turns-about">
        {t(
          'Each account, each service provider and the administrators run only a few of these at once on this server. More wait for their turn; beyond that they are refused.',
        )}
      </p>
      {error && data && (
        <Notice tone="warn">
          {rich('This list may be out of date. {message}', { message: messageOf(error) })}
        </Notice>
      )}
      {data ? (
        <Queues queues={data} />
      ) : error ? (
        <div className="table-box">
          <LoadError error={error} retry={refetch} />
        </div>
      ) : (
        <LoadingState text={t('Loading costly requests')} />
      )}
    </section>
  )
}

const LABELS: Record<Cost, string> = {
  searches: t('Searches'),
  lists: t('Full lists'),
  exports: t('Exports'),
  imports: t('Imports'),
  changes: t('Changes of many rows'),
  figures: t('Statistics'),
  simulations: t('Route simulations'),
  comparisons: t('Comparisons of routes'),
}

function Queues({ queues }: { queues: readonly Queue[] }) {
  const waiting = queues.reduce((n, queue) => n + queue.waiting, 0)
  return (
    <>
      <p className="turns-about">
        {waiting === 0
          ? t('Nothing is waiting.')
          : plural(waiting, '1 request is waiting.|{n} requests are waiting.')}
      </p>
      <div className="table-box">
        <table className="table" aria-labelledby="turns-title">
          <TableHead
            of={[t('Requests'), { end: t('Running') }, { end: t('Waiting') }, t('For'), t('Limit')]}
          />
          <tbody>
            {queues.map((queue) => (
              <tr key={queue.work}>
                <td>{LABELS[queue.work]}</td>
                <td data-label={t('Running')} data-align="end">
                  {numberText(queue.running)}
                </td>
                <td data-label={t('Waiting')} data-align="end">
                  {numberText(queue.waiting)}
                </td>
                <td data-label={t('For')} className="turns-for">
                  <Tenants queue={queue} />
                </td>
                <td data-label={t('Limit')}>{limitText(queue.limits)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

const limitText = ({ at_once, waiting, at_once_in_all }: Queue['limits']) =>
  at_once_in_all === null
    ? t('{at_once} at once and {waiting} waiting for each', { at_once, waiting })
    : t('{at_once} at once and {waiting} waiting for each, {at_once_in_all} at once for all', {
        at_once,
        waiting,
        at_once_in_all,
      })

type Tenant = Queue['tenants'][number]

const nameOf = ({ kind, name, sid }: Tenant) =>
  kind === 'administrators'
    ? t('Administrators')
    : kind === 'service_provider'
      ? t('{name} (service provider)', { name })
      : kind === 'network'
        ? t('{network} (not logged in)', { network: name })
        : (name ?? sid)

const loadOf = ({ running, waiting }: Tenant) =>
  [
    running > 0 && plural(running, '1 running|{n} running'),
    waiting > 0 && plural(waiting, '1 waiting|{n} waiting'),
  ]
    .filter(Boolean)
    .join(', ')

const Tenants = ({ queue: { tenants, others } }: { queue: Queue }) =>
  tenants.length === 0 ? (
    '–'
  ) : (
    <ul>
      {tenants.map((tenant) => (
        <li key={`${tenant.kind} ${tenant.sid ?? tenant.name}`}>
          {nameOf(tenant)} <span className="turns-load">{loadOf(tenant)}</span>
        </li>
      ))}
      {others > 0 && <li>{plural(others, '1 other|{n} others')}</li>}
    </ul>
  )
