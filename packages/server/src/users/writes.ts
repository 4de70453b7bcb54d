import { type Insertable, sql, type Updateable } from 'kysely'
import { batchesOf } from '../db/batches.ts'
import { insertMany } from '../db/insert-many.ts'
import type { Db, Tables } from '../db/open.ts'
import type { Scope } from '../http/scope.ts'
import { removeSecondFactors } from '../http/second-factor.ts'
import { below } from '../http/tenancy.ts'
import * as preferences from './preferences/queries.ts'
import * as identities from './provisioning/identities.ts'
import { inScope } from './queries.ts'
import * as savedViews from './saved-views/queries.ts'
import type { Permission } from './token-claims.ts'

export const insert = (db: Db, row: Insertable<Tables['users']>) =>
  db.insertInto('users').values(row).execute()

/** Adds users with their permissions. */
export async function insertAll(
  db: Db,
  users: readonly Insertable<Tables['users']>[],
  restricted: { user_sid: string; user_permissions_sid: string; permission: Permission }[],
) {
  await insertMany(db, 'users', users)
  const rows: Insertable<Tables['user_permissions']>[] = []
  for (const [permission, some] of Map.groupBy(restricted, (row) => row.permission)) {
    const permission_sid = await sidOfPermission(db, permission)
    for (const { permission: _, ...row } of some) rows.push({ ...row, permission_sid })
  }
  await insertMany(db, 'user_permissions', rows)
}

export async function updateAll(
  db: Db,
  scope: Scope,
  sids: string[],
  change: Updateable<Tables['users']>,
) {
  for (const batch of batchesOf(sids))
    await db
      .updateTable('users')
      .set(change)
      .where('user_sid', 'in', batch)
      .where(inScope(scope))
      .execute()
}

export const setPassword = (db: Db, sid: string, hashed_password: string) =>
  db
    .updateTable('users')
    .set({ hashed_password, force_change: 0 })
    .where('user_sid', '=', sid)
    .execute()

async function sidOfPermission(db: Db, name: Permission) {
  const { permission_sid } = await db
    .selectFrom('permissions')
    .select('permission_sid')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return permission_sid
}

/** Gives users one permission in place of all they have; undefined for full access. */
export async function setPermission(
  db: Db,
  scope: Scope,
  sids: string[],
  permission: Permission | undefined,
  newSid: () => string,
) {
  const permission_sid = permission && (await sidOfPermission(db, permission))
  for (const batch of batchesOf(sids)) {
    await db
      .deleteFrom('user_permissions')
      .where('user_sid', 'in', batch)
      .where(below('user_permissions.user_sid', 'users', inScope(scope)))
      .execute()
    if (permission_sid === undefined) continue
    const newSids = sql.join(
      batch.map((sid) => sql`when ${sid} then ${newSid()}`),
      sql` `,
    )
    await db
      .insertInto('user_permissions')
      .columns(['user_permissions_sid', 'user_sid', 'permission_sid'])
      .expression((eb) =>
        eb
          .selectFrom('users')
          .select([
            sql<string>`case user_sid ${newSids} end`.as('sid'),
            'user_sid',
            eb.val(permission_sid).as('permission'),
          ])
          .where('user_sid', 'in', batch)
          .where(inScope(scope)),
      )
      .execute()
  }
}

/** Deletes users with their second factors, own saved views, preferences, and which alerts they have seen. Call in a transaction, once they were found. */
export async function removeAll(db: Db, scope: Scope, sids: string[]) {
  for (const batch of batchesOf(sids)) {
    await removeSecondFactors(db, scope, batch)
    await db.deleteFrom('users').where('user_sid', 'in', batch).where(inScope(scope)).execute()
    const left = await db
      .selectFrom('users')
      .select('user_sid')
      .where('user_sid', 'in', batch)
      .execute()
    const leftSids = new Set(left.map((u) => u.user_sid))
    const gone = batch.filter((sid) => !leftSids.has(sid))
    if (gone.length === 0) continue
    await db.deleteFrom('switchroom_alert_marks').where('user_sid', 'in', gone).execute()
    await db.deleteFrom('switchroom_sessions').where('user_sid', 'in', gone).execute()
    await identities.removeAll(db, gone)
    await savedViews.removeOfUsers(db, gone)
    await preferences.removeOfUsers(db, gone)
  }
}
