import { z } from 'zod'
import { Sid } from '../wire/common.ts'
import { endpoints, removes } from '../wire/endpoint.ts'
import { ReportLink, ReportLinkIn } from '../wire/report-links.ts'

/** The most links of a carrier that work at the same time. */
export const MAX_TRUNK_REPORT_LINKS = 20

/** A link to the trunk report of a carrier. */
export const TrunkReportLink = ReportLink.extend({
  trunk_report_link_sid: z.string(),
  voip_carrier_sid: z.string(),
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
    summary: 'Create a link to the trunk report of a carrier; its token is shown once',
    // it outlives a key that expires, and works from any network
    grantsAccess: true,
    body: ReportLinkIn,
    status: 201,
    response: z.object({ sid: z.string(), token: z.string() }),
  },
  revoke: {
    path: '/TrunkReportLinks/:trunk_report_link_sid',
    params: z.object({ trunk_report_link_sid: Sid }),
    access: 'account',
    own: true,
    ...removes,
    summary: 'Revoke a link to a trunk report',
  },
})
