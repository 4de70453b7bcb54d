import { type api, TRUNK_REPORT_ENDED } from '@switchroom/contract'
import * as links from '../../carriers/trunk-report-links/queries.ts'
import { Failure } from '../../http/failure.ts'
import { countLinkRequest } from '../../http/report-links.ts'
import type { Handlers } from '../../http/serve.ts'

export const trunkReportRoutes: Handlers<typeof api.trunkReport> = {
  async view({ body: { token, time_zone }, ctx, meta }) {
    await countLinkRequest(ctx, 'trunk-report', meta.ip)
    const opened = await links.withToken(ctx.db, token)
    // whether it has ended, was revoked or never was is nobody's to know
    if (!opened) throw new Failure('not_found', TRUNK_REPORT_ENDED)
    const { link, carrier } = opened
    // read late: few servers are asked for it
    const { reportOf } = await import('./report.ts')
    const report = await reportOf(ctx, carrier, time_zone)
    await links.countOpen(ctx.db, link)
    return { ...report, ends_at: link.ends_at }
  },
}
