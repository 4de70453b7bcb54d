import type { Call } from '@switchroom/contract'
import { tag } from '../tags.ts'
import { DAY_MS } from '../times.ts'
import type { Day } from './day.ts'
import type { ShownCall } from './shard.ts'

export const answeredOf = (tags: Record<string, string>) => {
  const text = tag(tags, 'answered')
  return text === 'true' ? true : text === 'false' ? false : null
}

const isoOf = (ms: unknown) =>
  typeof ms === 'number' && Math.abs(ms) <= 8.64e15 && ms > 0 ? new Date(ms).toISOString() : null

const text = (value: unknown) => (typeof value === 'string' ? value : null)
const number = (value: unknown) => (typeof value === 'number' ? value : null)

export function callOf(day: Day, row: ShownCall): Call {
  const { tags } = day.seriesOf(row.series)
  return {
    account_sid: tag(tags, 'account_sid'),
    service_provider_sid: tag(tags, 'service_provider_sid'),
    call_sid: text(row.call_sid),
    application_sid: text(row.application_sid),
    from: text(row.from),
    to: text(row.to),
    sip_callid: text(row.sip_callid),
    sip_parent_callid: text(row.sip_parent_callid),
    answered: answeredOf(tags),
    sip_status: number(row.sip_status),
    duration: number(row.duration),
    attempted_at: new Date(day.shard.day * DAY_MS + Math.floor(row.at / 1e6)).toISOString(),
    answered_at: isoOf(row.answered_at),
    terminated_at: isoOf(row.terminated_at),
    termination_reason: text(row.termination_reason),
    host: tag(tags, 'host'),
    remote_host: text(row.remote_host),
    direction: tag(tags, 'direction'),
    trunk: tag(tags, 'trunk'),
    trace_id: text(row.trace_id),
    recording_url: text(row.recording_url),
  }
}
