import type { Alert, Call } from '@switchroom/contract'
import type { CallFilter, Owner } from '../calls.ts'
import type { Day, Want } from './day.ts'
import type { Value } from './lines.ts'
import { DAY_MS, type NamedCall } from './shard.ts'
import { tag } from './tags.ts'

const MS = 1_000_000n

/** The range of valid times. Numbers beyond are clamped to it. */
const ns = (ms: number) => BigInt(Math.ceil(Math.max(-8.64e15, Math.min(8.64e15, ms)))) * MS

export function ownerTags({ service_provider_sid, account_sid }: Owner): Record<string, string> {
  return {
    ...(service_provider_sid !== undefined && { service_provider_sid }),
    ...(account_sid !== undefined && { account_sid }),
  }
}

const OUTCOMES: Record<string, string | string[]> = {
  true: 'true',
  false: 'false',
  known: ['true', 'false'],
}
/** A value that no call has, for queries of missing values. */
const NONE = ''
const NO_STATUS = 2 ** 31

export function queryOf(filter: CallFilter): Want {
  const { direction, answered, trunk, missing = [] } = filter
  const isMissing = new Set<string>(missing)
  return {
    from: ns(filter.from),
    to: ns(filter.to),
    tags: {
      ...ownerTags(filter),
      ...(direction !== undefined && { direction }),
      ...(answered !== undefined && { answered: OUTCOMES[String(answered)] ?? null }),
      ...(trunk !== undefined && { trunk }),
      // named by an owner or filter and missing: none can match
      ...(isMissing.has('trunk') && { trunk: trunk === undefined ? null : [] }),
      ...(isMissing.has('account_sid') && {
        account_sid: filter.account_sid === undefined ? null : [],
      }),
    },
    application_sid: isMissing.has('application_sid')
      ? filter.application_sid === undefined
        ? null
        : NONE
      : filter.application_sid,
    sip_status: isMissing.has('sip_status')
      ? filter.sip_status === undefined
        ? null
        : NO_STATUS
      : filter.sip_status,
    prefix: filter.prefix,
    text: filter.text || (filter.numbers ? undefined : filter.prefix),
    ids: filter.text ? ['call_sid', 'sip_callid'] : [],
    id: filter.id,
    numbers: filter.numbers,
  }
}

export const answeredOf = (tags: Record<string, string>) => {
  const text = tag(tags, 'answered')
  return text === 'true' ? true : text === 'false' ? false : null
}

const pad = (n: number, width: number) => String(n).padStart(width, '0')

/** RFC 3339 with only the needed fractional digits, as in InfluxDB. */
export function timeOf(day: number, at: number): string {
  const ms = Math.floor(at / 1_000_000)
  const iso = new Date(day * DAY_MS + ms).toISOString().slice(0, 19)
  const rest = `${pad(ms % 1_000, 3)}${pad(at % 1_000_000, 6)}`.replace(/0+$/, '')
  return rest ? `${iso}.${rest}Z` : `${iso}Z`
}

const isoOf = (ms: unknown) =>
  typeof ms === 'number' && Math.abs(ms) <= 8.64e15 && ms > 0 ? new Date(ms).toISOString() : null

const text = (value: unknown) => (typeof value === 'string' ? value : null)
const number = (value: unknown) => (typeof value === 'number' ? value : null)

export function callOf(day: Day, row: NamedCall): Call {
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

export function alertOf(
  time: string,
  tags: Record<string, string>,
  fields: Record<string, Value>,
): Alert {
  const field = (name: string) =>
    Object.hasOwn(fields, name) ? String(fields[name]) : tag(tags, name)
  return {
    time,
    account_sid: tag(tags, 'account_sid'),
    service_provider_sid: tag(tags, 'service_provider_sid'),
    alert_type: tag(tags, 'alert_type'),
    message: field('message'),
    detail: field('detail'),
    target_sid: field('target_sid'),
    vendor: tag(tags, 'vendor'),
  }
}
