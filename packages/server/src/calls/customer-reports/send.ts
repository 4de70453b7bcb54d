import { createHash, randomUUID } from 'node:crypto'
import {
  CUSTOMER_REPORT_PATH,
  MAIL_OFF,
  monthOf,
  REPORT_LINK_MAX_DAYS,
  t,
  todayBy,
  UNSUBSCRIBE_PATH,
  zoneClock,
} from '@switchroom/contract'
import { type Actor, record } from '../../audit/record.ts'
import { SWITCHROOM } from '../../audit/switchroom.ts'
import { databaseNow } from '../../db/clock.ts'
import type { Db } from '../../db/open.ts'
import { transaction } from '../../db/transaction.ts'
import { errorCode } from '../../errors/members.ts'
import type { Context } from '../../http/context.ts'
import { mailProblem } from '../../outbound/mail-message.ts'
import { StoreUnavailable } from '../../stores/kit/unavailable.ts'
import { insertLink, removeEnded } from '../../tenants/report-links/queries.ts'
import { newLink } from '../../tenants/report-links/tokens.ts'
import { withNumbers } from './calls.ts'
import * as mails from './mail-queries.ts'
import { type MailBrand, mailOf } from './message.ts'
import { LINKS } from './queries.ts'
import { reportOf } from './report.ts'

/** Accounts of one pass. */
const ACCOUNTS = 20
/** Longer than a mail server may take for one mail. */
const LEASE_MS = 10 * 60_000
const MINUTE_MS = 60_000
/** Pauses between the tries of a month. */
const BACK_OFF_MS = [5, 30, 120, 360, 720].map((minutes) => minutes * MINUTE_MS)

const AGAIN = t(
  'The server stopped while it sent this mail. It was sent again and may have arrived twice.',
)

export type Sending = Pick<Context, 'db' | 'mail' | 'stores' | 'config' | 'memory' | 'log' | 'box'>
type Account = { account_sid: string; service_provider_sid: string; name: string }

/** Sends due mails. `at`: the time, for tests. */
export async function sendDue(ctx: Sending, at?: number) {
  // mails wait until there is a mail server
  if (!ctx.mail) return
  const now = at ?? (await databaseNow(ctx.db))
  for (const row of await mails.findDue(ctx.db, now, ACCOUNTS)) {
    const holder = randomUUID()
    if (await mails.acquireLease(ctx.db, row, holder, now + LEASE_MS))
      await sendMonth(ctx, row, holder, at)
  }
}

/** Sends the month before to each recipient that has not got it. */
async function sendMonth(ctx: Sending, row: mails.MailRow, holder: string, at?: number) {
  const { db } = ctx
  const { account_sid, time_zone } = row
  const nowIs = async () => at ?? (await databaseNow(db))
  const now = await nowIs()
  const month = monthOf(todayBy(zoneClock(time_zone), now), -1)
  const account = await accountOf(db, account_sid)
  let hasFailed = false
  // a deactivated account sends nothing
  const recipients = account ? await mails.recipientsOf(db, account_sid) : []
  for (const recipient of recipients) {
    if (recipient.month !== null && recipient.month >= month.from) continue
    const until = (await nowIs()) + LEASE_MS
    const renewed = { month: month.from, next_at: until }
    if (!(await mails.updateLeased(db, account_sid, holder, renewed))) return
    const wasSending = recipient.sending === month.from
    // noted before, so that another process knows after a crash that it may have been sent
    if (!(await mails.updateRecipient(db, recipient, { sending: month.from }))) continue
    const problem = await sendOne(ctx, account!, row, recipient, { month, now })
    hasFailed ||= problem !== undefined
    const sent = { month: month.from, sent_at: new Date(now).toISOString() }
    await mails.updateRecipient(db, recipient, {
      ...(problem === undefined && sent),
      sending: null,
      problem: problem ?? (wasSending ? AGAIN : null),
    })
  }
  const pause = hasFailed ? BACK_OFF_MS[row.attempts] : undefined
  await mails.updateLeased(
    db,
    account_sid,
    holder,
    pause === undefined
      ? { ...mails.nextMorning(time_zone, now), attempts: 0 }
      : { next_at: now + pause },
  )
}

const accountOf = (db: Db, account_sid: string): Promise<Account | undefined> =>
  db
    .selectFrom('accounts')
    .select(['account_sid', 'service_provider_sid', 'name'])
    .where('account_sid', '=', account_sid)
    .where('is_active', '=', 1)
    .executeTakeFirst()

/** Sends one mail. Resolves to why it was not sent. */
async function sendOne(
  ctx: Sending,
  account: Account,
  settings: mails.MailRow,
  { email, unsubscribe_token }: mails.Recipient,
  { month, now }: Pick<Wanted, 'month' | 'now'>,
): Promise<string | undefined> {
  const { account_sid, service_provider_sid } = account
  try {
    await sendReport(ctx, SWITCHROOM, account, {
      ...{ to: email, month, now, time_zone: settings.time_zone, language: settings.language },
      hides_numbers: settings.hides_numbers === 1,
      unsubscribe_token,
      id: createHash('sha256')
        .update(JSON.stringify([account_sid, month.from, email]))
        .digest('hex'),
    })
    return undefined
  } catch (e) {
    if (e instanceof StoreUnavailable) return e.message.slice(0, 400)
    ctx.log.warn(
      { account_sid, service_provider_sid, code: errorCode(e), err: e },
      'a monthly report could not be mailed',
    )
    return mailProblem(e).sentence
  }
}

type Wanted = mails.Settings & {
  to: string
  month: { from: string; until: string }
  now: number
  unsubscribe_token?: string
  id?: string
}

/** Mails the report of a month, with a link to it that is made for this recipient. Throws if it is not sent. */
export async function sendReport(ctx: Sending, actor: Actor, account: Account, wanted: Wanted) {
  const { db, mail, config } = ctx
  const { to, month, now, time_zone, language, hides_numbers, unsubscribe_token, id } = wanted
  if (!mail) throw new Error(MAIL_OFF)
  const { account_sid } = account
  const report = await reportOf(ctx, account, { ...month, time_zone }, now)
  const base = config.base_url
  const made = base ? await mailedLink(db, actor, account, wanted) : undefined
  await mail({
    ...mailOf({
      ...{ to, language, brand: await brandOf(db, account) },
      report: await withNumbers(ctx, { account_sid, hides_numbers }, report),
      link: made && {
        url: `${base}${CUSTOMER_REPORT_PATH}#${made.token}`,
        ends_at: made.ends_at,
      },
      unsubscribe:
        base && unsubscribe_token ? `${base}${UNSUBSCRIBE_PATH}#${unsubscribe_token}` : undefined,
    }),
    ...(id && { id }),
  })
}

/** Makes the link of a mail, in place of one that an earlier try has made for it. */
async function mailedLink(
  db: Db,
  actor: Actor,
  { account_sid, service_provider_sid }: Account,
  { to, month, time_zone, hides_numbers }: Wanted,
) {
  const { token, columns } = newLink(actor.scope, { label: to, days: REPORT_LINK_MAX_DAYS })
  const sid = randomUUID()
  const owner = { account_sid, service_provider_sid }
  await transaction(db, async (tx) => {
    await removeEnded(tx, LINKS, account_sid)
    await tx
      .deleteFrom('switchroom_customer_report_links')
      .where('account_sid', '=', account_sid)
      .where('mailed_to', '=', to)
      .where('from_day', '=', month.from)
      .where('made_by', '=', columns.made_by)
      .execute()
    await insertLink(tx, LINKS, {
      ...{ customer_report_link_sid: sid, ...owner, ...columns },
      ...{ from_day: month.from, until_day: month.until, time_zone },
      ...{ hides_numbers: hides_numbers ? 1 : 0, mailed_to: to },
    })
    const after = { ...owner, name: to, ...month, ends_at: columns.ends_at }
    const entry = { action: 'create', kind: 'customer_report_link', sid, name: to } as const
    await record(tx, actor, [{ ...entry, ...owner, before: null, after }])
  })
  return { token, ends_at: columns.ends_at }
}

async function brandOf(db: Db, { service_provider_sid }: Account): Promise<MailBrand | undefined> {
  const row = await db
    .selectFrom('switchroom_brands')
    .select(['name', 'color', 'logo_light', 'logo_light_type'])
    .where('service_provider_sid', '=', service_provider_sid)
    .executeTakeFirst()
  if (!row) return undefined
  // mail programs show no SVG
  const isShown = row.logo_light !== null && row.logo_light_type === 'image/png'
  const logo = isShown ? Buffer.from(row.logo_light!, 'base64') : undefined
  return { name: row.name, color: row.color, logo }
}
