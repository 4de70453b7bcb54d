import { z } from 'zod'
import { NoContent, Sid, Text } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'
import { t } from '../wire/text.ts'

/** The most links of a carrier that work at the same time. */
export const MAX_TRUNK_REPORT_LINKS = 20
/** The longest time that a link works. */
export const TRUNK_REPORT_LINK_MAX_DAYS = 30
/** Where the console shows a report. The token follows as the fragment, which browsers send to no server. */
export const TRUNK_REPORT_PATH = '/trunk-report'

const DAYS = t('Enter a whole number of days from 1 to {TRUNK_REPORT_LINK_MAX_DAYS}', {
  TRUNK_REPORT_LINK_MAX_DAYS,
})

/** A link to the trunk report of a carrier. */
export const TrunkReportLink = z.object({
  trunk_report_link_sid: z.string(),
  voip_carrier_sid: z.string(),
  /** Whom it is for. */
  label: z.string(),
  /** The user or API key that made it. */
  made_by: z.string(),
  /** ISO 8601, UTC. */
  created_at: z.string(),
  ends_at: z.string(),
  /** Null until it is opened. */
  last_opened_at: z.string().nullable(),
  opens: z.number().int(),
})
export type TrunkReportLink = z.infer<typeof TrunkReportLink>

const ofCarrier = {
  path: '/VoipCarriers/:voip_carrier_sid/TrunkReportLinks',
  params: z.object({ voip_carrier_sid: Sid }),
  access: 'account',
  own: true,
} as const

export const trunkReportLinks = endpoints({
  list: {
    ...ofCarrier,
    method: 'GET',
    summary: 'List the links to the trunk report of a carrier, newest first',
    response: z.array(TrunkReportLink),
  },
  create: {
    ...ofCarrier,
    method: 'POST',
    summary: 'Make a link to the trunk report of a carrier, whose token is returned only now',
    // it outlives a key that expires, and works from any network
    grantsAccess: true,
    body: z.object({
      label: Text(100, t('Enter whom the link is for')),
      /** How many days it works. */
      days: z.coerce
        .number<number>(DAYS)
        .int(DAYS)
        .min(1, DAYS)
        .max(TRUNK_REPORT_LINK_MAX_DAYS, DAYS),
    }),
    status: 201,
    response: z.object({ sid: z.string(), token: z.string() }),
  },
  revoke: {
    path: '/TrunkReportLinks/:trunk_report_link_sid',
    params: z.object({ trunk_report_link_sid: Sid }),
    access: 'account',
    own: true,
    method: 'DELETE',
    summary: 'Revoke a link to a trunk report',
    status: 204,
    response: NoContent,
  },
})
