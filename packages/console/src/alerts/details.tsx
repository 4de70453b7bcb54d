import {
  type Alert,
  type AlertItem,
  type AlertTarget,
  alertCallSid,
  alertTypeOf,
  alertTypeText,
  fromServer,
  t,
} from '@switchroom/contract'
import type { ReactNode } from 'react'
import { atLeast } from '../lib/access'
import { PlainLink } from '../lib/plain-link'
import { withTrouble } from '../lib/state/state'
import { useTroublesOf } from '../lib/state/use-troubles-of'
import { AccountLink, ThingLink } from '../lib/thing-link'
import { Sid } from '../ui/sid'
import { ExactTime } from '../ui/time'

const NAMES: Record<Exclude<AlertTarget['kind'], 'saved_view'>, string> = {
  voip_carrier: t('Carrier'),
  application: t('Application'),
  speech_credential: t('Speech service'),
}

const time = (at: string) => <ExactTime at={at} />
const sid = (text: string | null) => text && <Sid sid={text} />

/** The resource an alert is about, with its current state if something is wrong. */
function About({ alert: { target, target_sid } }: { alert: AlertItem }): ReactNode {
  const troubles = useTroublesOf(
    target && target_sid ? [{ kind: target.kind, sid: target_sid }] : [],
  )
  if (!target_sid) return null
  if (!target) return <Sid sid={target_sid} />
  if (target.kind === 'saved_view')
    return (
      <>
        {t('Saved view')} {target.path && <PlainLink href={target.path}>{target.name}</PlainLink>}
      </>
    )
  return (
    <>
      {NAMES[target.kind]}{' '}
      {withTrouble(
        <ThingLink kind={target.kind} sid={target_sid} name={target.name} />,
        troubles.get(target_sid),
      )}
    </>
  )
}

/** Every field of an alert, the most useful first. */
const facts = (a: AlertItem): Record<keyof Alert, [name: string, value: ReactNode]> => ({
  time: [t('Time'), time(a.time)],
  message: [t('Message'), a.message && fromServer(a.message)],
  detail: [t('Details'), a.detail],
  alert_type: [t('Type'), a.alert_type && <code>{a.alert_type}</code>],
  vendor: [t('Vendor'), a.vendor],
  target_sid: [t('Resource'), a.target_sid && <About alert={a} />],
  account_sid: [t('Account'), a.account_sid && <AccountLink account_sid={a.account_sid} />],
  service_provider_sid: [t('Service provider'), sid(a.service_provider_sid)],
})

function CallLink({ alert }: { alert: AlertItem }) {
  const call_sid = alertCallSid(alert)
  if (!call_sid) return null
  return (
    <div>
      <dt>{t('Call')}</dt>
      <dd>
        <PlainLink href={`/internal/recent-calls/${call_sid}`}>{call_sid}</PlainLink>
      </dd>
    </div>
  )
}

export function Details({ alert }: { alert: AlertItem }) {
  const visible = Object.entries(facts(alert)).filter(
    ([name]) => name !== 'service_provider_sid' || atLeast('service_provider'),
  )
  return (
    <div className="alert">
      <p className="alert-meaning">{alertTypeText(alertTypeOf(alert)).meaning}</p>
      <dl className="alert-facts">
        {visible.map(([name, [words, value]]) => (
          <div key={name}>
            <dt>{words}</dt>
            <dd>{value || <span className="none">{t('None')}</span>}</dd>
          </div>
        ))}
        <CallLink alert={alert} />
      </dl>
    </div>
  )
}
