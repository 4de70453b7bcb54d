import { type Answer, type PageQuery, type Run, RunSimulation } from '@switchroom/contract'
import { type Insertable, sql } from 'kysely'
import { nowIn } from '../../db/clock.ts'
import { listing } from '../../db/listing.ts'
import type { Db, Tables } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import { matchesFilter } from '../../http/search.ts'
import { ownedBy } from '../../http/tenancy.ts'
import { keepsLess } from '../keeps-less.ts'

type Table = Tables['switchroom_runs']
/** Columns of a run that a list reads. */
type ItemRow = Seen &
  Pick<Table, 'run_sid' | 'application_sid' | 'account_sid' | 'repeats' | 'test_case_sid'> &
  Pick<Table, 'begun_at' | 'start' | 'problems' | 'ended' | 'is_passed'> &
  SimulatedRow

/** Columns of a run’s simulated caller, which are read with the run. */
const SIMULATED = [
  'switchroom_simulated_runs.simulated_caller_sid',
  'switchroom_simulated_runs.caller',
  'switchroom_simulated_runs.turns',
  'switchroom_simulated_runs.tokens',
  'switchroom_simulated_runs.outcome',
  'switchroom_simulated_runs.reason',
  'switchroom_simulated_runs.is_reached',
  'switchroom_simulated_runs.scores',
] as const
type SimulatedTable = Tables['switchroom_simulated_runs']
type SimulatedRow = { [K in keyof Omit<SimulatedTable, 'run_sid'>]: SimulatedTable[K] | null }

/** A run without a sign of life from its process for this long was interrupted. */
export const LOST_MS = 30_000

export const whileRunning = (db: Db) => sql<boolean>`seen_at > ${nowIn(db)} - ${LOST_MS}`

/** The columns that tell the state of a run: `now` is the time of the database, which all processes share. */
type Seen = Pick<Table, 'seen_at'> & { now: number }

/** The state of a run. */
export function stateOf({ seen_at, now }: Seen): Run['state'] {
  if (seen_at === null) return 'ended'
  return seen_at > Number(now) - LOST_MS ? 'running' : 'interrupted'
}

/** Runs of an application that this caller sees as well. */
const visible = (db: Db, scope: Scope, application_sid: string) =>
  db
    .selectFrom('switchroom_runs')
    .where('switchroom_runs.application_sid', '=', application_sid)
    .where(ownedBy('switchroom_runs', scope))
    .where(ofApplication(scope))

const ofApplication = (scope: Scope) =>
  sql<boolean>`exists (select 1 from applications
    where applications.application_sid = switchroom_runs.application_sid and ${ownedBy('applications', scope)})`

/** Snapshot of a simulated caller in its run, with the number of the conversation among how many. */
const SimulatedAs = RunSimulation.pick({
  ...{ caller_name: true, goal: true, number: true, of: true, max_tokens: true },
})

export const isPassed = ({ is_passed }: Pick<Table, 'is_passed'>) =>
  is_passed === null ? null : is_passed === 1

const shown = (row: ItemRow): Run => ({
  run_sid: row.run_sid,
  application_sid: row.application_sid,
  account_sid: row.account_sid,
  repeats: row.repeats,
  test_case_sid: row.test_case_sid,
  begun_at: row.begun_at,
  state: stateOf(row),
  start: JSON.parse(row.start),
  problems: row.problems,
  ended: row.ended,
  is_passed: isPassed(row),
  simulation: simulationOf(row),
})

function simulationOf(row: SimulatedRow): Run['simulation'] {
  const { simulated_caller_sid, caller, turns, tokens, outcome, reason, is_reached, scores } = row
  if (simulated_caller_sid === null || caller === null) return null
  return {
    simulated_caller_sid,
    ...SimulatedAs.parse(JSON.parse(caller)),
    ...{ turns: turns ?? 0, tokens: tokens ?? 0, outcome, reason },
    is_reached: is_reached === null ? null : is_reached === 1,
    scores: scores === null ? null : JSON.parse(scores),
  }
}

type Query = Pick<PageQuery, 'filter' | 'sort'> & {
  test_case_sid?: string | undefined
  simulated_caller_sid?: string | undefined
}

export function list(
  db: Db,
  scope: Scope,
  application_sid: string,
  { sort = '-begun_at', filter, test_case_sid, simulated_caller_sid }: Query,
) {
  // an undefined one is left out
  let matching = visible(db, scope, application_sid).where((eb) => eb.and({ test_case_sid }))
  if (simulated_caller_sid !== undefined)
    matching = matching.where(
      'switchroom_runs.run_sid',
      'in',
      db
        .selectFrom('switchroom_simulated_runs')
        .select('run_sid')
        .where('simulated_caller_sid', '=', simulated_caller_sid),
    )
  // nothing that view-only callers read with masks
  const named = { sid: 'switchroom_runs.run_sid', names: ['switchroom_runs.begun_at'] }
  if (filter) matching = matching.where(matchesFilter(db, named, filter))
  return listing({
    db,
    table: 'switchroom_runs',
    sid: 'run_sid',
    sortable: ['begun_at'],
    query: { sort },
    matching,
    rows: db
      .selectFrom('switchroom_runs')
      .leftJoin(
        'switchroom_simulated_runs',
        'switchroom_simulated_runs.run_sid',
        'switchroom_runs.run_sid',
      )
      .select(SIMULATED)
      .select([
        'switchroom_runs.run_sid',
        'switchroom_runs.application_sid',
        'switchroom_runs.account_sid',
        'switchroom_runs.repeats',
        'switchroom_runs.test_case_sid',
        'switchroom_runs.begun_at',
        'switchroom_runs.seen_at',
        'switchroom_runs.start',
        'switchroom_runs.problems',
        'switchroom_runs.ended',
        'switchroom_runs.is_passed',
        nowIn(db).as('now'),
      ]),
    present: (rows) => rows.map(shown),
  })
}

/** Undefined when this caller cannot see it. */
export const find = (db: Db, scope: Scope, application_sid: string, run_sid: string) =>
  visible(db, scope, application_sid)
    .leftJoin(
      'switchroom_simulated_runs',
      'switchroom_simulated_runs.run_sid',
      'switchroom_runs.run_sid',
    )
    .selectAll('switchroom_runs')
    .select(SIMULATED)
    .select(nowIn(db).as('now'))
    .where('switchroom_runs.run_sid', '=', run_sid)
    .executeTakeFirst()

type Row = NonNullable<Awaited<ReturnType<typeof find>>>

/** A run as its single read shows it, without its first steps; of a call whose words are no longer kept, without any. */
export async function view(db: Db, row: Row, skip = 0) {
  if (row.suite_sid !== null && (await keepsLess(db, row)))
    return {
      ...{ ...shown(row), is_withheld: true, step_count: 0, steps: [] },
      ...{ question: null, expectations: null, outcomes: null },
    }
  const json = (text: string | null) => (text === null ? null : JSON.parse(text))
  const steps =
    skip < row.step_count
      ? await db
          .selectFrom('switchroom_run_steps')
          .select('step')
          .where('run_sid', '=', row.run_sid)
          .where('number', '>=', skip)
          // more may have come since the row was read
          .where('number', '<', row.step_count)
          .orderBy('number')
          .execute()
      : []
  return {
    ...shown(row),
    is_withheld: false,
    step_count: row.step_count,
    steps: steps.map(({ step }) => JSON.parse(step)),
    question: stateOf(row) === 'running' ? row.question : null,
    expectations: json(row.expectations),
    outcomes: json(row.outcomes),
  }
}

/** A step of a run that the caller sees, as JSON. */
export const step = async (db: Db, run_sid: string, number: number) =>
  (
    await db
      .selectFrom('switchroom_run_steps')
      .select('step')
      .where('run_sid', '=', run_sid)
      .where('number', '=', number)
      .executeTakeFirst()
  )?.step

/** Resolves to whether the question still waited for it. */
export async function answer(
  db: Db,
  scope: Scope,
  run_sid: string,
  { question, answer }: { question: number; answer: Answer },
) {
  const { numUpdatedRows } = await db
    .updateTable('switchroom_runs')
    .set({ answer: JSON.stringify(answer) })
    .where('run_sid', '=', run_sid)
    .where('question', '=', question)
    .where('answer', 'is', null)
    .where('is_stopped', '=', 0)
    .where(whileRunning(db))
    .where(ownedBy('switchroom_runs', scope))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Changes nothing of a run that has ended. */
export const stop = (db: Db, scope: Scope, run_sid: string) =>
  db
    .updateTable('switchroom_runs')
    .set({ is_stopped: 1 })
    .where('run_sid', '=', run_sid)
    .where(whileRunning(db))
    .where(ownedBy('switchroom_runs', scope))
    .execute()

/** Number of runs of an account in progress. */
export const countRunning = async (db: Db, account_sid: string | null) =>
  Number(
    (
      await db
        .selectFrom('switchroom_runs')
        .select((eb) => eb.fn.countAll().as('n'))
        // the sign keeps SQLite from looking up all that the account has ever begun
        .where(
          account_sid === null
            ? sql<boolean>`account_sid is null`
            : sql<boolean>`+account_sid = ${account_sid}`,
        )
        .where(whileRunning(db))
        .executeTakeFirstOrThrow()
    ).n,
  )

/** Stores a run that begins now. */
export const insert = (db: Db, row: Omit<Insertable<Table>, 'seen_at'>) =>
  db
    .insertInto('switchroom_runs')
    .values({ ...row, seen_at: nowIn(db) })
    .execute()
