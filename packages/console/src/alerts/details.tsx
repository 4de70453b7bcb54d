import {
  type Alert,
  type AlertItem,
  type AlertTarget,
  alertTypeOf,
  alertTypeText,
} from '@switchroom/contract'
import type { ReactNode } from 'react'
import { atLeast } from '../lib/access'
import { AccountLink, ThingLink } from '../lib/thing-link'
import { Sid } from '../ui/sid'
import { ExactTime } from '../ui/time'

const NAMES: Record<AlertTarget['kind'], string> = {
  voip_carrier: 'Carrier',
  application: 'Application',
  speech_credential: 'Speech service',
}

const time = (at: string) => <ExactTime at={at} />
const sid = (text: string | null) => text && <Sid sid={text} />

function about({ target, target_sid }: AlertItem): ReactNode {
  if (!target_sid) return null
  if (!target) return <Sid sid={target_sid} />
  return (
    <>
      {NAMES[target.kind]} <ThingLink kind={target.kind} sid={target_sid} name={target.name} />
    </>
  )
}

/** Every field of an alert, the most useful first. */
const facts = (a: AlertItem): Record<keyof Alert, [name: string, value: ReactNode]> => ({
  time: ['Time', time(a.time)],
  message: ['Message', a.message],
  detail: ['Details', a.detail],
  alert_type: ['Type', a.alert_type && <code>{a.alert_type}</code>],
  vendor: ['Vendor', a.vendor],
  target_sid: ['Resource', about(a)],
  account_sid: ['Account', a.account_sid && <AccountLink account_sid={a.account_sid} />],
  service_provider_sid: ['Service provider', sid(a.service_provider_sid)],
})

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
            <dd>{value || <span className="none">None</span>}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
