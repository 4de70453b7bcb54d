import { type PageQuery, TestCase, type TestCaseItem } from '@switchroom/contract'
import type { Selectable, Updateable } from 'kysely'
import { nowIn } from '../../db/clock.ts'
import { listing } from '../../db/listing.ts'
import type { Db, Tables } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import { ownedBy } from '../../http/tenancy.ts'
import { thingQueries } from '../application-things.ts'
import { isPassed, stateOf } from '../runs/queries.ts'

type Row = Selectable<Tables['switchroom_test_cases']>

const TABLE = 'switchroom_test_cases'
const things = thingQueries(TABLE, 'test_case_sid')
export const { count, isTaken, insert } = things

const Content = TestCase.pick({ start: true, answers: true, expectations: true })

/** A test case as its single read shows it. */
export const shown = (
  row: Omit<Row, 'latest_run_sid' | 'created_at' | 'updated_at'>,
): TestCase => ({
  test_case_sid: row.test_case_sid,
  application_sid: row.application_sid,
  account_sid: row.account_sid,
  name: row.name,
  ...Content.parse(JSON.parse(row.content)),
})

export const contentOf = ({ start, answers, expectations }: Omit<TestCase, `${string}_sid`>) =>
  JSON.stringify({ start, answers, expectations })

export function list(
  db: Db,
  scope: Scope,
  application_sid: string,
  query: Pick<PageQuery, 'filter' | 'sort'>,
) {
  return listing({
    db,
    table: TABLE,
    sid: 'test_case_sid',
    sortable: ['name'],
    query,
    matching: things.matching(db, scope, application_sid, query),
    rows: db
      .selectFrom(TABLE)
      .leftJoin('switchroom_runs', 'run_sid', 'latest_run_sid')
      .select([
        `${TABLE}.test_case_sid`,
        `${TABLE}.application_sid`,
        `${TABLE}.account_sid`,
        `${TABLE}.name`,
        `${TABLE}.content`,
        'switchroom_runs.run_sid',
        'switchroom_runs.begun_at',
        'switchroom_runs.seen_at',
        'switchroom_runs.is_passed',
        nowIn(db).as('now'),
      ]),
    present: (rows): TestCaseItem[] =>
      rows.map(({ run_sid, begun_at, seen_at, is_passed, now, ...row }) => ({
        ...shown(row),
        latest_run:
          run_sid === null || begun_at === null
            ? null
            : {
                ...{ run_sid, begun_at },
                state: stateOf({ seen_at, now }),
                is_passed: isPassed({ is_passed }),
              },
      })),
  })
}

/** The test cases of an application by name; those that this caller cannot see are left out. */
export async function all(db: Db, scope: Scope, application_sid: string): Promise<TestCase[]> {
  const rows = await things
    .ofApplication(db, scope, application_sid)
    .selectAll(TABLE)
    .orderBy('name')
    .execute()
  return rows.map(shown)
}

/** Undefined when this caller cannot see it. */
export async function find(
  db: Db,
  scope: Scope,
  application_sid: string,
  sid: string,
): Promise<TestCase | undefined> {
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
    .where('test_case_sid', '=', sid)
    .where(ownedBy(TABLE, scope))
    .execute()

export const remove = (db: Db, scope: Scope, sid: string) =>
  db.deleteFrom(TABLE).where('test_case_sid', '=', sid).where(ownedBy(TABLE, scope)).execute()

export const setLatestRun = (db: Db, test_case_sid: string, latest_run_sid: string) =>
  db.updateTable(TABLE).set({ latest_run_sid }).where('test_case_sid', '=', test_case_sid).execute()
