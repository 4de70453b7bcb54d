import { z } from 'zod'
import { ShownBrand } from '../tenants/brands.ts'
import { LANGUAGES } from '../users/preferences.ts'
import { accountParams, Sid, versioned } from '../wire/common.ts'
import { endpoints, removes, updates, views } from '../wire/endpoint.ts'
import { Integer, IntegerOrNull, NumberOrNull, StringOrNull } from '../wire/fields.ts'
import { fileColumns } from '../wire/file-columns.ts'
import { ReportLink, ReportLinkIn, ZoneName } from '../wire/report-links.ts'
import { plural, t } from '../wire/text.ts'
import { recordPage, recordPaging } from './recent-calls.ts'

/** The most addresses that an account's report is mailed to. */
export const MAX_REPORT_RECIPIENTS = 20
/** The longest period of a report. */
export const REPORT_MAX_DAYS = 3_650

const Counts = z.object({
  calls: Integer,
  /** Calls with an unknown outcome are in neither. */
  answered: Integer,
  not_answered: Integer,
  /** Total seconds of answered calls with a known duration, and how many those are. */
  seconds: z.number(),
  timed: Integer,
})
/** Calls of a day or month of a report. */
export const ReportTime = Counts.extend({
  /** The day, or the first one of the month, in the report's time zone. */
  date: z.string(),
})
export type ReportTime = z.infer<typeof ReportTime>
const Totals = Counts.extend({
  /** Calls without a known direction are in neither. */
  inbound: Integer,
  outbound: Integer,
})
export type ReportTotals = z.infer<typeof Totals>
const NumberCalls = z.object({ number: z.string(), calls: Integer, seconds: z.number() })

/** The calls of an account in a period, in figures. */
export const CustomerReport = z.object({
  account_name: z.string(),
  /** The first and last day, in the report's time zone. */
  from: z.string(),
  until: z.string(),
  time_zone: z.string(),
  /** Period of the counted calls, inclusive. Until now if it is not over. */
  start: z.string(),
  end: z.string(),
  /** True if more calls of the period may follow. */
  is_running: z.boolean(),
  /** Calls that began before are no longer kept; null if that is not known. */
  kept_since: StringOrNull,
  read_at: z.string(),
  total: Totals,
  /** The period before, of the same length; null if its calls are no longer kept. */
  before: z.object({ from: z.string(), until: z.string(), total: Totals }).nullable(),
  unit: z.enum(['day', 'month']),
  /** The oldest first, those without calls included. */
  times: z.array(ReportTime),
  /** Calls by hour of the week: 168 numbers from Monday 0:00. */
  hours: z.array(Integer),
  /** Calls that were not answered, by SIP status; null where the record has none. The most frequent first. */
  causes: z.array(z.object({ sip_status: IntegerOrNull, calls: Integer })),
  /** Counts by application, the busiest first. The name is null for calls without one. */
  applications: z.array(Counts.extend({ name: StringOrNull })),
  /** Numbers that called most often, of inbound and outbound calls; `called` are those called most often. */
  callers: z.array(NumberCalls),
  called: z.array(NumberCalls),
  /** True if these are of the newest calls only. */
  are_numbers_of_newest: z.boolean(),
})
export type CustomerReport = z.infer<typeof CustomerReport>

/** A report in the brand of the account's provider; null without one. */
export const BrandedReport = CustomerReport.extend({ brand: ShownBrand.nullable() })
export type BrandedReport = z.infer<typeof BrandedReport>

/** A call as a report lists it. */
export const ReportCall = z.object({
  attempted_at: z.string(),
  direction: StringOrNull,
  from: StringOrNull,
  to: StringOrNull,
  answered: z.boolean().nullable(),
  sip_status: NumberOrNull,
  /** Seconds. */
  duration: NumberOrNull,
  application: StringOrNull,
})
export type ReportCall = z.infer<typeof ReportCall>
/** The columns of a file of calls, in their order. */
export const REPORT_CALL_COLUMNS = ReportCall.keyof().options
export const ReportCalls = recordPage(ReportCall)

/** A link to the report of an account in a period. */
export const CustomerReportLink = ReportLink.extend({
  customer_report_link_sid: z.string(),
  account_sid: z.string(),
  from: z.string(),
  until: z.string(),
  time_zone: z.string(),
  hides_numbers: z.boolean(),
  /** The address that it was mailed to; null if somebody made it. */
  mailed_to: StringOrNull,
})
export type CustomerReportLink = z.infer<typeof CustomerReportLink>

const DATE = t('Enter a day, such as 2026-01-31')
const Day = z.iso.date(DATE)
const UNTIL = t('The last day is before the first')
const TOO_LONG = t('A report can have at most {REPORT_MAX_DAYS} days', { REPORT_MAX_DAYS })
/** Days of the report's time zone, both included. */
const period = { from: Day, until: Day, time_zone: ZoneName.default('UTC') }
type Period = { from: string; until: string }
const isOrdered = ({ from, until }: Period) => from <= until
const isShort = ({ from, until }: Period) =>
  Date.parse(until) - Date.parse(from) < REPORT_MAX_DAYS * 86_400_000
const atUntil = (error: string) => ({ path: ['until'], error })
const PeriodQuery = z
  .object(period)
  .refine(isOrdered, atUntil(UNTIL))
  .refine(isShort, atUntil(TOO_LONG))

/** Delivery of mails to a recipient. */
const ReportDelivery = z.object({
  email: z.string(),
  /** The latest month that was sent: its first day; null before the first. */
  month: StringOrNull,
  sent_at: StringOrNull,
  /** Why the latest mail was not sent, or may have arrived twice. */
  problem: StringOrNull,
})
export type ReportDelivery = z.infer<typeof ReportDelivery>

const EMAIL = t('Enter an email address')
const settings = {
  recipients: z
    .array(z.email(EMAIL).max(254, EMAIL))
    .max(
      MAX_REPORT_RECIPIENTS,
      plural(MAX_REPORT_RECIPIENTS, 'At most 1 recipient|At most {n} recipients'),
    )
    .transform((all) => [...new Map(all.map((one) => [one.toLowerCase(), one])).values()]),
  /** Time zone of the reported months, and of the morning of the mail. */
  time_zone: ZoneName,
  language: z.enum(LANGUAGES),
  /** True if the link in the mail shows numbers shortened. */
  hides_numbers: z.boolean(),
}

/** Recipients of an account's report of the month before, which is mailed on the first day of each month. */
export const CustomerReportMail = z.object({
  ...settings,
  recipients: z.array(z.string()),
  /** Time of the next mails; null without recipients. */
  next_at: StringOrNull,
  /** Last delivery to each recipient. */
  last_sent: z.array(ReportDelivery),
  /** True if this server can send email. */
  is_mail_on: z.boolean(),
})
export type CustomerReportMail = z.infer<typeof CustomerReportMail>

const own = { own: true, access: 'account' } as const
const ofAccount = { ...own, params: accountParams } as const
const CALLS = { path: '/Accounts/:account_sid/CustomerReport/Calls', ...ofAccount } as const
const LINKS = { path: '/Accounts/:account_sid/CustomerReportLinks', ...ofAccount } as const
const MAIL = { path: '/Accounts/:account_sid/CustomerReportMail', ...ofAccount } as const
/** Query of a file of calls. */
export const reportColumns = fileColumns(REPORT_CALL_COLUMNS)

export const customerReports = endpoints({
  view: {
    ...ofAccount,
    path: '/Accounts/:account_sid/CustomerReport',
    method: 'GET',
    costs: 'figures',
    summary: 'Get the report of an account’s calls in a period',
    query: PeriodQuery,
    response: BrandedReport,
  },
  calls: {
    ...CALLS,
    method: 'GET',
    summary: 'List the calls of an account’s report, newest first',
    query: PeriodQuery.safeExtend(recordPaging),
    response: ReportCalls,
  },
  export: {
    ...CALLS,
    path: '/Accounts/:account_sid/CustomerReport/Calls/Export',
    method: 'GET',
    file: 'calls.csv',
    summary: 'Export the calls of an account’s report as CSV',
    query: z.object({ ...period, ...reportColumns }).refine(isOrdered, atUntil(UNTIL)),
    response: z.string(),
  },
  links: {
    ...LINKS,
    method: 'GET',
    summary: 'List the links to the report of an account, newest first',
    response: z.array(CustomerReportLink),
  },
  createLink: {
    ...LINKS,
    method: 'POST',
    summary: 'Create a link to the report of an account; its token is shown once',
    grantsAccess: true,
    body: ReportLinkIn.extend({ ...period, hides_numbers: z.boolean().default(true) })
      .refine(isOrdered, atUntil(UNTIL))
      .refine(isShort, atUntil(TOO_LONG)),
    status: 201,
    response: z.object({ sid: z.string(), token: z.string() }),
  },
  revokeLink: {
    ...own,
    path: '/CustomerReportLinks/:customer_report_link_sid',
    params: z.object({ customer_report_link_sid: Sid }),
    ...removes,
    summary: 'Revoke a link to the report of an account',
  },
  mail: {
    ...MAIL,
    ...views,
    summary: 'Get the mail settings of an account’s report',
    response: CustomerReportMail.extend(versioned),
  },
  updateMail: {
    ...MAIL,
    ...updates,
    summary: 'Update the mail settings of an account’s report',
    grantsAccess: true,
    body: z.object(settings).partial(),
  },
  sendMail: {
    ...MAIL,
    path: '/Accounts/:account_sid/CustomerReportMail/Send',
    method: 'POST',
    personOnly: true,
    callsOutside: true,
    costs: 'figures',
    summary: 'Mail yourself last month’s report',
    response: z.object({ sent_to: z.string() }),
  },
})
