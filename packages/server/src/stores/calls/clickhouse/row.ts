import type { Call } from '@switchroom/contract'
import { NO_VALUE } from '../../clickhouse/conditions.ts'

/** A call as it is read. 64-bit numbers are text. */
export type CallRow = {
  ns: string
  service_provider_sid: string
  account_sid: string
  host: string
  trunk: string
  direction: string
  answered: string
  tags: Record<string, string>
  application_sid: string | null
  sip_status: number | null
  duration: number | null
  answered_at: number | null
  terminated_at: number | null
  call_sid: string | null
  from: string | null
  to: string | null
  sip_callid: string | null
  sip_parent_callid: string | null
  termination_reason: string | null
  remote_host: string | null
  trace_id: string | null
  recording_url: string | null
  more: Record<string, [string, string]>
}

export const CALL_COLUMNS = `toUnixTimestamp64Nano(at) AS ns, service_provider_sid, account_sid, host, trunk, direction,
  answered, tags, application_sid, sip_status, duration, answered_at, terminated_at, call_sid, \`from\`, \`to\`,
  sip_callid, sip_parent_callid, termination_reason, remote_host, trace_id, recording_url, more`

export const tagOf = (text: string) => (text === '' || text === NO_VALUE ? null : text)
export const outcomeOf = (answered: string) =>
  answered === 'true' ? true : answered === 'false' ? false : null

const isoOf = (ms: number | null) =>
  ms !== null && ms > 0 && ms <= 8.64e15 ? new Date(ms).toISOString() : null

export const msOf = (ns: string) => Number(BigInt(ns) / 1_000_000n)

export const callOf = (row: CallRow): Call => ({
  account_sid: tagOf(row.account_sid),
  service_provider_sid: tagOf(row.service_provider_sid),
  call_sid: row.call_sid,
  application_sid: row.application_sid,
  from: row.from,
  to: row.to,
  sip_callid: row.sip_callid,
  sip_parent_callid: row.sip_parent_callid,
  answered: outcomeOf(row.answered),
  sip_status: row.sip_status,
  duration: row.duration,
  attempted_at: new Date(msOf(row.ns)).toISOString(),
  answered_at: isoOf(row.answered_at),
  terminated_at: isoOf(row.terminated_at),
  termination_reason: row.termination_reason,
  host: tagOf(row.host),
  remote_host: row.remote_host,
  direction: tagOf(row.direction),
  trunk: tagOf(row.trunk),
  trace_id: row.trace_id,
  recording_url: row.recording_url,
})
