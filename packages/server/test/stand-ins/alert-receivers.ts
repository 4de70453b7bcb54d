import type { Alert } from '@switchroom/contract'
import { type StandIn, standIns, type VendorResponse } from './speech-server.ts'

export const SECRET = `whsec_${Buffer.from('canary-signing-secret-32-bytes!!').toString('base64')}`
export const SLACK = 'https://hooks.slack.com/services/T0/B0/canaryslackwebhook'
export const PAGERDUTY = 'canarypagerdutykey00000000000000'
export const WEBHOOK = 'https://receiver.example/alerts'

const { subtle } = globalThis.crypto

/** Verifies signatures by standardwebhooks.com, without our code. */
export async function isSigned(headers: Record<string, unknown>, body: Buffer, secret = SECRET) {
  const material = Buffer.from(secret.split('_')[1]!, 'base64')
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const key = await subtle.importKey('raw', material, hmac, false, ['verify'])
  const [version, mac = ''] = String(headers['webhook-signature']).split(',')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body.toString()}`
  return (
    version === 'v1' &&
    (await subtle.verify('HMAC', key, Buffer.from(mac, 'base64'), Buffer.from(signed)))
  )
}

type Got = {
  to: 'webhook' | 'slack' | 'pagerduty'
  id?: string
  body: Record<string, unknown> & { data?: Alert & { link: string } }
}

/** A webhook, Slack and PagerDuty, as documented. `answer` changes the webhook's response. */
export async function receivers() {
  const got: Got[] = []
  const state: { answer: VendorResponse | undefined; signed: boolean[] } = {
    answer: undefined,
    signed: [],
  }
  const json = (body: Buffer) => JSON.parse(body.toString()) as Got['body']
  const webhook: StandIn = {
    hosts: ['receiver.example'],
    async http({ method, headers, body, url }) {
      if (method !== 'POST' || url.pathname !== '/alerts') return { status: 404 }
      if (headers['content-type'] !== 'application/json') return { status: 415 }
      state.signed.push(await isSigned(headers, body))
      got.push({ to: 'webhook', id: String(headers['webhook-id']), body: json(body) })
      return state.answer ?? { status: 204 }
    },
  }
  const slack: StandIn = {
    hosts: ['hooks.slack.com'],
    http({ method, url, body, headers }) {
      if (method !== 'POST') return { status: 405 }
      if (url.href !== SLACK) return { status: 404, body: 'no_service' }
      const received = json(body)
      const fits =
        headers['content-type'] === 'application/json' && Object.keys(received).join() === 'text'
      if (!fits || typeof received.text !== 'string')
        return { status: 400, body: 'invalid_payload' }
      got.push({ to: 'slack', body: received })
      return { status: 200, body: 'ok' }
    },
  }
  const pagerduty: StandIn = {
    hosts: ['events.pagerduty.com', 'events.eu.pagerduty.com'],
    http({ method, url, body, host }) {
      if (method !== 'POST' || url.pathname !== '/v2/enqueue') return { status: 404 }
      const received = json(body)
      const payload = (received.payload ?? {}) as Record<string, unknown>
      const whole =
        received.routing_key === PAGERDUTY &&
        ['trigger', 'resolve'].includes(String(received.event_action)) &&
        String(received.dedup_key ?? '').length <= 255 &&
        [payload.summary, payload.source].every((p) => typeof p === 'string' && p !== '') &&
        String(payload.summary).length <= 1_024 &&
        ['critical', 'error', 'warning', 'info'].includes(String(payload.severity)) &&
        !Number.isNaN(Date.parse(String(payload.timestamp)))
      if (!whole) return { status: 400, body: { status: 'invalid event', message: PAGERDUTY } }
      got.push({ to: 'pagerduty', body: { ...received, host } })
      return { status: 202, body: { status: 'success', message: 'Event processed' } }
    },
  }
  const standing = await standIns(webhook, slack, pagerduty)
  return { ...standing, got, state }
}
export type Receivers = Awaited<ReturnType<typeof receivers>>
