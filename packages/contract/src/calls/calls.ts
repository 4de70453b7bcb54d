import { z } from 'zod'
import { Integer, NumberOrNull, StringOrNull } from '../wire/fields.ts'
import { hidden } from '../wire/hidden.ts'

/**
 * A call record as platform components write it. Missing values are null, never zero; a
 * call that was not answered has no `answered_at`.
 */
export const Call = z.object({
  account_sid: StringOrNull,
  service_provider_sid: StringOrNull,
  call_sid: StringOrNull,
  application_sid: StringOrNull,
  from: StringOrNull,
  to: StringOrNull,
  sip_callid: StringOrNull,
  sip_parent_callid: StringOrNull,
  answered: z.boolean().nullable(),
  sip_status: NumberOrNull,
  /** Seconds. */
  duration: NumberOrNull,
  attempted_at: z.string(),
  answered_at: StringOrNull,
  terminated_at: StringOrNull,
  termination_reason: StringOrNull,
  host: StringOrNull,
  remote_host: StringOrNull,
  direction: StringOrNull,
  trunk: StringOrNull,
  /** 32 zeros mean there is no trace. */
  trace_id: StringOrNull,
  recording_url: StringOrNull,
})
export type Call = z.infer<typeof Call>

export const Alert = z.object({
  time: z.string(),
  account_sid: StringOrNull,
  service_provider_sid: StringOrNull,
  alert_type: StringOrNull,
  message: hidden(StringOrNull, 'url'),
  detail: hidden(StringOrNull, 'url'),
  target_sid: StringOrNull,
  vendor: StringOrNull,
})
export type Alert = z.infer<typeof Alert>

const CallCounts = z.object({
  calls: Integer,
  /** Counts only calls with a known outcome. */
  answered: Integer,
  not_answered: Integer,
  /** Total seconds of answered calls with a known duration, and how many those are. */
  seconds: z.number(),
  timed: Integer,
})
export type CallCounts = z.infer<typeof CallCounts>

/** The figures of a dashboard. The parts add up to the totals. */
export const CallFigures = CallCounts.extend({
  /** Mean seconds from the attempt to the answer. Null if unknown; with InfluxDB of a sample of each carrier's calls. */
  seconds_to_answer: NumberOrNull,
  /** Per hour or day, oldest first, without empty ones. `until` is exclusive. Days consist of full UTC hours. */
  times: z.array(CallCounts.extend({ time: z.string(), until: z.string() })),
  /** Calls by hour of the week: 168 numbers from Monday 0:00. */
  hours: z.array(Integer),
  /** Unanswered calls by SIP status; null where the record has none. */
  failures: z.array(z.object({ sip_status: NumberOrNull, calls: Integer })),
  trunks: z.array(CallCounts.extend({ trunk: StringOrNull, seconds_to_answer: NumberOrNull })),
  accounts: z.array(CallCounts.extend({ account_sid: StringOrNull })),
  applications: z.array(CallCounts.extend({ application_sid: StringOrNull })),
})
export type CallFigures = z.infer<typeof CallFigures>
