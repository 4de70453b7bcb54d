import {
  type PageQuery,
  type RunSimulation,
  SimulatedCaller,
  type SimulatedCallerItem,
} from '@switchroom/contract'
import { type Selectable, sql, type Updateable } from 'kysely'
import { listing } from '../../db/listing.ts'
import type { Db, Tables } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import { ownedBy } from '../../http/tenancy.ts'
import { thingQueries } from '../application-things.ts'
import { whileRunning } from '../runs/queries.ts'

const TABLE = 'switchroom_simulated_callers'
type Row = Selectable<Tables[typeof TABLE]>
type SimulatedRun = Tables['switchroom_simulated_runs']

const things = thingQueries(TABLE, 'simulated_caller_sid')
export const { count, isTaken, insert } = things

const Content = SimulatedCaller.omit({
  ...{ simulated_caller_sid: true, application_sid: true, account_sid: true, name: true },
})

/** A simulated caller as its single read shows it. */
const shown = (row: Omit<Row, 'created_at' | 'updated_at'>): SimulatedCaller => ({
  simulated_caller_sid: row.simulated_caller_sid,
  application_sid: row.application_sid,
  account_sid: row.account_sid,
  name: row.name,
  ...Content.parse(JSON.parse(row.content)),
})

export const contentOf = (caller: Omit<SimulatedCaller, `${string}_sid`>) =>
  JSON.stringify(Content.parse(caller))

export function list(
  db: Db,
  scope: Scope,
  application_sid: string,
  query: Pick<PageQuery, 'filter' | 'sort'>,
) {
  return listing({
    db,
    table: TABLE,
    sid: 'simulated_caller_sid',
    sortable: ['name'],
    query,
    matching: things.matching(db, scope, application_sid, query),
    rows: db.selectFrom(TABLE).selectAll(TABLE),
    present: async (rows): Promise<SimulatedCallerItem[]> => {
      const counts = await countsOf(
        db,
        rows.map((row) => row.simulated_caller_sid),
      )
      return rows.map((row) => {
        const {
          conversations = 0,
          running = 0,
          reached = 0,
        } = counts.find((one) => one.simulated_caller_sid === row.simulated_caller_sid) ?? {}
        return {
          ...shown(row),
          ...{ conversations: Number(conversations), running: Number(running) },
          reached: Number(reached),
        }
      })
    },
  })
}

const countsOf = async (db: Db, sids: string[]) =>
  sids.length === 0
    ? []
    : db
        .selectFrom('switchroom_simulated_runs')
        .innerJoin(
          'switchroom_runs',
          'switchroom_runs.run_sid',
          'switchroom_simulated_runs.run_sid',
        )
        .select([
          'simulated_caller_sid',
          sql<number>`count(*)`.as('conversations'),
          sql<number>`sum(case when ${whileRunning(db)} then 1 else 0 end)`.as('running'),
          sql<number>`sum(case when is_reached = 1 then 1 else 0 end)`.as('reached'),
        ])
        .where('simulated_caller_sid', 'in', sids)
        .groupBy('simulated_caller_sid')
        .execute()

/** Undefined when this caller cannot see it. */
export async function find(
  db: Db,
  scope: Scope,
  application_sid: string,
  sid: string,
): Promise<SimulatedCaller | undefined> {
  const row = await things.find(db, scope, application_sid, sid)
  return row && shown(row)
}

export const update = (
  db: Db,
  scope: Scope,
  sid: string,
  change: Updateable<Tables[typeof TABLE]>,
) =>
  db
    .updateTable(TABLE)
    .set(change)
    .where('simulated_caller_sid', '=', sid)
    .where(ownedBy(TABLE, scope))
    .execute()

export const remove = (db: Db, scope: Scope, sid: string) =>
  db
    .deleteFrom(TABLE)
    .where('simulated_caller_sid', '=', sid)
    .where(ownedBy(TABLE, scope))
    .execute()

/** Stores who is played in a run that begins. */
export const insertRun = (
  db: Db,
  run_sid: string,
  simulated_caller_sid: string,
  as: Pick<RunSimulation, 'caller_name' | 'goal' | 'number' | 'of' | 'max_tokens'>,
) =>
  db
    .insertInto('switchroom_simulated_runs')
    .values({
      ...{ run_sid, simulated_caller_sid, caller: JSON.stringify(as), turns: 0, tokens: 0 },
      ...{ outcome: null, reason: null, is_reached: null, scores: null },
    })
    .execute()

/** Updates the simulation of a run that this process plays. */
export const updateRun = (db: Db, run_sid: string, change: Updateable<SimulatedRun>) =>
  db.updateTable('switchroom_simulated_runs').set(change).where('run_sid', '=', run_sid).execute()
