import { z } from 'zod'
import { Text } from './common.ts'
import { Integer, StringOrNull } from './fields.ts'
import { t } from './text.ts'
import { isTimeZone } from './time-zones.ts'

/** The longest time that a link to a report works. */
export const REPORT_LINK_MAX_DAYS = 30

const DAYS = t('Enter a whole number of days from 1 to {REPORT_LINK_MAX_DAYS}', {
  REPORT_LINK_MAX_DAYS,
})
const TOKEN = t('Enter the token')

/** Members of every link to a report, of any kind. */
export const ReportLink = z.object({
  /** Person or company that it is for. */
  label: z.string(),
  /** The user or API key that made it. */
  made_by: z.string(),
  /** ISO 8601, UTC. */
  created_at: z.string(),
  ends_at: z.string(),
  /** Null until it is opened. */
  last_opened_at: StringOrNull,
  opens: Integer,
})
export type ReportLink = z.infer<typeof ReportLink>

/** Body of a request for a new link. */
export const ReportLinkIn = z.object({
  label: Text(100, t('Enter who the link is for')),
  /** Lifetime in days. */
  days: z.coerce.number<number>(DAYS).int(DAYS).min(1, DAYS).max(REPORT_LINK_MAX_DAYS, DAYS),
})

/** The secret of a link, as whoever opens it sends it. */
export const ReportToken = z.string(TOKEN).max(100, TOKEN)

const ZONE = t('Enter a time zone, such as Europe/Berlin')
/** The name of a time zone in the IANA database. */
export const ZoneName = z
  .string(ZONE)
  .max(64, ZONE)
  .refine((zone) => isTimeZone(zone), ZONE)
