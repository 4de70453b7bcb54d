import {
  type Alert,
  type Call,
  type CallFigures,
  type MISSING_MEMBERS,
  type NumberPart,
  UNTYPED,
} from '@switchroom/contract'
import type { Refused } from '../kit/refused-batches.ts'

/** The owner of records: a caller's scope, narrowed. Empty means all owners, for administrators only. */
export type Owner = { service_provider_sid?: string; account_sid?: string }

/** In milliseconds since 1970: `from` inclusive, `to` exclusive. */
export type Span = { from: number; to: number }

export type CallFilter = Owner &
  Span & {
    direction?: 'inbound' | 'outbound'
    answered?: boolean | 'known' | 'unknown'
    /** The exact name of the carrier. */
    trunk?: string
    application_sid?: string
    sip_status?: number
    /** Digits that `to` begins with. */
    prefix?: string
    /** Only records without these. */
    missing?: readonly (typeof MISSING_MEMBERS)[number][]
    /** Text within `from` or `to`, or a complete call_sid or sip_callid. Not a pattern. */
    text?: string
    /** The call_sid or sip_callid, if it is another than `text`. */
    id?: string
    /** In place of a text: `from` or `to` has one of these. */
    numbers?: readonly NumberPart[]
  }

export type Page = { limit: number; offset: number }

/** The calls of one carrier, whose name they have. */
export type TrunkFilter = Owner & {
  trunk: string
  /** Both if undefined. */
  direction?: 'inbound' | 'outbound'
  /** Owners with a carrier of the same name, whose calls are not this one's. */
  except?: { account_sids: readonly string[]; service_provider_sids: readonly string[] }
}

/** True if a call with this name in an owner's records is the carrier's. */
export function isCallOf(
  { trunk, direction, account_sid, service_provider_sid, except }: TrunkFilter,
  call: { trunk?: string; direction?: string; account_sid?: string; service_provider_sid?: string },
) {
  const is = (tag: string | undefined, wanted: string | undefined) =>
    wanted === undefined || tag === wanted
  return (
    call.trunk === trunk &&
    is(call.direction, direction) &&
    is(call.account_sid, account_sid) &&
    is(call.service_provider_sid, service_provider_sid) &&
    !except?.account_sids.includes(call.account_sid ?? '') &&
    !except?.service_provider_sids.includes(call.service_provider_sid ?? '')
  )
}

/** Calls of a carrier in an hour or day that begins at `at`, in milliseconds. */
export type TrunkCounts = {
  at: number
  calls: number
  answered: number
  not_answered: number
  /** The sum of answered calls' known durations. */
  seconds: number
  /** Calls with a known time to answer, and its sum in milliseconds. */
  timed: number
  answer_ms: number
}

/** Calls that were not answered, by SIP status; null where the record has none. */
export type FailureCounts = { sip_status: number | null; calls: number }[]

/** With or without times to answer, which a store may compute from a sample of each hour. */
export type TrunkGrouping = { unit: 'hour'; answer_times?: boolean } | { unit: 'day' }

/** Outbound calls of one caller to a number. */
export type DialedNumber = {
  account_sid: string | null
  from: string | null
  to: string
  /** Target of the calls: a carrier's name, or a word for other targets. */
  trunk: string | null
  /** If they were made for another call, the Call-ID of one such call. */
  parent: string | null
  calls: number
}

/** Adds up calls that are alike but for the call they were made for. */
export class DialedSums {
  #sums = new Map<string, DialedNumber>()

  add({ calls, ...one }: DialedNumber) {
    const { account_sid, from, to, trunk, parent } = one
    const key = JSON.stringify([account_sid, from, to, trunk, parent === null])
    const sum = this.#sums.get(key)
    if (sum) sum.calls += calls
    else this.#sums.set(key, { ...one, calls })
  }

  all = () => [...this.#sums.values()]
}

/** Kinds of subject that calls are compared by: a carrier's name, a sid, or the first digits of called numbers. */
export type SubjectKind = 'carrier' | 'application' | 'account' | 'prefix'

/** The calls of a subject that began in one slice of time and ended as many slices later. */
export type AttemptCounts = {
  kind: SubjectKind
  id: string
  /** Set for carriers, whose two directions fail apart. Null for other subjects. */
  direction: 'inbound' | 'outbound' | null
  /** Start of the slice, in milliseconds. */
  at: number
  /** 0: ended within the slice itself. */
  slices_to_end: number
  calls: number
  answered: number
  not_answered: number
  /** Answered calls with a known time to answer. Sums of milliseconds, and of their logarithm and its square. */
  waits: number
  wait_ms: number
  log_wait: number
  log_wait_squared: number
}

/** A store of call records. */
export type CallStore = {
  /** Newest first. `total` counts all matches. */
  list: (filter: CallFilter, page: Page) => Promise<{ data: Call[]; total: number }>
  /** All matches, newest first, streamed for exports in constant memory. */
  each: (filter: CallFilter) => AsyncIterable<Call>
  /** One record of the owner; undefined if there is none. */
  find: (
    owner: Owner,
    by: { call_sid: string } | { sip_callid: string } | { trace_id: string },
  ) => Promise<Call | undefined>
  /** The records with these traces in a span, of all owners, in no order. */
  ofTraces: (trace_ids: readonly string[], span: Span) => Promise<Call[]>
  /** The newest outbound calls of a span by their numbers, in no order. `capped`: the limit was reached. */
  dialed: (
    owner: Owner,
    span: Span,
    limit: number,
  ) => Promise<{ numbers: DialedNumber[]; capped: boolean }>
  /** The dashboard's figures for a span, with the days and hours of a time zone. */
  figures: (owner: Owner, span: Span, time_zone?: string) => Promise<CallFigures>
  /**
   * Calls of carriers by UTC hour or day, in the order of `trunks`, without empty ones. The span begins and ends at
   * full units.
   */
  trunks: (
    trunks: readonly TrunkFilter[],
    span: Span,
    by: TrunkGrouping,
  ) => Promise<TrunkCounts[][]>
  /** Unanswered calls of a carrier by SIP status, the most frequent first. The span begins and ends at full hours. */
  trunkFailures: (trunk: TrunkFilter, span: Span) => Promise<FailureCounts>
  /**
   * Calls by subject in slices of `step_ms`, in no order. Reads every call of the span, which begins and ends at full
   * slices, so it is for short ones.
   */
  attempts: (owner: Owner, span: Span, step_ms: number) => Promise<AttemptCounts[]>
}

/** Components write this word for a tag without a value. */
const NO_VALUE = 'undefined'
export const storedAlertType = (type: string | undefined) => (type === UNTYPED ? NO_VALUE : type)

export type AlertFilter = Owner & Span & { alert_type?: string; target_sid?: string }

export type AlertStore = {
  list: (filter: AlertFilter, page: Page) => Promise<{ data: Alert[]; total: number }>
  /** Adds an alert of our own with the present time. */
  write: (alert: Omit<Alert, 'time'>) => Promise<void>
}

const tagText = (text: string) =>
  text
    .replace(/[\r\n]/g, ' ')
    .replace(/\\+$/, '')
    .replace(/[,= ]/g, '\\$&')
const fieldText = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`

/** An alert in InfluxDB line protocol, as platform components write theirs. */
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

/** Ingest counters since the start, for `/metrics`. */
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

/** Rows and bytes of a ClickHouse table. Rows that have not merged yet count more than once. */
export type Held = { table: string; rows: number; bytes: number; oldest_day: string }
/** Rows in this process's data folder that wait for ClickHouse, or for a file that cannot be written. */
export type WaitingRows = {
  bytes: number
  /** Arrival of the oldest, in milliseconds since 1970. */
  since: number | undefined
  /** Why it is not taken. */
  problem: string | undefined
  /** Rows that ClickHouse refused for their content, which wait for a person. */
  refused?: Refused | undefined
}
export const NOTHING_WAITS: WaitingRows = { bytes: 0, since: undefined, problem: undefined }
/** The total over the rows that wait in several threads. */
export const allWaiting = (each: readonly WaitingRows[]): WaitingRows =>
  each.reduce(
    (all, { bytes, since, problem, refused }) => ({
      bytes: all.bytes + bytes,
      since:
        all.since === undefined || since === undefined
          ? (all.since ?? since)
          : Math.min(all.since, since),
      problem: all.problem ?? problem,
      refused:
        all.refused && refused
          ? {
              rows: { ...all.refused.rows, ...refused.rows },
              since: Math.min(all.refused.since, refused.since),
              why: all.refused.why,
            }
          : (all.refused ?? refused),
    }),
    NOTHING_WAITS,
  )

/** The stores of call records and alerts. */
export type CallStores = {
  calls: CallStore
  alerts: AlertStore
  /** Ingest metrics; undefined if nothing is received here. */
  ingested: () => Promise<Metrics | undefined>
  /** Only for the operator's own server: throws `StoreUnavailable` if it does not answer. */
  ping?: () => Promise<void>
  /** Only for local files. */
  waiting?: () => Promise<WaitingRows | undefined>
  /** Only for ClickHouse. `tables` throws `StoreUnavailable`. */
  holdings?: { tables: () => Promise<Held[]>; waiting: () => Promise<WaitingRows> }
  close: () => Promise<void>
}
