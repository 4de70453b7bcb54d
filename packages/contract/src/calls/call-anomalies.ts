import { z } from 'zod'
import { Integer, StringOrNull } from '../wire/fields.ts'

/** Kinds of subjects by which calls are compared. Prefixes are those of outbound calls. */
export const ANOMALY_KINDS = ['carrier', 'application', 'account', 'prefix'] as const
/** Why nothing could be told of a subject. */
export const UNJUDGED_REASONS = ['too_few_calls', 'too_little_history', 'not_busiest'] as const
export const ANOMALY_MEASURES = ['answered', 'fewer_calls', 'more_calls', 'time_to_answer'] as const

const Subject = z.object({
  kind: z.enum(ANOMALY_KINDS),
  /** The carrier's name, the sid, or the digits that the called numbers begin with. */
  id: z.string(),
  /**
   * Direction of a carrier's calls, which are judged separately. Null for other kinds, and for calls of unknown
   * direction.
   */
  direction: z.enum(['inbound', 'outbound']).nullable(),
  /** Null for an application or account that is gone. */
  name: StringOrNull,
})

/** Calls that differ from the same hours of the last four weeks, or where those have few, from the last seven days. */
export const CallAnomaly = Subject.extend({
  measure: z.enum(ANOMALY_MEASURES),
  /** All of it in words. */
  sentence: z.string(),
  /** Start of the window in which it was found. */
  since: z.string(),
  /** Period of the counted calls, inclusive. Calls still in progress at `end` are excluded. */
  start: z.string(),
  end: z.string(),
  calls: Integer,
  /** A share from 0 to 1, a number of calls, or seconds. */
  value: z.number(),
  usual: z.number(),
})
export type CallAnomaly = z.infer<typeof CallAnomaly>

export const CallAnomalies = z.object({
  /** Time of the last check (at most 3.5 minutes ago). */
  at: z.string(),
  /** Weeks (of the last 4) that have call records. */
  weeks: Integer,
  /** Number of carriers and directions, applications, accounts and prefixes that were compared. */
  judged: Integer,
  /** Number of those that could not be compared, by reason. */
  unjudged: z.array(
    z.object({
      reason: z.enum(UNJUDGED_REASONS),
      /** The reason in words. */
      sentence: z.string(),
      total: Integer,
      /** At most 20, carriers first. */
      subjects: z.array(Subject),
    }),
  ),
  /** The least likely first, at most 50. */
  data: z.array(CallAnomaly),
})
export type CallAnomalies = z.infer<typeof CallAnomalies>
