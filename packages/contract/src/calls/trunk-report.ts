import { z } from 'zod'
import { endpoints } from '../wire/endpoint.ts'
import { Integer, IntegerOrNull, NumberOrNull, StringOrNull } from '../wire/fields.ts'
import { ReportToken, ZoneName } from '../wire/report-links.ts'
import { t } from '../wire/text.ts'
import { SipLadder } from './captures.ts'

/** Full days before today that a report covers. */
export const TRUNK_REPORT_DAYS = 30
/** Failed calls shown with their SIP: of each cause, and in all. */
export const TRUNK_REPORT_CALLS_PER_CAUSE = 5
export const TRUNK_REPORT_CALLS = 10

export const TRUNK_REPORT_ENDED = t('This link has ended or is not valid')

const Counts = z.object({
  calls: Integer,
  /** Calls with an unknown outcome are in neither. */
  answered: Integer,
  not_answered: Integer,
  /** Total length of answered calls. */
  seconds: z.number(),
  /** Mean seconds from the attempt to the answer, ringing included; null if unknown. */
  seconds_to_answer: NumberOrNull,
})
export const TrunkReportDay = Counts.extend({
  /** Such as 2026-11-26, in the report's time zone. */
  date: z.string(),
})
export type TrunkReportDay = z.infer<typeof TrunkReportDay>

/** A failed call. All numbers are shortened: only the country code and the last two digits remain. */
export const TrunkReportCall = z.object({
  at: z.string(),
  direction: StringOrNull,
  sip_status: IntegerOrNull,
  from: StringOrNull,
  to: StringOrNull,
  /** SIP messages between the SBC and the carrier; null if they were not captured. */
  ladder: SipLadder.nullable(),
})
export type TrunkReportCall = z.infer<typeof TrunkReportCall>

/** The report of a trunk for its carrier's support staff, with nothing that they may not know. */
export const TrunkReport = z.object({
  carrier: z.string(),
  /** Time at which the link expires. */
  ends_at: z.string(),
  time_zone: z.string(),
  /** Time at which the figures were read. */
  read_at: z.string(),
  /** The oldest first, days without calls included. The last one is today. */
  days: z.array(TrunkReportDay),
  total: Counts,
  /** Calls that were not answered, by SIP status; null where the record has none. The most frequent first. */
  causes: z.array(z.object({ sip_status: IntegerOrNull, calls: Integer })),
  /** The latest calls of the most frequent causes. */
  failed_calls: z.array(TrunkReportCall),
  /** State of the SIP capture: read, turned off, or unreadable at the moment. */
  captures: z.enum(['read', 'off', 'unavailable']),
})
export type TrunkReport = z.infer<typeof TrunkReport>

export const trunkReport = endpoints({
  view: {
    path: '/TrunkReport',
    access: 'public',
    // a body, because addresses are written to logs
    method: 'POST',
    own: true,
    costs: 'figures',
    summary: 'Get the last 30 days of a trunk by the token of a report link',
    body: z.object({
      token: ReportToken,
      /** An IANA name. */
      time_zone: ZoneName.default('UTC'),
    }),
    response: TrunkReport,
  },
})
