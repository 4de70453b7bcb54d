import { z } from 'zod'

/** What calls are compared by. Prefixes are of outbound calls. */
export const ANOMALY_KINDS = ['carrier', 'application', 'account', 'prefix'] as const
export const ANOMALY_MEASURES = ['answered', 'fewer_calls', 'more_calls', 'time_to_answer'] as const

/** Calls that differ from the same hours of the last four weeks. */
export const CallAnomaly = z.object({
  kind: z.enum(ANOMALY_KINDS),
  /** The carrier's name, the sid, or the digits that the called numbers begin with. */
  id: z.string(),
  /** Null for an application or account that is gone. */
  name: z.string().nullable(),
  measure: z.enum(ANOMALY_MEASURES),
  /** All of it in words. */
  sentence: z.string(),
  /** When it began, at most three hours ago. */
  since: z.string(),
  /** The time of the calls that were counted, both ends included. Those still going on at its end were not. */
  start: z.string(),
  end: z.string(),
  calls: z.number().int(),
  /** A share from 0 to 1, a number of calls, or seconds. */
  value: z.number(),
  usual: z.number(),
})
export type CallAnomaly = z.infer<typeof CallAnomaly>

export const CallAnomalies = z.object({
  /** When was looked, at most some three and a half minutes ago. */
  at: z.string(),
  /** How many of the last four weeks there are records of. With one there is too little to compare with. */
  weeks: z.number().int(),
  /** The least likely first, at most 50. */
  data: z.array(CallAnomaly),
})
export type CallAnomalies = z.infer<typeof CallAnomalies>
