import { randomUUID } from 'node:crypto'
import { type Flag, keysOf, t, type UserSelection } from '@switchroom/contract'
import { definedFields, isEmpty } from '../db/defined-fields.ts'
import type { Db } from '../db/open.ts'
import type { Scope } from '../http/scope.ts'
import { endingSessionsIn } from '../http/sessions.ts'
import { type Change, changeMany, deleteAll, type ManyActor } from '../selections/change-many.ts'
import { refuse, type Selectable } from '../selections/chosen.ts'
import {
  endsSessions,
  LAST_ADMIN,
  lacksPassword,
  lastAdmins,
  managesOnceUnrestricted,
  NO_PASSWORD,
  refuseManaging,
} from './checks.ts'
import { lock } from './provisioning/provision.ts'
import * as users from './queries.ts'
import { permissionFor } from './token-claims.ts'
import * as userWrites from './writes.ts'

type User = users.Found

export const selectable: Selectable<'user_sids', users.Filters, User> = {
  kind: 'user',
  what: t('users'),
  sids: 'user_sids',
  sidOf: (u) => u.user_sid,
  nameOf: (u) => u.name,
  findAll: users.findAll,
  matching: users.sidsMatching,
}

/** Refuses a change that would end the caller's own access: oneself among many users is most likely a mistake. */
const refuseOneself = ({ user_sid }: Scope, losing: User[], chosen: User[]) =>
  refuse(
    selectable,
    losing.filter((u) => u.user_sid === user_sid),
    chosen,
    {
      cannot: (counts) => t('Nothing was changed: {bad} of {all} users is you', counts),
      message: t('This is your own user. Leave it out of the selection'),
    },
  )

async function refuseLastAdmins(tx: Db, changes: Change<User>[], chosen: User[]) {
  refuse(selectable, await lastAdmins(tx, changes), chosen, {
    cannot: (counts) =>
      t('Nothing was changed: {bad} of {all} users are the only active administrators', counts),
    message: LAST_ADMIN,
  })
}

/** Activates, deactivates and restricts users, all of them or none. Resolves to how many this has changed. */
export async function updateMany(
  { scope, ...actor }: ManyActor,
  select: UserSelection,
  wanted: { [flag in 'is_active' | 'is_view_only' | 'force_change']?: Flag | undefined },
) {
  refuseManaging(scope)
  const { is_view_only, ...flags } = definedFields(wanted)
  const changesView = (u: User) =>
    is_view_only !== undefined && (is_view_only === 1) !== u.is_view_only
  const ends = (u: User) => endsSessions(u, wanted)
  const rights = {
    is_view_only: is_view_only === 1,
    manages_users: is_view_only !== 1 && managesOnceUnrestricted(scope),
  }
  const permission = permissionFor(rights)
  const changed = (u: User): User => ({
    ...u,
    ...flags,
    ...(changesView(u) && { ...rights, permissions: permission ? [permission] : [] }),
  })
  const plan = async (tx: Db, chosen: User[]) => {
    const changes = chosen
      .filter((u) => changesView(u) || keysOf(flags).some((flag) => flags[flag] !== u[flag]))
      .map((before) => ({ before, after: changed(before) }))
    const losing = changes.map(({ before }) => before).filter(ends)
    refuseOneself(scope, losing, chosen)
    await refuseLastAdmins(tx, changes, chosen)
    refuse(
      selectable,
      chosen.filter((u) => lacksPassword(u, flags)),
      chosen,
      {
        cannot: (counts) =>
          t('Nothing was changed: {bad} of {all} users have no password here', counts),
        message: NO_PASSWORD,
      },
    )
    return changes
  }
  const changes = await endingSessionsIn(actor.ctx, (end) =>
    changeMany({ scope, ...actor }, selectable, select, {
      lock,
      plan,
      async store(tx, batch) {
        const before = batch.map((change) => change.before)
        if (!isEmpty(flags))
          await userWrites.updateAll(tx, scope, before.map(selectable.sidOf), flags)
        if (is_view_only !== undefined) {
          const sids = before.filter(changesView).map(selectable.sidOf)
          await userWrites.setPermission(tx, scope, sids, permission, randomUUID)
        }
        await end(tx, before.filter(ends).map(selectable.sidOf))
      },
    }),
  )
  return { changed: changes.length }
}

/** Deletes users, all of them or none. Resolves to how many. */
export async function removeMany({ scope, ...actor }: ManyActor, select: UserSelection) {
  refuseManaging(scope)
  const changes = await endingSessionsIn(actor.ctx, (end) =>
    changeMany({ scope, ...actor }, selectable, select, {
      lock,
      async plan(tx, chosen) {
        refuseOneself(scope, chosen, chosen)
        const changes = await deleteAll(tx, chosen)
        await refuseLastAdmins(tx, changes, chosen)
        return changes
      },
      async store(tx, batch) {
        const sids = batch.map(({ before }) => before.user_sid)
        await userWrites.removeAll(tx, scope, sids)
        await end(tx, sids)
      },
    }),
  )
  return { deleted: changes.length }
}
