import { type api, MAIL_OFF, monthOf, t, todayBy, zoneClock } from '@switchroom/contract'
import { audited } from '../../audit/audited.ts'
import { databaseNow } from '../../db/clock.ts'
import { definedFields } from '../../db/defined-fields.ts'
import type { Context } from '../../http/context.ts'
import { Failure, found } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import { hourly } from '../../live/hourly.ts'
import { mailProblem } from '../../outbound/mail-message.ts'
import { StoreUnavailable } from '../../stores/kit/unavailable.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import { makeLink, revokeLink } from '../../tenants/report-links/make.ts'
import * as users from '../../users/queries.ts'
import { mailSubject } from './mail-subject.ts'
import * as links from './queries.ts'
import { passedTime } from './report.ts'

/** Throws 404 for an account that the caller may not see. */
const visible = async ({ db }: Pick<Context, 'db'>, scope: Scope, account_sid: string) =>
  found(await accounts.findVisible(db, scope, account_sid), t('account'))

/** The account with its name. Throws 404 if the caller may not see it. */
const accountOf = async ({ db }: Pick<Context, 'db'>, scope: Scope, account_sid: string) =>
  found(await links.accountNamed(db, scope, account_sid), t('account'))

/** Test reports a user may send to their own address per hour. */
const MAILS_PER_HOUR = 10

export const customerReportRoutes: Handlers<typeof api.customerReports> = {
  async view({ params: { account_sid }, query, scope, ctx }) {
    const account = await accountOf(ctx, scope, account_sid)
    const { reportOf } = await import('./report.ts')
    const [report, brand] = await Promise.all([
      reportOf(ctx, account, query),
      links.brandOf(ctx.db, account),
    ])
    return { ...report, brand }
  },

  async calls({ params: { account_sid }, query, scope, ctx }) {
    await visible(ctx, scope, account_sid)
    const { pageOfCalls } = await import('./calls.ts')
    const { page, count, ...period } = query
    return pageOfCalls(ctx, { account_sid, period, hides_numbers: false }, { page, count })
  },

  async export({ params: { account_sid }, query, scope, ctx }) {
    await visible(ctx, scope, account_sid)
    const { fileOfCalls } = await import('./calls.ts')
    const { from, until, ...options } = query
    const period = { from, until, time_zone: options.time_zone ?? 'UTC' }
    return fileOfCalls(ctx, { account_sid, period, hides_numbers: false }, options)
  },

  async links({ params: { account_sid }, scope, ctx }) {
    await visible(ctx, scope, account_sid)
    return links.linksOf(ctx.db, account_sid)
  },

  async createLink({ params: { account_sid }, body, ...actor }) {
    const { scope } = actor
    const { from, until, time_zone, hides_numbers } = body
    passedTime({ from, until, time_zone })
    const options = { about: account_sid, ...body }
    return makeLink(actor, links.LINKS, options, async (tx, columns, customer_report_link_sid) => {
      const { service_provider_sid } = await accountOf({ db: tx }, scope, account_sid)
      return {
        customer_report_link_sid,
        account_sid,
        service_provider_sid,
        ...columns,
        from_day: from,
        until_day: until,
        time_zone,
        hides_numbers: hides_numbers ? 1 : 0,
        mailed_to: null,
      }
    })
  },

  async revokeLink({ params: { customer_report_link_sid }, ...actor }) {
    await revokeLink(actor, links.LINKS, customer_report_link_sid)
  },

  async mail({ params: { account_sid }, scope, ctx }) {
    await visible(ctx, scope, account_sid)
    const { view } = await import('./mail-queries.ts')
    return { ...(await view(ctx.db, account_sid)), is_mail_on: ctx.mail !== undefined }
  },

  async updateMail({ params: { account_sid }, body, ...actor }) {
    const { scope, ctx } = actor
    const mails = await import('./mail-queries.ts')
    await audited(actor, mailSubject(ctx, scope, account_sid), async (tx, before) => {
      const stored = found(before, t('account'))
      const now = await databaseNow(tx)
      await mails.update(tx, account_sid, { ...stored, ...definedFields(body) }, now)
    })
  },

  async sendMail({ params: { account_sid }, ...actor }) {
    const { scope, ctx } = actor
    const account = await accountOf(ctx, scope, account_sid)
    if (!ctx.mail) throw new Failure('conflict', MAIL_OFF)
    const email = await users.emailOf(ctx.db, scope.user_sid ?? '')
    if (!email)
      throw new Failure('conflict', t('You have no email address. Enter one in your user first.'))
    const wait = await hourly(ctx, `report-mail:${scope.user_sid}`, MAILS_PER_HOUR)
    if (wait > 0)
      throw new Failure('too_many', t('Too many mails. Try again later.'), { retry_after: wait })
    const { view } = await import('./mail-queries.ts')
    const settings = await view(ctx.db, account_sid)
    const now = Date.now()
    const month = monthOf(todayBy(zoneClock(settings.time_zone), now), -1)
    const { sendReport } = await import('./send.ts')
    try {
      await sendReport(ctx, actor, account, { to: email, month, now, ...settings })
    } catch (cause) {
      if (cause instanceof StoreUnavailable) throw cause
      throw new Failure('vendor_failed', mailProblem(cause).sentence, { cause })
    }
    return { sent_to: email }
  },
}
