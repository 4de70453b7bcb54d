import { randomUUID } from 'node:crypto'
import { auditedIn } from '../../audit/audited.ts'
import type { Actor } from '../../audit/record.ts'
import type { Db } from '../../db/open.ts'
import { transaction } from '../../db/transaction.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { refuseOverQuota } from '../../http/limits.ts'
import type { RequestMeta, Scope } from '../../http/scope.ts'
import { endingSessions } from '../../http/sessions.ts'
import { OIDC } from '../../http/single-sign-on.ts'
import { refuseLastAdmin } from '../checks.ts'
import * as users from '../queries.ts'
import * as takenUsers from '../taken.ts'
import { VIEW_ONLY } from '../token-claims.ts'
import * as userWrites from '../writes.ts'
import type { Access } from './access.ts'
import * as identities from './identities.ts'

/** Users are unique by name and address, which no key enforces. */
export const lock = 'users'

export type ActorContext = Actor & { ctx: Context }

/** A change by an identity provider or a directory, which the audit log names. */
export const providerActor = (
  ctx: Context,
  meta: RequestMeta,
  name: string,
  service_provider_sid: string | null = null,
): ActorContext => {
  const caller = { name, view_only: false, force_change: false }
  const scope: Scope = service_provider_sid
    ? { ...caller, role: 'service_provider', service_provider_sid }
    : { ...caller, role: 'admin' }
  return { ctx, meta, scope }
}

/** Thrown where another user has the name or address: users are never merged by these. */
export class NameTaken extends Error {
  override name = 'NameTaken'
}

/** Thrown where somebody else is announced or known by this `externalId`. */
export class ExternalIdTaken extends Error {
  override name = 'ExternalIdTaken'
  readonly user_sid: string
  readonly directory_sid: string | null
  constructor({ user_sid, directory_sid }: { user_sid: string; directory_sid: string | null }) {
    super()
    this.user_sid = user_sid
    this.directory_sid = directory_sid
  }
}

type Announced = { external_id?: string | null; directory_sid?: string | null }

/**
 * Requires that no other directory has announced the person: throws `ExternalIdTaken`. A log-in does not count as an
 * announcement.
 */
async function requireUnclaimed(
  tx: Db,
  { external_id, directory_sid }: Announced,
  user_sid: string | null,
) {
  if (!directory_sid || !external_id) return
  const known = user_sid === null ? undefined : await identities.ofUser(tx, user_sid)
  if (known?.external_id === external_id && known.directory_sid === directory_sid) return
  const other = await identities.othersWith(tx, external_id, user_sid)
  if (other) throw new ExternalIdTaken(other)
}

type NewUser = { name: string; email: string; is_active: 0 | 1; email_validated: 0 | 1 } & Access
type NewIdentity = Omit<Parameters<typeof identities.insert>[1], 'user_sid' | 'ended_by_provider'>

/** Adds a user whom the actor manages. Throws `NameTaken` and `ExternalIdTaken`. */
export async function addUser(actor: ActorContext, user: NewUser, identity: NewIdentity) {
  const user_sid = randomUUID()
  const { is_view_only, ...row } = user
  const subject = { ...users.auditSubject(actor.scope, user_sid), isNew: true as const }
  await transaction(
    actor.ctx.db,
    (tx) =>
      auditedIn(tx, actor, subject, async () => {
        await requireUnclaimed(tx, identity, null)
        if (await takenUsers.isTaken(tx, user.name, user.email)) throw new NameTaken()
        await refuseOverQuota(actor.ctx, tx, 'users', [user.account_sid])
        await userWrites.insert(tx, { ...row, user_sid, provider: OIDC, force_change: 0 })
        if (is_view_only)
          await userWrites.setPermission(tx, actor.scope, [user_sid], VIEW_ONLY, randomUUID)
        await identities.insert(tx, {
          ...identity,
          user_sid,
          ended_by_provider: user.is_active ? 0 : 1,
        })
      }),
    { lock },
  )
  return user_sid
}

type Change = { name?: string; email?: string; is_active?: 0 | 1; access?: Access }

/** The parts of a user that a change may end sessions for. */
const sameAccess = (user: users.Found, access: Access) =>
  user.account_sid === access.account_sid &&
  // rows of older servers have an account without its provider
  (user.account_sid !== null || user.service_provider_sid === access.service_provider_sid) &&
  user.is_view_only === access.is_view_only

/**
 * Changes a user as its provider says, and ends its sessions if it may do less or something else. Throws
 * `NameTaken`, `ExternalIdTaken`, and 400 rather than leave the console without an administrator.
 */
export async function changeUser(
  actor: ActorContext,
  user_sid: string,
  change: Change,
  identity: Parameters<typeof identities.update>[2] = {},
) {
  const { ctx, scope } = actor
  const before = await users.find(ctx.db, scope, user_sid)
  if (!before) throw new Failure('not_found', 'No such user')
  const { access, ...rest } = change
  const moves = access !== undefined && !sameAccess(before, access)
  const ends = moves || (rest.is_active !== undefined && rest.is_active !== before.is_active)
  const work = async (tx: Db) => {
    const { name = before.name, email = before.email } = rest
    const renamed = name !== before.name || email !== before.email
    await requireUnclaimed(tx, identity, user_sid)
    if (renamed && (await takenUsers.isTaken(tx, name, email, user_sid))) throw new NameTaken()
    const { is_active = before.is_active } = rest
    await refuseLastAdmin(tx, { before, after: { ...(access ?? before), is_active } })
    const owners = moves
      ? { account_sid: access.account_sid, service_provider_sid: access.service_provider_sid }
      : {}
    if (owners.account_sid !== before.account_sid)
      await refuseOverQuota(ctx, tx, 'users', [owners.account_sid])
    await userWrites.updateAll(tx, scope, [user_sid], { ...rest, name, email, ...owners })
    if (moves && access.is_view_only !== before.is_view_only)
      await userWrites.setPermission(
        tx,
        scope,
        [user_sid],
        access.is_view_only ? VIEW_ONLY : undefined,
        randomUUID,
      )
    await identities.update(tx, user_sid, {
      ...(rest.is_active !== undefined && { ended_by_provider: rest.is_active ? 0 : 1 }),
      ...identity,
    })
  }
  await endingSessions(
    ctx,
    ends ? [user_sid] : [],
    (tx) => auditedIn(tx, actor, users.auditSubject(scope, user_sid), work),
    { lock },
  )
}
