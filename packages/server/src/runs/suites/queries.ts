import type {
  ExpectationOutcome,
  PageQuery,
  Suite,
  SuiteCall,
  SuiteView,
} from '@switchroom/contract'
import { type Selectable, sql } from 'kysely'
import { nowIn } from '../../db/clock.ts'
import { listing } from '../../db/listing.ts'
import type { Db, Tables } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import { matchesFilter } from '../../http/search.ts'
import { ownedBy } from '../../http/tenancy.ts'
import { keepsLess } from '../keeps-less.ts'
import { isPassed, stateOf } from '../runs/queries.ts'

const TABLE = 'switchroom_suites'
type Row = Selectable<Tables['switchroom_suites']>

/** A call as a suite keeps it; the rest is its run's. */
type Kept = Pick<
  SuiteCall,
  'trace_id' | 'call_sid' | 'attempted_at' | 'from' | 'to' | 'steps' | 'run_sid'
>
type Content = Pick<Suite, 'start' | 'end' | 'looked_at' | 'left_out'> & { calls: Kept[] }
type NewSuite = Omit<Row, 'content'> & Content

/** Suites whose application is also in scope. */
const visible = (db: Db, scope: Scope, application_sid: string) =>
  db
    .selectFrom(TABLE)
    .where(`${TABLE}.application_sid`, '=', application_sid)
    .where(ownedBy(TABLE, scope))
    .where(
      sql<boolean>`exists (select 1 from applications
        where applications.application_sid = switchroom_suites.application_sid and ${ownedBy('applications', scope)})`,
    )

const contentOf = ({ content }: Pick<Row, 'content'>): Content => JSON.parse(content)

type RunRow = { result: SuiteCall['result']; outcomes: ExpectationOutcome[] }

/** Results of runs, by sid. */
async function resultsOf(db: Db, run_sids: readonly string[]): Promise<Map<string, RunRow>> {
  if (run_sids.length === 0) return new Map()
  const rows = await db
    .selectFrom('switchroom_runs')
    .select(['run_sid', 'seen_at', 'is_passed', 'outcomes', nowIn(db).as('now')])
    .where('run_sid', 'in', run_sids)
    .execute()
  return new Map(
    rows.map((row) => {
      const state = stateOf(row)
      const passed = isPassed(row)
      const result =
        state !== 'ended'
          ? state
          : passed === null
            ? 'interrupted'
            : passed
              ? ('same' as const)
              : ('differs' as const)
      return [
        row.run_sid,
        { result, outcomes: row.outcomes === null ? [] : JSON.parse(row.outcomes) },
      ]
    }),
  )
}

const GONE: RunRow = { result: 'gone', outcomes: [] }

function shown(row: Row, runs: ReadonlyMap<string, RunRow>): Suite {
  const { calls, ...content } = contentOf(row)
  const results = { running: 0, same: 0, differs: 0, interrupted: 0, gone: 0 }
  for (const { run_sid } of calls) results[(runs.get(run_sid) ?? GONE).result]++
  const { suite_sid, application_sid, account_sid, begun_at } = row
  return { suite_sid, application_sid, account_sid, begun_at, ...content, results }
}

export function list(
  db: Db,
  scope: Scope,
  application_sid: string,
  { sort = '-begun_at', filter }: Pick<PageQuery, 'filter' | 'sort'>,
) {
  let matching = visible(db, scope, application_sid)
  const named = { sid: `${TABLE}.suite_sid`, names: [`${TABLE}.begun_at`] }
  if (filter) matching = matching.where(matchesFilter(db, named, filter))
  return listing({
    db,
    table: TABLE,
    sid: 'suite_sid',
    sortable: ['begun_at'],
    query: { sort },
    matching,
    rows: db.selectFrom(TABLE).selectAll(TABLE),
    present: async (rows) => {
      const sids = rows.flatMap((row) => contentOf(row).calls.map(({ run_sid }) => run_sid))
      const runs = await resultsOf(db, sids)
      return rows.map((row) => shown(row, runs))
    },
  })
}

/** Undefined when this caller cannot see it. */
export const find = (db: Db, scope: Scope, application_sid: string, suite_sid: string) =>
  visible(db, scope, application_sid)
    .selectAll(TABLE)
    .where('suite_sid', '=', suite_sid)
    .executeTakeFirst()

/** The runs of a suite. */
export const runsOf = (row: Row) => contentOf(row).calls.map(({ run_sid }) => run_sid)

export async function view(db: Db, row: Row): Promise<SuiteView> {
  const runs = await resultsOf(db, runsOf(row))
  const isWithheld = await keepsLess(db, row)
  return {
    ...shown(row, runs),
    calls: contentOf(row).calls.map((call) => {
      const { result, outcomes } = runs.get(call.run_sid) ?? GONE
      const missed = outcomes.findIndex(({ is_met }) => !is_met)
      const outcome = outcomes[missed]
      return {
        ...call,
        result,
        ...(isWithheld
          ? { steps: [], differs_at: null, why: null, nearest: null }
          : {
              differs_at: outcome ? stepOf(call, missed) : null,
              why: outcome?.text ?? null,
              nearest: outcome?.nearest ?? null,
            }),
      }
    }),
  }
}

/** Index of the step that an expectation stands for; null if there is none. */
const stepOf = ({ steps }: Kept, expectation: number) =>
  steps.flatMap(({ kind }, i) => (kind === 'expects' ? [i] : []))[expectation] ?? null

export async function insert(
  db: Db,
  { suite_sid, application_sid, account_sid, begun_at, ...content }: NewSuite,
) {
  const row = { suite_sid, application_sid, account_sid, begun_at }
  await db
    .insertInto(TABLE)
    .values({ ...row, content: JSON.stringify(content) })
    .execute()
}

/** Deletes the oldest suites of an application beyond the newest `count`. */
export async function keepNewest(db: Db, application_sid: string, count: number) {
  const rows = await db
    .selectFrom(TABLE)
    .select('suite_sid')
    .where('application_sid', '=', application_sid)
    .orderBy('begun_at', 'desc')
    .orderBy('suite_sid')
    .execute()
  const older = rows.slice(count).map(({ suite_sid }) => suite_sid)
  if (older.length > 0) await db.deleteFrom(TABLE).where('suite_sid', 'in', older).execute()
}
