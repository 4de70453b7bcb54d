import { type api, t } from '@switchroom/contract'
import * as links from '../../carriers/trunk-report-links/queries.ts'
import { found } from '../../http/failure.ts'
import type { Handlers } from '../../http/serve.ts'
import { openLink } from '../../tenants/report-links/make.ts'
import { countOpen } from '../../tenants/report-links/queries.ts'

export const trunkReportRoutes: Handlers<typeof api.trunkReport> = {
  async view({ body: { token, time_zone }, ctx, meta }) {
    const link = await openLink({ ctx, meta }, links.LINKS, token)
    const carrier = found(await links.carrierOf(ctx.db, link), t('carrier'))
    // imported late: few servers need it
    const { reportOf } = await import('./report.ts')
    const report = await reportOf(ctx, carrier, time_zone)
    await countOpen(ctx.db, links.LINKS, link)
    return { ...report, ends_at: link.ends_at }
  },
}
