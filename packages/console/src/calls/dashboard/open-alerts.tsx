import {
  type AlertGroup,
  alertTypeOf,
  alertTypeText,
  fromServer,
  GATHERED_MAX,
  ISSUE_HOURS,
  numberText,
  plural,
  t,
} from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { useState } from 'react'
import { ownAccount } from '../../lib/access'
import { AlertMark } from '../../lib/alert-mark'
import { query } from '../../lib/api'
import { accountAlerts, providerAlerts } from '../../lib/endpoints'
import { PlainLink } from '../../lib/plain-link'
import { Button } from '../../ui/button'
import { rich } from '../../ui/rich'
import { Skeleton } from '../../ui/states'
import { Badge } from '../../ui/status'
import { Time } from '../../ui/time'

const ALERTS_MS = 60_000
/** A failure shows in its place, and the next poll is the retry. */
const POLLED = { meta: { background: true as const }, retry: false }
/** How many are shown at first. */
const FIRST = 5

const hrefOf = ({ account_sid, latest }: AlertGroup) => {
  const filters = { alert_type: alertTypeOf(latest), ...(account_sid && { account_sid }) }
  return `/internal/alerts?${new URLSearchParams(filters)}`
}

/** Alerts of the last day that nobody has seen to, by type and account. */
export function OpenAlerts({
  provider,
  account_sid,
  filtered,
}: {
  provider: string
  /** The user's or filtered account. */
  account_sid: string | undefined
  /** The filtered account, for links. */
  filtered: string | undefined
}) {
  const [showsAll, setShowsAll] = useState(false)
  const asked = { days: 1, state: 'open' as const }
  const { data, error } = useQuery({
    ...(account_sid
      ? query(accountAlerts.gathered, { params: { account_sid }, query: asked })
      : query(providerAlerts.gathered, {
          params: { service_provider_sid: provider },
          query: asked,
        })),
    ...POLLED,
    refetchInterval: ALERTS_MS,
  })
  const all = data?.data ?? []
  const shown = showsAll ? all : all.slice(0, FIRST)
  const list = `/internal/alerts?by=type${filtered ? `&account_sid=${filtered}` : ''}`
  return (
    <section className="dashboard-part open-alerts" aria-labelledby="open-alerts-title">
      <h2 id="open-alerts-title">
        {t('Open alerts')}
        {all.length > 0 && ` (${all.length})`}
      </h2>
      {all.length > 0 && (
        <ul>
          {shown.map((group) => {
            const name = alertTypeText(alertTypeOf(group.latest)).name
            const key = `${group.account_sid} ${group.alert_type}`
            return (
              <li key={key}>
                <CircleAlert aria-hidden className="open-alert-icon" />
                <div className="open-alert-text">
                  <PlainLink href={hrefOf(group)}>{name}</PlainLink>{' '}
                  {!ownAccount() && group.account_name && <>· {group.account_name} </>}
                  {group.state === 'returned' && <Badge tone="bad">{t('Returned')}</Badge>}
                  <div className="none">
                    {rich('{alerts}, the last {time}', {
                      alerts: plural(group.alerts, '1 alert|{n} alerts'),
                      time: <Time at={group.last_at} />,
                    })}
                    {group.latest.message && <>: {fromServer(group.latest.message)}</>}
                  </div>
                </div>
                <AlertMark
                  group={group}
                  of={account_sid ? { account_sid } : { service_provider_sid: provider }}
                  label={t('Resolve: {name}{value}', {
                    name,
                    value: group.account_name ? `, ${group.account_name}` : '',
                  })}
                />
              </li>
            )
          })}
        </ul>
      )}
      {all.length > shown.length && (
        <Button size="small" look="quiet" onClick={() => setShowsAll(true)}>
          {rich('Show all {all}', { all: all.length })}
        </Button>
      )}
      {data ? (
        <p className="hint" role="status">
          {all.length === 0 && t('There are no open alerts.')}{' '}
          {data.total > GATHERED_MAX &&
            t('Only the newest {read} are read.', { read: numberText(GATHERED_MAX) })}{' '}
          {rich(
            'An alert is open until it is resolved, or has not recurred for {hours} hours. {link}',
            {
              hours: ISSUE_HOURS,
              link: <PlainLink href={list}>{t('All alerts by type')}</PlainLink>,
            },
          )}
        </p>
      ) : error ? (
        <p className="hint" role="status">
          {t('Alerts could not be read. They are read again in a minute.')}
        </p>
      ) : (
        <Skeleton height={20} width="60%" />
      )}
    </section>
  )
}
