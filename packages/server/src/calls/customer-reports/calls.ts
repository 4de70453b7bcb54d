import type { FileOptions } from '@switchroom/contract'
import {
  type Call,
  type CustomerReport,
  REPORT_CALL_COLUMNS,
  type ReportCall,
} from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import { csv } from '../../http/csv.ts'
import { startStream } from '../recent-calls/queries.ts'
import { shortParty } from '../trunk-report/short.ts'
import { normalizeParty, partyOf } from './parties.ts'
import { applicationNames, ownNumbers } from './queries.ts'
import { passedTime, type ZonedPeriod } from './report.ts'

type Reading = Pick<Context, 'db' | 'stores'>
/** The account of calls, and whether numbers of others are shortened. */
type Owned = { account_sid: string; hides_numbers: boolean }
/** Formats a number for the report. */
type Shown = (party: string | null) => string | null

/** Shortens these numbers except the account's own, or shows all unchanged. */
async function shownNumbers(
  { db }: Pick<Context, 'db'>,
  { account_sid, hides_numbers }: Owned,
  parties: (string | null)[],
): Promise<Shown> {
  if (!hides_numbers) return (party) => party
  const own = await ownNumbers(db, account_sid, parties)
  return (party) =>
    party === null || own.has(normalizeParty(partyOf(party))) ? party : shortParty(party)
}

/** A report with its numbers shortened for readers. */
export async function withNumbers<R extends Pick<CustomerReport, 'callers' | 'called'>>(
  ctx: Pick<Context, 'db'>,
  owned: Owned,
  report: R,
): Promise<R> {
  const { callers, called } = report
  const shown = await shownNumbers(
    ctx,
    owned,
    [...callers, ...called].map(({ number }) => number),
  )
  const all = (numbers: CustomerReport['callers']) =>
    numbers.map((one) => ({ ...one, number: shown(one.number) ?? one.number }))
  return { ...report, callers: all(callers), called: all(called) }
}

async function rowsOf(ctx: Reading, owned: Owned, calls: readonly Call[]): Promise<ReportCall[]> {
  const [shown, names] = await Promise.all([
    shownNumbers(
      ctx,
      owned,
      calls.flatMap(({ from, to }) => [from, to]),
    ),
    applicationNames(
      ctx.db,
      owned.account_sid,
      calls.map(({ application_sid }) => application_sid),
    ),
  ])
  return calls.map((call) => ({
    attempted_at: call.attempted_at,
    direction: call.direction,
    from: shown(call.from),
    to: shown(call.to),
    answered: call.answered,
    sip_status: call.sip_status,
    duration: call.duration,
    application: call.application_sid && (names.get(call.application_sid) ?? null),
  }))
}

type Wanted = Owned & { period: ZonedPeriod }

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
  return {
    data: await rowsOf(ctx, wanted, data),
    total,
    page: String(page),
    page_size: String(count),
  }
}

/** All calls of a report as a file. */
export async function fileOfCalls(
  ctx: Reading,
  wanted: Wanted,
  options: FileOptions & { columns?: (keyof ReportCall)[] | undefined },
) {
  const batches = await startStream(ctx.stores.calls.each(filterOf(wanted)))
  const rows = (async function* () {
    for await (const batch of batches) yield await rowsOf(ctx, wanted, batch)
  })()
  return csv(options.columns ?? REPORT_CALL_COLUMNS, rows, options)
}
