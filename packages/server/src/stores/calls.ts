import { type Alert, type Call, type CallFigures, UNTYPED } from '@switchroom/contract'

/** Whose records: a caller's scope, narrowed. Nothing given is everybody's, for administrators only. */
export type Owner = { service_provider_sid?: string; account_sid?: string }

/** Both ends in milliseconds since 1970: from inclusive, to exclusive. */
export type Span = { from: number; to: number }

export type CallFilter = Owner &
  Span & {
    direction?: 'inbound' | 'outbound'
    answered?: boolean
    /** The carrier's name, exactly. */
    trunk?: string
    application_sid?: string
    sip_status?: number
    /** Text within `from` or `to`, or just the call_sid or sip_callid. Never a pattern. */
    text?: string
  }

export type Page = { limit: number; offset: number }

/** Where call records are kept. */
export type CallStore = {
  /** Newest first. `total` counts all that match. */
  list: (filter: CallFilter, page: Page) => Promise<{ data: Call[]; total: number }>
  /** All that match, newest first, as they come: for exports, in flat memory. */
  each: (filter: CallFilter) => AsyncIterable<Call>
  /** Within the owner's; undefined where there is none. By call_sid, or by sip_callid. */
  find: (
    owner: Owner,
    by: { call_sid: string } | { sip_callid: string } | { trace_id: string },
  ) => Promise<Call | undefined>
  /** What a dashboard shows of a span. */
  figures: (owner: Owner, span: Span) => Promise<CallFigures>
}

/** The components write this word for a tag that they have no value for. */
const NO_VALUE = 'undefined'
export const storedAlertType = (type: string | undefined) => (type === UNTYPED ? NO_VALUE : type)

export type AlertFilter = Owner & Span & { alert_type?: string; target_sid?: string }

export type AlertStore = {
  list: (filter: AlertFilter, page: Page) => Promise<{ data: Alert[]; total: number }>
  /** Newer than this moment, for the badge of unread ones. */
  countSince: (owner: Owner, since: number) => Promise<number>
  /** Adds one of our own, at this moment. */
  write: (alert: Omit<Alert, 'time'>) => Promise<void>
}

const tagText = (text: string) =>
  text
    .replace(/[\r\n]/g, ' ')
    .replace(/\\+$/, '')
    .replace(/[,= ]/g, '\\$&')
const fieldText = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`

/** An alert of our own in line protocol, as the platform's components write theirs. */
export function lineOf(alert: Omit<Alert, 'time'>): string {
  const { message, detail, target_sid, ...tags } = alert
  const given = (parts: Record<string, string | null>) =>
    Object.entries(parts).filter((part): part is [string, string] => !!part[1])
  const series = given(tags).map(([name, value]) => `,${name}=${tagText(value)}`)
  const fields = given({ message: message ?? '-', detail, target_sid }).map(
    ([name, value]) => `${name}=${fieldText(value)}`,
  )
  return `alerts${series.join('')} ${fields.join()}`
}

/** What has come in since the start, for `/metrics`. */
export class Counts {
  points: Record<string, number> = {}
  dropped: Record<string, number> = { malformed: 0, outside_retention: 0, no_value: 0 }
  requests: Record<string, number> = {}
  connections = 0

  add(to: Record<string, number>, name: string, by = 1) {
    to[name] = (to[name] ?? 0) + by
  }

  all = () => ({
    points: { ...this.points },
    dropped: { ...this.dropped },
    requests: { ...this.requests },
    connections: this.connections,
  })
}
export type Metrics = ReturnType<Counts['all']> & { bytes: number }

/** Where call records and alerts are. */
export type CallStores = {
  calls: CallStore
  alerts: AlertStore
  /** What has come in here; undefined where nothing comes in. */
  ingested: () => Promise<Metrics | undefined>
  /** Where they are the operator's own server: throws `StoreUnavailable` when it does not answer. */
  ping?: () => Promise<void>
  close: () => Promise<void>
}
