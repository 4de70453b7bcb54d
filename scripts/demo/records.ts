import { lasting, type PlannedCall } from './planned-call.ts'
import { Random } from './random.ts'

/** Call records and alerts in line protocol, as the platform's components write them. */

type Values = Record<string, string | number>

const escaped = (text: string) => text.replace(/[,= ]/g, '\\$&')

function line(measurement: string, tags: Record<string, string>, fields: Values, time: string) {
  const series = Object.entries(tags).map(([name, value]) => `,${name}=${escaped(value)}`)
  const values = Object.entries(fields).map(([name, value]) =>
    typeof value === 'number' ? `${name}=${value}` : `${name}="${value.replace(/["\\]/g, '\\$&')}"`,
  )
  return `${measurement}${series.join('')} ${values.join()} ${time}`
}

/** Two digits. */
const two = (n: number) => String(n).padStart(2, '0')

/** Where the recording of a call is, by the day it ended. */
function recordingUrl({ account, call_sid, ended_at }: PlannedCall, format: string) {
  const day = new Date(ended_at)
  const date = `${day.getFullYear()}/${two(day.getMonth() + 1)}/${two(day.getDate())}`
  return `/Accounts/${account.sid}/RecentCalls/${call_sid}/record/${date}/${format}`
}

export const callLine = (call: PlannedCall, isRecorded = false) =>
  line(
    'cdrs',
    {
      account_sid: call.account.sid,
      service_provider_sid: call.account.provider_sid,
      host: call.host,
      trunk: call.trunk,
      direction: call.direction,
      answered: String(call.answered_at !== undefined),
    },
    {
      call_sid: call.call_sid,
      ...(call.application && { application_sid: call.application.sid }),
      from: call.from,
      to: call.to,
      sip_callid: call.sip_callid,
      ...(call.sip_parent_callid && { sip_parent_callid: call.sip_parent_callid }),
      sip_status: call.status,
      duration: lasting(call),
      terminated_at: call.ended_at,
      ...(call.answered_at !== undefined && { answered_at: call.answered_at }),
      termination_reason: call.reason,
      remote_host: call.remote_host,
      trace_id: call.trace_id,
      ...(isRecorded && { recording_url: recordingUrl(call, 'wav') }),
    },
    // the part below milliseconds tells calls of one moment apart
    `${call.at}${String(new Random(call.call_sid).int(0, 999_999)).padStart(6, '0')}`,
  )

export type DemoAlert = {
  at: number
  account_sid?: string
  service_provider_sid: string
  /** Carriers' notices have none. */
  type?: string
  message: string
  detail?: string
  vendor?: string
  target_sid?: string
}

export const alertLine = ({ at, account_sid, type, vendor, ...alert }: DemoAlert) =>
  line(
    'alerts',
    {
      service_provider_sid: alert.service_provider_sid,
      ...(account_sid && { account_sid }),
      alert_type: type ?? 'undefined',
      ...(vendor && { vendor }),
    },
    {
      message: alert.message,
      ...(alert.detail && { detail: alert.detail }),
      ...(alert.target_sid && { target_sid: alert.target_sid }),
    },
    `${Math.round(at)}000000`,
  )

/** What an application's calls have set off. */
export const alertsOf = (call: PlannedCall): DemoAlert[] =>
  (call.story?.alerts ?? []).map((alert) => ({
    ...alert,
    at: call.ended_at,
    account_sid: call.account.sid,
    service_provider_sid: call.account.provider_sid,
    target_sid: call.call_sid,
  }))
