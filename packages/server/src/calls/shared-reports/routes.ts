import { type api, type SharedReport, UNSUBSCRIBE_ENDED } from '@switchroom/contract'
import { audited } from '../../audit/audited.ts'
import { SWITCHROOM } from '../../audit/switchroom.ts'
import { databaseNow } from '../../db/clock.ts'
import type { Context } from '../../http/context.ts'
import { Failure, found } from '../../http/failure.ts'
import type { RequestMeta } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import { openLink } from '../../tenants/report-links/make.ts'
import { countOpen } from '../../tenants/report-links/queries.ts'
import { countLinkRequest } from '../../tenants/report-links/tokens.ts'
import { fileOfCalls, pageOfCalls, withNumbers } from '../customer-reports/calls.ts'
import * as mails from '../customer-reports/mail-queries.ts'
import { mailSubject } from '../customer-reports/mail-subject.ts'
import { brandOf, LINKS, linkedTo } from '../customer-reports/queries.ts'
import { reportOf } from '../customer-reports/report.ts'

type RequestContext = { ctx: Context; meta: RequestMeta }

async function openReport(context: RequestContext, token: string) {
  const link = await openLink(context, LINKS, token)
  const { account, period } = await linkedTo(context.ctx.db, link)
  const hides_numbers = link.hides_numbers === 1
  return { link, account, period, selection: { ...account, period, hides_numbers } }
}

export const sharedReportRoutes: Handlers<typeof api.sharedReports> = {
  async view({ body: { token }, ctx, meta }): Promise<SharedReport> {
    const { link, account, period, selection } = await openReport({ ctx, meta }, token)
    const { hides_numbers } = selection
    const report = await withNumbers(ctx, selection, await reportOf(ctx, account, period))
    const brand = await brandOf(ctx.db, link)
    await countOpen(ctx.db, LINKS, link)
    return { ...report, hides_numbers, ends_at: link.ends_at, brand }
  },

  async calls({ body: { token, page, count }, ctx, meta }) {
    const { selection } = await openReport({ ctx, meta }, token)
    return pageOfCalls(ctx, selection, { page, count })
  },

  async export({ body: { token }, query, ctx, meta }) {
    const { selection } = await openReport({ ctx, meta }, token)
    return fileOfCalls(ctx, selection, query)
  },

  async unsubscribe({ body: { token }, ctx, meta }) {
    await countLinkRequest(ctx, LINKS.kind, meta.ip)
    const recipient = await mails.findByToken(ctx.db, token)
    if (!recipient) throw new Failure('not_found', UNSUBSCRIBE_ENDED)
    const { account_sid, email, name } = recipient
    // anyone holding the link; not a known user
    const scope = { ...SWITCHROOM.scope, name: email }
    const actor = { ctx, scope, meta }
    await audited(actor, mailSubject(ctx, scope, account_sid), async (tx, before) => {
      const stored = found(before, UNSUBSCRIBE_ENDED)
      const recipients = stored.recipients.filter((address) => address !== email)
      await mails.update(tx, account_sid, { ...stored, recipients }, await databaseNow(tx))
    })
    return { email, account_name: name }
  },
}
