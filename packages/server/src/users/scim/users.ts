import { NO_RULE_MATCHES } from '@switchroom/contract'
import { auditedIn } from '../../audit/audited.ts'
import { endingSessions } from '../../http/sessions.ts'
import { readSettings } from '../../http/single-sign-on.ts'
import { refuseLastAdmin } from '../checks.ts'
import { type DirectoryRow, defaultAccess } from '../directories/queries.ts'
import { type Access, accessByRules, accessOf } from '../provisioning/access.ts'
import {
  type ActorContext,
  addUser,
  changeUser,
  ExternalIdTaken,
  lock,
  NameTaken,
} from '../provisioning/provision.ts'
import * as users from '../queries.ts'
import * as userWrites from '../writes.ts'
import { ScimError } from './errors.ts'
import * as scim from './queries.ts'
import { claimsOf, detailsOf, emailOf, readUser, resourceOf, type ScimUser } from './resource.ts'

export type Directory = { actor: ActorContext; row: DirectoryRow; base: string }

/** Throws 409 for values that another user has, and notes the attempt to announce somebody of another directory. */
const taken =
  ({ actor: { ctx }, row: { directory_sid } }: Directory) =>
  (e: unknown): never => {
    if (e instanceof NameTaken)
      throw new ScimError(409, 'Another user has this userName or email', 'uniqueness')
    if (!(e instanceof ExternalIdTaken)) throw e
    ctx.log.warn(
      { directory_sid, user_sid: e.user_sid, other_directory_sid: e.directory_sid },
      'a directory announces a person who is another user already',
    )
    throw new ScimError(409, 'Another user has this externalId', 'uniqueness')
  }

/** Access by the rules, or else the directory's default. Throws 400 if there is neither. */
async function accessFor({ actor: { ctx }, row }: Directory, user: ScimUser): Promise<Access> {
  const { rules } = await readSettings(ctx, ctx.db)
  const within = row.service_provider_sid
  const byRules = await accessByRules(ctx.db, rules, claimsOf(user), within)
  if (byRules?.access) return byRules.access
  const fallback = defaultAccess(row)
  const access = fallback && !byRules && (await accessOf(ctx.db, fallback, within))
  if (!access) throw new ScimError(400, NO_RULE_MATCHES, 'invalidValue')
  return access
}

const identityOf = ({ row }: Directory, user: ScimUser) => ({
  external_id: user.externalId ?? null,
  directory_sid: row.directory_sid,
  details: detailsOf(user),
})

/** A page of a directory's users. */
export async function page(
  { actor, row, base }: Directory,
  matching: Parameters<typeof scim.page>[2],
  span: Parameters<typeof scim.page>[3],
) {
  const { total, rows } = await scim.page(actor.ctx.db, row, matching, span)
  return { total, users: rows.map((user) => resourceOf(user, base)) }
}

export async function get(directory: Directory, user_sid: string) {
  const { actor, row, base } = directory
  const user = await scim.find(actor.ctx.db, row, user_sid)
  if (!user) throw new ScimError(404, 'No such user')
  return { ...resourceOf(user, base) }
}

export async function create(directory: Directory, body: unknown) {
  const { actor } = directory
  const user = readUser(body)
  const access = await accessFor(directory, user)
  const email = emailOf(user)
  const is_active = user.active ? 1 : 0
  const known = await adoptable(directory, user)
  const identity = identityOf(directory, user)
  if (known) {
    const change = { name: user.userName, email, is_active, access } as const
    await changeUser(actor, known, change, identity).catch(taken(directory))
    return get(directory, known)
  }
  const user_sid = await addUser(
    actor,
    { name: user.userName, email, email_validated: 0, is_active, ...access },
    { ...identity, subject_digest: null, issuer: null, subject: null },
  ).catch(taken(directory))
  return get(directory, user_sid)
}

/** The user who has logged in as this person already, if it is within the directory's reach. */
async function adoptable({ actor: { ctx, scope } }: Directory, { externalId }: ScimUser) {
  const known = externalId ? await scim.unmanaged(ctx.db, externalId) : undefined
  const visible = known && (await users.find(ctx.db, scope, known.user_sid))
  return visible?.user_sid
}

/** Replaces a user by the result of a change to its current attributes. */
export async function replace(
  directory: Directory,
  user_sid: string,
  change: (current: Record<string, unknown>) => unknown,
) {
  const { actor } = directory
  const user = readUser(change(await get(directory, user_sid)))
  const access = await accessFor(directory, user)
  await changeUser(
    actor,
    user_sid,
    { name: user.userName, email: emailOf(user), is_active: user.active ? 1 : 0, access },
    identityOf(directory, user),
  ).catch(taken(directory))
  return get(directory, user_sid)
}

export async function remove(directory: Directory, user_sid: string) {
  const { actor } = directory
  const { ctx, scope } = actor
  if (!(await scim.find(ctx.db, directory.row, user_sid))) throw new ScimError(404, 'No such user')
  await endingSessions(
    ctx,
    [user_sid],
    (tx) =>
      auditedIn(tx, actor, users.auditSubject(scope, user_sid), async (_, before) => {
        if (before) await refuseLastAdmin(tx, { before, after: undefined })
        await userWrites.removeAll(tx, scope, [user_sid])
      }),
    { lock },
  )
}
