import { z } from 'zod'
import { hidden } from '../wire/hidden.ts'

/**
 * A call record as platform components write it. Missing values are null, never zero; a
 * call that was not answered has no `answered_at`.
 */
export const Call = z.object({
  account_sid: z.string().nullable(),
  service_provider_sid: z.string().nullable(),
  call_sid: z.string().nullable(),
  application_sid: z.string().nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  sip_callid: z.string().nullable(),
  sip_parent_callid: z.string().nullable(),
  answered: z.boolean().nullable(),
  sip_status: z.number().nullable(),
  /** Seconds. */
  duration: z.number().nullable(),
  attempted_at: z.string(),
  answered_at: z.string().nullable(),
  terminated_at: z.string().nullable(),
  termination_reason: z.string().nullable(),
  host: z.string().nullable(),
  remote_host: z.string().nullable(),
  direction: z.string().nullable(),
  trunk: z.string().nullable(),
  /** 32 zeros mean there is no trace. */
  trace_id: z.string().nullable(),
  recording_url: z.string().nullable(),
})
export type Call = z.infer<typeof Call>

export const Alert = z.object({
  time: z.string(),
  account_sid: z.string().nullable(),
  service_provider_sid: z.string().nullable(),
  alert_type: z.string().nullable(),
  message: hidden(z.string().nullable(), 'url'),
  detail: hidden(z.string().nullable(), 'url'),
  target_sid: z.string().nullable(),
  vendor: z.string().nullable(),
})
export type Alert = z.infer<typeof Alert>

const CallCounts = z.object({
  calls: z.number().int(),
  /** Counts only calls with a known outcome. */
  answered: z.number().int(),
  not_answered: z.number().int(),
  /** Total seconds of answered calls with a known duration, and how many those are. */
  seconds: z.number(),
  timed: z.number().int(),
})
export type CallCounts = z.infer<typeof CallCounts>

/** The figures of a dashboard. The parts add up to the totals. */
export const CallFigures = CallCounts.extend({
  /** Mean seconds from the attempt to the answer. Null if unknown; with InfluxDB of a sample of each carrier's calls. */
  seconds_to_answer: z.number().nullable(),
  /** Per hour or day, oldest first, without empty ones. `until` is exclusive. Days consist of full UTC hours. */
  times: z.array(CallCounts.extend({ time: z.string(), until: z.string() })),
  /** Calls by hour of the week: 168 numbers from Monday 0:00. */
  hours: z.array(z.number().int()),
  /** Unanswered calls by SIP status; null where the record has none. */
  failures: z.array(z.object({ sip_status: z.number().nullable(), calls: z.number().int() })),
  trunks: z.array(
    CallCounts.extend({ trunk: z.string().nullable(), seconds_to_answer: z.number().nullable() }),
  ),
  accounts: z.array(CallCounts.extend({ account_sid: z.string().nullable() })),
  applications: z.array(CallCounts.extend({ application_sid: z.string().nullable() })),
})
export type CallFigures = z.infer<typeof CallFigures>
