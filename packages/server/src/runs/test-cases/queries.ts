import { type PageQuery, TestCase, type TestCaseItem } from '@switchroom/contract'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { nowIn } from '../../db/clock.ts'
import { listing } from '../../db/listing.ts'
import type { Db, Tables } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import { matchesFilter } from '../../http/search.ts'
import { ownedBy } from '../../http/tenancy.ts'
import { isPassed, stateOf } from '../runs/queries.ts'

type Table = Tables['switchroom_test_cases']
type Row = Selectable<Table>

const TABLE = 'switchroom_test_cases'

/** Test cases of applications that this caller sees as well. */
const visible = (db: Db, scope: Scope) =>
  db.selectFrom(TABLE).where(ownedBy(TABLE, scope)).where(ofApplication(scope))

const ofApplication = (scope: Scope) =>
  sql<boolean>`exists (select 1 from applications
    where applications.application_sid = switchroom_test_cases.application_sid and ${ownedBy('applications', scope)})`

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
  let matching = visible(db, scope).where(`${TABLE}.application_sid`, '=', application_sid)
  const named = { sid: `${TABLE}.test_case_sid`, names: [`${TABLE}.name`] }
  if (query.filter) matching = matching.where(matchesFilter(db, named, query.filter))
  return listing({
    db,
    table: TABLE,
    sid: 'test_case_sid',
    sortable: ['name'],
    query,
    matching,
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
  const rows = await visible(db, scope)
    .selectAll(TABLE)
    .where('application_sid', '=', application_sid)
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
  const row = await visible(db, scope)
    .selectAll(TABLE)
    .where('test_case_sid', '=', sid)
    .where('application_sid', '=', application_sid)
    .executeTakeFirst()
  return row && shown(row)
}

export const count = async (db: Db, application_sid: string) =>
  Number(
    (
      await db
        .selectFrom(TABLE)
        .select((eb) => eb.fn.countAll().as('n'))
        .where('application_sid', '=', application_sid)
        .executeTakeFirstOrThrow()
    ).n,
  )

/** True if another test case of the application has this name. */
export const isTaken = async (
  db: Db,
  { test_case_sid, application_sid, name }: Pick<Row, 'test_case_sid' | 'application_sid' | 'name'>,
) => {
  const other = await db
    .selectFrom(TABLE)
    .select('test_case_sid')
    .where('application_sid', '=', application_sid)
    .where('name', '=', name)
    .where('test_case_sid', '!=', test_case_sid)
    .executeTakeFirst()
  return other !== undefined
}

export const insert = (db: Db, row: Insertable<Table>) => db.insertInto(TABLE).values(row).execute()

export const update = (db: Db, scope: Scope, sid: string, change: Updateable<Table>) =>
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
