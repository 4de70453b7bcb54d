import { expect } from 'vitest'
import { send, type TestStore } from './calls.ts'

export type TestAlert = {
  account_sid?: string
  service_provider_sid?: string
  alert_type?: string
  message?: string
  target_sid?: string
  vendor?: string
}

const tag = (text: string) => text.replace(/[,= ]/g, '\\$&')
/** Nanoseconds, which never end in a zero: InfluxDB leaves those out of the times that it returns. */
let serial = 1

/** Sends alerts to the ingest port as platform components do, with `undefined` for missing values. */
export async function raiseAlerts(store: TestStore, ms: number, ...alerts: TestAlert[]) {
  const lines = alerts.map((a) => {
    const { account_sid, service_provider_sid, alert_type, vendor } = a
    const tags = { service_provider_sid, account_sid, alert_type, ...(vendor && { vendor }) }
    const series = Object.entries(tags).map(([k, v]) => `,${k}=${tag(v ?? 'undefined')}`)
    const target = a.target_sid ? `,target_sid="${a.target_sid}"` : ''
    const message = (a.message ?? 'it failed').replace(/["\\]/g, '\\$&')
    serial = (serial + 10) % 1e6
    return `alerts${series.join('')} message="${message}"${target} ${ms}${String(serial).padStart(6, '0')}`
  })
  expect(await send(store, lines.join('\n'), 'alerts')).toMatchObject({ status: 204 })
}
