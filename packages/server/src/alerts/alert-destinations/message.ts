import { createHmac, randomUUID } from 'node:crypto'
import {
  Alert,
  alertTypeOf,
  alertTypeText,
  type DestinationKind,
  isKeyOf,
  OWN_NOTICES,
  VIEW_ALERT,
} from '@switchroom/contract'
import { z } from 'zod'
import type { Context } from '../../http/context.ts'
import type { Row } from './queries.ts'

/** An alert as a delivery keeps it. */
export const SentAlert = Alert.extend({
  /** Path of the console page of the alert's subject; without one, the page of all alerts. */
  path: z.string().optional(),
  /** Set if this ends something an earlier message reported. */
  is_over: z.literal(true).optional(),
})
export type SentAlert = z.infer<typeof SentAlert>

/** The content of an alert message. */
export type Notice = {
  /** The same in every attempt, so that receivers can drop duplicates. */
  delivery_sid: string
  alert: SentAlert
  account_name: string | null
  /** The console's page of these alerts. */
  link: string
  /** Identifies destination, account and type: one incident each. */
  about: string
  is_test: boolean
}

const link = ({ config }: Pick<Context, 'config'>, path = '/internal/alerts') =>
  `${config.base_url ?? ''}${path}`

/** A test message, which shows whether messages arrive. */
export const testNotice = (ctx: Pick<Context, 'config'>, row: Row, now: number): Notice => ({
  delivery_sid: randomUUID(),
  alert: {
    time: new Date(now).toISOString(),
    account_sid: row.account_sid,
    service_provider_sid: row.service_provider_sid,
    alert_type: 'alert-from-application',
    message: 'Switchroom can send alerts here.',
    detail: null,
    target_sid: null,
    vendor: null,
  },
  account_name: null,
  link: link(ctx),
  about: `switchroom:${row.alert_destination_sid}:test`,
  is_test: true,
})

type Claimed = {
  alert_destination_sid: string
  account_sid: string
  alert_type: string
  delivery_sid: string
  alert: string
}

/** The message of a delivery. */
export const noticeOf = (
  ctx: Pick<Context, 'config'>,
  d: Claimed,
  account_name: string | null,
): Notice => {
  const alert = SentAlert.parse(JSON.parse(d.alert))
  const failures = isKeyOf(OWN_NOTICES, d.alert_type) ? '/internal/failures' : undefined
  // the beginning and the end of a view's alert are deliveries of their own, and one incident
  const about = alert.alert_type === VIEW_ALERT ? `${VIEW_ALERT}:${alert.target_sid}` : d.alert_type
  return {
    delivery_sid: d.delivery_sid,
    alert,
    account_name,
    link: link(ctx, alert.path ?? failures),
    about: `switchroom:${d.alert_destination_sid}:${d.account_sid}:${about}`,
    is_test: false,
  }
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
    : [alert.is_over && 'Over', alertTypeText(alertTypeOf(alert)).name, account_name]
        .filter(Boolean)
        .join(' · ')

const paragraphs = (notice: Notice) => {
  const { alert } = notice
  const words = alertTypeText(alertTypeOf(alert))
  return [
    notice.is_test
      ? 'This is a test. No action is needed.'
      : alert.is_over
        ? 'This is over.'
        : words.meaning,
    alert.message,
    alert.detail,
    `${alert.time}${alert.vendor ? `, vendor ${alert.vendor}` : ''}`,
    notice.link,
  ].filter((text): text is string => !!text)
}

/** A view's alert has a quiet time of its own. */
const howOften = ({ alert }: Notice) =>
  alert.alert_type === VIEW_ALERT ? [] : ['At most one message like this is sent per hour.']

export const mailOf = (notice: Notice) => ({
  subject: `[Switchroom] ${title(notice)}`,
  text: [...paragraphs(notice), ...howOften(notice)].join('\n\n').concat('\n'),
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
    const { delivery_sid: id, account_name, is_test, link } = notice
    const { path: _, is_over, ...alert } = notice.alert
    const seconds = Math.floor(now / 1_000)
    const body = JSON.stringify({
      type: is_test ? 'alert.test' : is_over ? 'alert.over' : 'alert.raised',
      timestamp: new Date(now).toISOString(),
      data: { ...alert, alert_type: alertTypeOf(alert), account_name, link },
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
    const { about, account_name, is_test, link } = notice
    const { path: _, is_over, ...alert } = notice.alert
    const summary = [title(notice), alert.message].filter(Boolean).join(': ')
    return {
      url: PAGERDUTY[address]!,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        routing_key: secret,
        event_action: is_over ? 'resolve' : 'trigger',
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
