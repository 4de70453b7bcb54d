import { randomUUID } from 'node:crypto'
import { type AuditKind, type Endpoint, type PageQuery, t } from '@switchroom/contract'
import { type Selectable, sql, type Updateable } from 'kysely'
import type { z } from 'zod'
import * as applications from '../applications/queries.ts'
import { type ActorContext, audited } from '../audit/audited.ts'
import { definedFields } from '../db/defined-fields.ts'
import type { Db, Tables } from '../db/open.ts'
import { conflict, Failure, found } from '../http/failure.ts'
import type { Scope } from '../http/scope.ts'
import { matchesFilter } from '../http/search.ts'
import { ownedBy } from '../http/tenancy.ts'
import { unmasked } from '../http/unmasked.ts'

/** Tables of what an application has by name, and their sids: their other columns here are the same. */
type Sids = {
  switchroom_test_cases: 'test_case_sid'
  switchroom_simulated_callers: 'simulated_caller_sid'
}
type Table = Tables['switchroom_test_cases']
type Row = Selectable<Table>

/** Queries of one of these tables. */
export function thingQueries<N extends keyof Sids>(name: N, sidColumn: Sids[N]) {
  // typed as one of them: only the columns that all have are named
  const table = name as 'switchroom_test_cases'
  const column = sidColumn as 'test_case_sid'

  /** Those whose application is also in scope. */
  const ofApplication = (db: Db, scope: Scope, application_sid: string) =>
    db
      .selectFrom(table)
      .where(ownedBy(table, scope))
      .where(
        sql<boolean>`exists (select 1 from applications
          where applications.application_sid = ${sql.ref(`${table}.application_sid`)} and ${ownedBy('applications', scope)})`,
      )
      .where(`${table}.application_sid`, '=', application_sid)

  return {
    ofApplication,

    matching(db: Db, scope: Scope, application_sid: string, { filter }: Pick<PageQuery, 'filter'>) {
      const all = ofApplication(db, scope, application_sid)
      const named = { sid: `${table}.${column}`, names: [`${table}.name`] }
      return filter ? all.where(matchesFilter(db, named, filter)) : all
    },

    /** Undefined when this caller cannot see it. */
    find: (db: Db, scope: Scope, application_sid: string, sid: string) =>
      ofApplication(db, scope, application_sid)
        .selectAll(table)
        .where(column, '=', sid)
        .executeTakeFirst() as Promise<Selectable<Tables[N]> | undefined>,

    async count(db: Db, application_sid: string) {
      const { n } = await db
        .selectFrom(table)
        .select((eb) => eb.fn.countAll().as('n'))
        .where('application_sid', '=', application_sid)
        .executeTakeFirstOrThrow()
      return Number(n)
    },

    /** True if another one of the application has this name. */
    async isTaken(db: Db, application_sid: string, sid: string, name: string) {
      const other = await db
        .selectFrom(table)
        .select(column)
        .where('application_sid', '=', application_sid)
        .where('name', '=', name)
        .where(column, '!=', sid)
        .executeTakeFirst()
      return other !== undefined
    },

    insert: (
      db: Db,
      {
        sid,
        ...row
      }: Pick<Row, 'application_sid' | 'account_sid' | 'name' | 'content'> & {
        sid: string
      },
    ) => {
      const now = new Date().toISOString()
      return db
        .insertInto(table)
        .values({ [column as 'test_case_sid']: sid, ...row, created_at: now, updated_at: now })
        .execute()
    },
  }
}

type Stored = { application_sid: string; account_sid: string | null; name: string }

/** Changes of one of these tables: an application has at most `most`, with names of their own. */
export function thingChanges<T extends Stored>({
  kind,
  noun,
  view,
  fields,
  queries,
  most,
  tooMany,
  taken,
}: {
  kind: AuditKind & `${string}_${string}`
  /** "test case" */
  noun: string
  view: Endpoint
  /** The members of an update. */
  fields: Readonly<Record<string, z.ZodType>>
  queries: Pick<ReturnType<typeof thingQueries>, 'count' | 'isTaken' | 'insert'> & {
    update: (db: Db, scope: Scope, sid: string, change: Updateable<Table>) => Promise<unknown>
    remove: (db: Db, scope: Scope, sid: string) => Promise<unknown>
    find: (db: Db, scope: Scope, application_sid: string, sid: string) => Promise<T | undefined>
    contentOf: (thing: Omit<T, `${string}_sid`>) => string
  }
  most: number
  tooMany: string
  taken: string
}) {
  const subjectOf = (scope: Scope, application_sid: string, sid: string) => ({
    ...{ kind, sid, view },
    // they are counted, and their names compared
    lock: `${kind}s:${application_sid}`,
    read: (tx: Db) => queries.find(tx, scope, application_sid, sid),
  })
  async function refuseTaken(tx: Db, application_sid: string, sid: string, name: string) {
    if (await queries.isTaken(tx, application_sid, sid, name)) throw conflict('name', taken)
  }

  return {
    async create(actor: ActorContext, application_sid: string, body: Omit<T, `${string}_sid`>) {
      const { scope } = actor
      const sid = randomUUID()
      const subject = { ...subjectOf(scope, application_sid, sid), isNew: true } as const
      await audited(actor, subject, async (tx) => {
        const { account_sid } = found(
          await applications.find(tx, scope, application_sid),
          t('application'),
        )
        if ((await queries.count(tx, application_sid)) >= most)
          throw new Failure('conflict', tooMany)
        const name = body.name as string
        await refuseTaken(tx, application_sid, sid, name)
        const content = queries.contentOf(body)
        await queries.insert(tx, { sid, application_sid, account_sid, name, content })
      })
      return { sid }
    },

    async update(actor: ActorContext, application_sid: string, sid: string, body: Partial<T>) {
      const { scope } = actor
      await audited(actor, subjectOf(scope, application_sid, sid), async (tx, before) => {
        const stored = found(before, noun)
        const after: T = { ...stored, ...definedFields(unmasked(fields, stored, body)) }
        await refuseTaken(tx, application_sid, sid, after.name)
        await queries.update(tx, scope, sid, {
          name: after.name,
          content: queries.contentOf(after),
          updated_at: new Date().toISOString(),
        })
      })
    },

    async remove(actor: ActorContext, application_sid: string, sid: string) {
      await audited(actor, subjectOf(actor.scope, application_sid, sid), async (tx, before) => {
        found(before, noun)
        await queries.remove(tx, actor.scope, sid)
      })
    },
  }
}
