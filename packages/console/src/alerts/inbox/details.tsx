import {
  type AlertGroup,
  alertTypeOf,
  type CallAnomaly,
  type CarrierTrouble,
  fromServer,
  type InboxIssue,
  plural,
  t,
} from '@switchroom/contract'
import { anomalyHref } from '../../calls/dashboard/anomaly-href'
import { send } from '../../lib/api'
import { accountIssues, providerIssues } from '../../lib/endpoints'
import type { InboxOf } from '../../lib/issue-count'
import { PlainLink } from '../../lib/plain-link'
import { whyText } from '../../lib/state/why-text'
import { thingHref } from '../../lib/thing-href'
import { buttonClass } from '../../ui/button'
import { rich } from '../../ui/rich'
import { ExactTime } from '../../ui/time'
import { Details as AlertDetails } from '../details'
import { Details as FailureDetails } from '../failures/details'
import { type Change, Handling } from '../handling'
import '../alerts.css'
import '../failures/failures.css'

/** Details of an issue, and actions for it. */
export function Details({ issue, of }: { issue: InboxIssue; of: InboxOf }) {
  if (issue.kind === 'failure') return <FailureDetails failure={issue.failure} />
  const { kind, key, account_sid } = issue
  const mark = (change: Change) => {
    const body = { kind, key, ...change }
    return 'account_sid' in of
      ? send(accountIssues.mark, { params: of, body })
      : send(providerIssues.mark, { params: of, body: { ...body, account_sid } })
  }
  const handling = (
    <Handling issue={issue} account_sid={'account_sid' in of ? of.account_sid : null} send={mark} />
  )
  switch (issue.kind) {
    case 'carrier':
      return <Carrier carrier={issue.carrier}>{handling}</Carrier>
    case 'alert':
      return <Alerts group={issue.alerts}>{handling}</Alerts>
    case 'anomaly':
      return (
        <Anomaly anomaly={issue.anomaly} of={of}>
          {handling}
        </Anomaly>
      )
  }
}

/** Suggested fix, with a button that leads there. */
const Help = ({ text, href, label }: { text: string | null; href: string; label: string }) => (
  <div className="failure-mend">
    {text && <p>{text}</p>}
    <PlainLink href={href} className={buttonClass('primary', 'small')}>
      {label}
    </PlainLink>
  </div>
)

function Carrier({ carrier, children }: { carrier: CarrierTrouble; children: React.ReactNode }) {
  const { voip_carrier_sid, mend, findings } = carrier
  const [, ...others] = findings
  return (
    <div className="issue">
      <p>{whyText(carrier)}</p>
      <Help
        text={mend && fromServer(mend)}
        href={thingHref('voip_carrier', voip_carrier_sid)}
        label={t('Open carrier')}
      />
      {children}
      {others.length > 0 && (
        <ul>
          {others.map((finding) => (
            <li key={`${finding.state} ${finding.reason}`}>{whyText(finding)}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Alerts({ group, children }: { group: AlertGroup; children: React.ReactNode }) {
  const { account_sid, alerts, first_at, latest } = group
  const filters = { alert_type: alertTypeOf(latest), ...(account_sid && { account_sid }) }
  return (
    <div className="issue">
      <p>
        {rich('{alerts} since {time}. {link}', {
          alerts: plural(alerts, '1 alert|{n} alerts'),
          time: <ExactTime at={first_at} />,
          link: (
            <PlainLink href={`/internal/alerts?${new URLSearchParams(filters)}`}>
              {t('Show each alert')}
            </PlainLink>
          ),
        })}
      </p>
      {children}
      <AlertDetails alert={latest} />
    </div>
  )
}

function Anomaly({
  anomaly,
  of,
  children,
}: {
  anomaly: CallAnomaly
  of: InboxOf
  children: React.ReactNode
}) {
  const { calls, since } = anomaly
  return (
    <div className="issue">
      <p>
        {rich('{sentence}. {calls} since {time}.', {
          sentence: fromServer(anomaly.sentence),
          calls: plural(calls, '1 call|{n} calls'),
          time: <ExactTime at={since} />,
        })}
      </p>
      <Help
        text={t('Compared with the same hours of the weeks before, or with the days before.')}
        href={anomalyHref(anomaly, 'account_sid' in of ? of.account_sid : undefined)}
        label={t('Show these calls')}
      />
      {children}
    </div>
  )
}
