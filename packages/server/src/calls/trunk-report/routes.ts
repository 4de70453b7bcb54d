import { type api, TRUNK_REPORT_ENDED, t } from '@switchroom/contract'
import * as links from '../../carriers/trunk-report-links/queries.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { networkOf } from '../../http/network.ts'
import type { Handlers } from '../../http/serve.ts'

/** Requests of a network, whatever their token. Staff behind one address open a report now and then. */
const PER_MINUTE = 60
const MINUTE_MS = 60_000

/** Counts before anything is looked up, over all processes. Throws 429 above the limit. */
async function count({ live }: Pick<Context, 'live'>, ip: string, now = Date.now()) {
  const minute = Math.floor(now / MINUTE_MS)
  const key = `switchroom:trunk-report:${networkOf(ip)}:${minute}`
  if ((await live.increment(key, MINUTE_MS / 1_000)) > PER_MINUTE)
    throw new Failure('too_many', t('Too many requests. Try again in a minute.'), {
      retry_after: Math.ceil(((minute + 1) * MINUTE_MS - now) / 1_000),
    })
}

export const trunkReportRoutes: Handlers<typeof api.trunkReport> = {
  async view({ body: { token, time_zone }, ctx, meta }) {
    await count(ctx, meta.ip)
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
