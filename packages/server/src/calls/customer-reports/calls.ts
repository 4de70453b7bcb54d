import type { FileOptions } from '@switchroom/contract'
import {
  type Call,
  type CustomerReport,
  REPORT_CALL_COLUMNS,
  type ReportCall,
} from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import { csv, mapped } from '../../http/csv.ts'
import { begun } from '../recent-calls/queries.ts'
import { shortParty } from '../trunk-report/short.ts'
import { partyOf, samePartyOf } from './parties.ts'
import { applicationNames, ownNumbers } from './queries.ts'
import { passedTime, type ZonedPeriod } from './report.ts'

type Reading = Pick<Context, 'db' | 'stores'>
/** How a number is shown. */
type Shown = (party: string | null) => string | null

/** Shortens numbers but for those of the account itself; undefined: all are shown as they are. */
export async function shownNumbers(
  { db }: Pick<Context, 'db'>,
  account_sid: string,
  hides_numbers: boolean,
): Promise<Shown> {
  if (!hides_numbers) return (party) => party
  const own = await ownNumbers(db, account_sid)
  return (party) =>
    party === null || own.has(samePartyOf(partyOf(party))) ? party : shortParty(party)
}

/** A report with its numbers as they are to be shown. */
export const withNumbers = <R extends Pick<CustomerReport, 'callers' | 'called'>>(
  report: R,
  shown: Shown,
): R => {
  const all = (numbers: CustomerReport['callers']) =>
    numbers.map((one) => ({ ...one, number: shown(one.number) ?? one.number }))
  return { ...report, callers: all(report.callers), called: all(report.called) }
}

async function rowOf(ctx: Reading, account_sid: string, hides_numbers: boolean) {
  const [shown, names] = await Promise.all([
    shownNumbers(ctx, account_sid, hides_numbers),
    applicationNames(ctx.db, account_sid),
  ])
  return (call: Call): ReportCall => ({
    attempted_at: call.attempted_at,
    direction: call.direction,
    from: shown(call.from),
    to: shown(call.to),
    answered: call.answered,
    sip_status: call.sip_status,
    duration: call.duration,
    application: call.application_sid && (names.get(call.application_sid) ?? null),
  })
}

type Wanted = { account_sid: string; period: ZonedPeriod; hides_numbers: boolean }

const filterOf = ({ account_sid, period }: Wanted) => {
  const { from, to } = passedTime(period)
  return { account_sid, from, to }
}

/** A page of the calls of a report, newest first. */
export async function pageOfCalls(
  ctx: Reading,
  wanted: Wanted,
  { page, count }: { page: number; count: number },
) {
  const limits = { limit: count, offset: (page - 1) * count }
  const { data, total } = await ctx.stores.calls.list(filterOf(wanted), limits)
  const row = await rowOf(ctx, wanted.account_sid, wanted.hides_numbers)
  return { data: data.map(row), total, page: String(page), page_size: String(count) }
}

/** All calls of a report as a file. */
export async function fileOfCalls(
  ctx: Reading,
  wanted: Wanted,
  options: FileOptions & { columns?: (keyof ReportCall)[] | undefined },
) {
  const row = await rowOf(ctx, wanted.account_sid, wanted.hides_numbers)
  const batches = await begun(ctx.stores.calls.each(filterOf(wanted)))
  return csv(options.columns ?? REPORT_CALL_COLUMNS, mapped(batches, row), options)
}
