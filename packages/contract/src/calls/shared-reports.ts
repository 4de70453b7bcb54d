import { z } from 'zod'
import { endpoints } from '../wire/endpoint.ts'
import { ReportToken } from '../wire/report-links.ts'
import { BrandedReport, ReportCalls, reportColumns } from './customer-reports.ts'
import { recordPaging } from './recent-calls.ts'

/** A report opened by a link. */
export const SharedReport = BrandedReport.extend({
  /** True if numbers other than the account's own show only their country code and last two digits. */
  hides_numbers: z.boolean(),
  /** Time at which the link expires. */
  ends_at: z.string(),
})
export type SharedReport = z.infer<typeof SharedReport>

const shared = { own: true, access: 'public', method: 'POST' } as const
// a body, because addresses are written to logs
const opened = { token: ReportToken }

export const sharedReports = endpoints({
  view: {
    ...shared,
    path: '/CustomerReport',
    costs: 'figures',
    summary: 'Get the report of a link by its token',
    body: z.object(opened),
    response: SharedReport,
  },
  calls: {
    ...shared,
    path: '/CustomerReport/Calls',
    summary: 'List the calls of a shared report, newest first',
    body: z.object({ ...opened, ...recordPaging }),
    response: ReportCalls,
  },
  export: {
    ...shared,
    path: '/CustomerReport/Calls/Export',
    file: 'calls.csv',
    summary: 'Export the calls of a shared report as CSV',
    query: z.object(reportColumns),
    body: z.object(opened),
    response: z.string(),
  },
  unsubscribe: {
    ...shared,
    path: '/CustomerReportMail/Unsubscribe',
    idempotent: true,
    summary: 'Unsubscribe a recipient from the mails by their token',
    body: z.object(opened),
    response: z.object({ email: z.string(), account_name: z.string() }),
  },
})
