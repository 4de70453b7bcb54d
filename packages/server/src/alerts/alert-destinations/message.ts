import { createHmac } from 'node:crypto'
import { type Alert, alertTypeOf, alertTypeText, type DestinationKind } from '@switchroom/contract'

/** The content of an alert message. */
export type Notice = {
  /** The same in every attempt, so that receivers can drop duplicates. */
  delivery_sid: string
  alert: Alert
  account_name: string | null
  /** The console's page of these alerts. */
  link: string
  /** Identifies destination, account and type: one incident each. */
  about: string
  is_test: boolean
}

type Request = { url: string; headers: Record<string, string>; body: string }
type Target = { address: string; secret: string; now: number }

const PAGERDUTY: Record<string, string> = {
  us: 'https://events.pagerduty.com/v2/enqueue',
  eu: 'https://events.eu.pagerduty.com/v2/enqueue',
}

const title = ({ alert, account_name, is_test }: Notice) =>
  is_test
    ? 'Test alert'
    : [alertTypeText(alertTypeOf(alert)).name, account_name].filter(Boolean).join(' · ')

const paragraphs = (notice: Notice) => {
  const { alert } = notice
  const words = alertTypeText(alertTypeOf(alert))
  return [
    notice.is_test ? 'This is a test. No action is needed.' : words.meaning,
    alert.message,
    alert.detail,
    `${alert.time}${alert.vendor ? `, vendor ${alert.vendor}` : ''}`,
    notice.link,
  ].filter((text): text is string => !!text)
}

export const mailOf = (notice: Notice) => ({
  subject: `[Switchroom] ${title(notice)}`,
  text: `${paragraphs(notice).join('\n\n')}\n\nAt most one message like this is sent per hour.\n`,
})

/** A standardwebhooks.com signature of id, time and body with a `whsec_…` secret. */
export function signature(secret: string, id: string, seconds: number, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const mac = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return `v1,${mac}`
}

/** Builds the HTTP request for each kind of destination. */
export const requestFor: Record<
  Exclude<DestinationKind, 'mail'>,
  (notice: Notice, to: Target) => Request
> = {
  webhook(notice, { address, secret, now }) {
    const { delivery_sid: id, alert, account_name, is_test } = notice
    const seconds = Math.floor(now / 1_000)
    const body = JSON.stringify({
      type: is_test ? 'alert.test' : 'alert.raised',
      timestamp: new Date(now).toISOString(),
      data: { ...alert, alert_type: alertTypeOf(alert), account_name },
    })
    return {
      url: address,
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': signature(secret, id, seconds, body),
      },
      body,
    }
  },

  slack(notice, { secret }) {
    // Slack's own escapes; everything else is text
    const plain = (text: string) =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    const text = [`*${plain(title(notice))}*`, ...paragraphs(notice).map(plain)].join('\n')
    return {
      url: secret,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
    }
  },

  pagerduty(notice, { address, secret }) {
    const { alert, about, account_name, is_test, link } = notice
    const summary = [title(notice), alert.message].filter(Boolean).join(': ')
    return {
      url: PAGERDUTY[address]!,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        routing_key: secret,
        event_action: 'trigger',
        dedup_key: about,
        client: 'Switchroom',
        client_url: link,
        payload: {
          summary: summary.slice(0, 1_024),
          source: account_name ?? 'Switchroom',
          severity: is_test ? 'info' : 'error',
          timestamp: alert.time,
          class: alertTypeOf(alert),
          custom_details: alert,
        },
      }),
    }
  },
}
