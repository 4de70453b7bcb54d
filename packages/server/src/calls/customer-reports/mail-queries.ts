import {
  type CustomerReportMail,
  momentAt,
  monthOf,
  todayBy,
  zoneClock,
} from '@switchroom/contract'
import type { Selectable } from 'kysely'
import { isOver } from '../../db/clock.ts'
import { skipExisting } from '../../db/dialect.ts'
import type { Db, Tables } from '../../db/open.ts'
import { isToken, newToken } from '../../tenants/report-links/tokens.ts'

export type MailRow = Selectable<Tables['switchroom_report_mails']>
export type Recipient = Selectable<Tables['switchroom_report_recipients']>
export type Settings = Pick<CustomerReportMail, 'time_zone' | 'language' | 'hides_numbers'>

/** Time of the day at which mails are sent. */
const SEND_MS = 7 * 3_600_000
/** Window in which an overdue mail counts as due; longer than a month. */
const LONGEST_MS = 33 * 86_400_000

const DEFAULTS: Settings = { time_zone: 'UTC', language: 'en', hides_numbers: true }

/**
 * Time of the next monthly mail (07:00 on the first of a month, in the zone) and the month it
 * reports.
 */
export function nextMorning(time_zone: string, now: number) {
  const clock = zoneClock(time_zone)
  const morningOf = (day: string) => momentAt(clock, Date.parse(day) + SEND_MS)
  const month = monthOf(todayBy(clock, now))
  const next_at = morningOf(month.from)
  if (next_at > now) return { month: monthOf(month.from, -1).from, next_at }
  return { month: month.from, next_at: morningOf(monthOf(month.from, 1).from) }
}

const settingsOf = (db: Db, account_sid: string) =>
  db
    .selectFrom('switchroom_report_mails')
    .selectAll()
    .where('account_sid', '=', account_sid)
    .executeTakeFirst()

export const recipientsOf = (db: Db, account_sid: string) =>
  db
    .selectFrom('switchroom_report_recipients')
    .selectAll()
    .where('account_sid', '=', account_sid)
    .orderBy('email')
    .execute()

const isoOf = (ms: number | null | undefined) =>
  ms === null || ms === undefined ? null : new Date(Number(ms)).toISOString()

/** Mail settings for the report of an account. Look the account up within scope first. */
export async function view(db: Db, account_sid: string) {
  const row = await settingsOf(db, account_sid)
  const recipients = await recipientsOf(db, account_sid)
  const { time_zone, language } = row ?? DEFAULTS
  return {
    recipients: recipients.map(({ email }) => email),
    time_zone,
    language,
    hides_numbers: row ? row.hides_numbers === 1 : DEFAULTS.hides_numbers,
    next_at: isoOf(row?.next_at),
    last_sent: recipients.map(({ email, month, sent_at, problem }) => ({
      email,
      month,
      sent_at,
      problem,
    })),
  }
}

/** Stores settings and recipients. Recipients that remain keep their record of sent months. */
export async function update(
  db: Db,
  account_sid: string,
  { recipients, ...settings }: Settings & { recipients: string[] },
  now: number,
) {
  const stored = await settingsOf(db, account_sid)
  const old = await recipientsOf(db, account_sid)
  const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
  const gone = old.filter(({ email }) => !recipients.some((recipient) => isSame(recipient, email)))
  const added = recipients.filter((recipient) => !old.some(({ email }) => isSame(recipient, email)))
  for (const { email } of gone) await removeRecipient(db, account_sid, email)
  for (const email of added)
    await db
      .insertInto('switchroom_report_recipients')
      .values({
        account_sid,
        email,
        unsubscribe_token: newToken(),
        sending: null,
        month: null,
        sent_at: null,
        problem: null,
      })
      .execute()
  const { time_zone, language } = settings
  const columns = { time_zone, language, hides_numbers: settings.hides_numbers ? 1 : 0 }
  const values = {
    ...columns,
    ...scheduleAfter(stored, recipients.length > 0, time_zone, now),
    holder: '',
  }
  await db
    .insertInto('switchroom_report_mails')
    .values({ account_sid, ...values })
    .$call(skipExisting(db))
    .execute()
  await updateOfAccount(db, account_sid).set(values).execute()
}

/** Keeps a month that is due or being sent, which is finished first. */
function scheduleAfter(
  stored: MailRow | undefined,
  hasRecipients: boolean,
  time_zone: string,
  now: number,
): Pick<MailRow, 'month' | 'next_at' | 'attempts'> {
  if (!hasRecipients) return { ...nextMorning(time_zone, now), next_at: null, attempts: 0 }
  if (stored && stored.next_at !== null && (stored.attempts > 0 || Number(stored.next_at) <= now)) {
    const { month, next_at, attempts } = stored
    return { month, next_at, attempts }
  }
  return { ...nextMorning(time_zone, now), attempts: 0 }
}

const updateOfAccount = (db: Db, account_sid: string) =>
  db.updateTable('switchroom_report_mails').where('account_sid', '=', account_sid)

/** Deletes a recipient with the links that were mailed there. */
async function removeRecipient(db: Db, account_sid: string, email: string) {
  await db
    .deleteFrom('switchroom_report_recipients')
    .where('account_sid', '=', account_sid)
    .where('email', '=', email)
    .execute()
  await db
    .deleteFrom('switchroom_customer_report_links')
    .where('account_sid', '=', account_sid)
    .where('mailed_to', '=', email)
    .execute()
}

/** The recipient of a token, with the account. Takes no scope: the token was sent to its holder by mail. */
export const findByToken = async (db: Db, token: string) =>
  isToken(token)
    ? db
        .selectFrom('switchroom_report_recipients as recipient')
        .innerJoin('accounts as account', 'account.account_sid', 'recipient.account_sid')
        .select(['recipient.email', 'account.account_sid', 'account.name'])
        .where('recipient.unsubscribe_token', '=', token)
        .executeTakeFirst()
    : undefined

/** Accounts whose mails are due by the database's clock. */
export const findDue = (db: Db, now: number, limit: number) =>
  db
    .selectFrom('switchroom_report_mails')
    .selectAll()
    .where('next_at', 'is not', null)
    .where(isOver('next_at', now, LONGEST_MS))
    .orderBy('next_at')
    .limit(limit)
    .execute()

/** Leases an account's due mails to a holder. False if another process was faster. */
export async function acquireLease(db: Db, row: MailRow, holder: string, until: number) {
  const { numUpdatedRows } = await updateOfAccount(db, row.account_sid)
    .set({ holder, next_at: until, attempts: row.attempts + 1 })
    .where('holder', '=', row.holder)
    .where('next_at', '=', row.next_at)
    .where('attempts', '=', row.attempts)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Renews or ends a lease. False if another holder has it, or the settings have changed. */
export async function updateLeased(
  db: Db,
  account_sid: string,
  holder: string,
  values: Partial<Pick<MailRow, 'month' | 'next_at' | 'attempts'>>,
) {
  const { numUpdatedRows } = await updateOfAccount(db, account_sid)
    .set(values)
    .where('holder', '=', holder)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Updates a recipient. False if it has been removed. */
export async function updateRecipient(
  db: Db,
  { account_sid, email }: Pick<Recipient, 'account_sid' | 'email'>,
  values: Partial<Pick<Recipient, 'sending' | 'month' | 'sent_at' | 'problem'>>,
) {
  const { numUpdatedRows } = await db
    .updateTable('switchroom_report_recipients')
    .set(values)
    .where('account_sid', '=', account_sid)
    .where('email', '=', email)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
