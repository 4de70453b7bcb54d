import { randomUUID } from 'node:crypto'
import {
  type api,
  DUPLICATE_USER,
  type FileOptions,
  type Flag,
  t,
  USER_COLUMNS,
  type UserItem,
} from '@switchroom/contract'
import { audited, auditedIn } from '../audit/audited.ts'
import { sameValue } from '../audit/unknown-fields.ts'
import * as subscriptions from '../billing/queries.ts'
import type { Db } from '../db/open.ts'
import type { Context } from '../http/context.ts'
import { csv, mapped } from '../http/csv.ts'
import { Failure, found, invalidField } from '../http/failure.ts'
import { refuseOverAuditQuota, refuseOverQuota } from '../http/limits.ts'
import { liftLockOuts, newHash } from '../http/password.ts'
import type { Handlers } from '../http/serve.ts'
import { endingSessions } from '../http/sessions.ts'
import { importCsv } from '../imports/import.ts'
import { chosenBy } from '../selections/chosen.ts'
import * as accounts from '../tenants/accounts/queries.ts'
import * as apiKeys from '../tenants/api-keys/queries.ts'
import * as serviceProviders from '../tenants/service-providers/queries.ts'
import * as settings from '../tenants/settings/queries.ts'
import {
  emailProvenBy,
  endsSessions,
  lacksPassword,
  managesOnceUnrestricted,
  NO_PASSWORD,
  refuseLastAdmin,
  refuseManaging,
} from './checks.ts'
import { userImport } from './import.ts'
import { mailPasswordSet } from './mails.ts'
import { removeMany, selectable, updateMany } from './many.ts'
import { changeOwnPassword } from './own-password.ts'
import { lock, ownersAfter, ownersFor } from './owners.ts'
import * as users from './queries.ts'
import * as takenUsers from './taken.ts'
import { permissionFor, roleOf } from './token-claims.ts'
import { refuseTrials, refuseUnproved } from './trials.ts'
import * as userWrites from './writes.ts'

type Restricting = { is_view_only?: Flag | undefined; manages_users?: Flag | undefined }

/** True if a user is to manage other users of the account. Throws 400 for a contradictory request. */
function managesUsersIn(
  { is_view_only, manages_users }: Restricting,
  { account_sid, otherwise }: { account_sid: string | null; otherwise: boolean },
) {
  const refuse = (why: string) => invalidField('manages_users', why)
  if (manages_users === 1 && is_view_only === 1)
    throw refuse(t('A view-only user cannot manage users'))
  if (manages_users === 0 && is_view_only !== 1 && !account_sid && otherwise)
    throw refuse(t('Only users of an account can be kept from managing users'))
  return is_view_only !== 1 && (manages_users === undefined ? otherwise : manages_users === 1)
}

/** Billing data that only the hosted variant shows. */
const billingOf = async (ctx: Context, account_sid: string) => ({
  api_keys: await apiKeys.ofAccount(ctx.db, account_sid),
  subscription: await subscriptions.own(ctx, account_sid),
  static_ips: await subscriptions.staticIps(ctx.db, account_sid),
})

type AuditView = Awaited<ReturnType<ReturnType<typeof users.auditSubject>['read']>>

const rowOf = (u: UserItem) => ({
  ...u,
  service_provider: u.service_provider_name,
  account: u.account_name,
  is_view_only: u.is_view_only ? 1 : 0,
  password: '',
})
type Columns = readonly (typeof USER_COLUMNS)[number][]
type Written = FileOptions & { columns?: Columns | undefined }
const file = (rows: AsyncIterable<UserItem[]>, { columns = USER_COLUMNS, ...options }: Written) =>
  csv(columns, mapped(rows, rowOf), options)

export const userRoutes: Handlers<typeof api.users> = {
  list: ({ query, scope, ctx }) => users.list(ctx.db, scope, query),

  async me({ scope, ctx }) {
    const user = found(
      await users.find(ctx.db, { ...scope, role: 'admin' }, scope.user_sid!),
      t('user'),
    )
    const owner = scope.role === 'admin' ? undefined : scope
    const account = owner && 'account_sid' in owner ? owner.account_sid : undefined
    const sp = owner && (await serviceProviders.find(ctx.db, scope, owner.service_provider_sid))
    return {
      user: {
        ...user,
        force_change: user.force_change === 1,
        email_validated: user.email_validated === 1,
        phone_validated: user.phone_validated === 1,
      },
      account: account
        ? { ...(await accounts.find(ctx, scope, account)), root_domain: sp?.root_domain }
        : {},
      sp: { ...sp },
      ...(account && ctx.config.page.ENABLE_HOSTED_SYSTEM && (await billingOf(ctx, account))),
    }
  },

  view: async ({ params, scope, ctx }) =>
    found(await users.find(ctx.db, scope, params.user_sid), t('user')),

  async create({ body, ...actor }) {
    const { scope, ctx } = actor
    refuseManaging(scope)
    await refuseTrials(ctx, scope)
    await settings.requireGoodPassword(ctx, 'initial_password', body.initial_password, {
      name: body.name,
      email: body.email,
    })
    const hashed_password = await newHash(actor, body.initial_password)
    const user_sid = randomUUID()
    const answer = { user_sid }
    const subject = { ...users.auditSubject(scope, user_sid), isNew: true as const, answer }
    await audited(actor, subject, async (tx) => {
      const owners = await ownersFor(tx, scope, body)
      if (await takenUsers.isTaken(tx, body.name, body.email))
        throw new Failure('conflict', DUPLICATE_USER)
      await refuseOverQuota(ctx, tx, 'users', [owners.account_sid])
      const { name, email, force_change, is_active } = body
      const row = { user_sid, name, email, hashed_password, force_change, is_active, ...owners }
      const isFirst = owners.account_sid !== null && !(await users.hasUsers(tx, owners.account_sid))
      await userWrites.insert(tx, {
        ...row,
        provider: 'local',
        email_validated: emailProvenBy(ctx, scope),
      })
      const rights = {
        is_view_only: body.is_view_only === 1,
        manages_users: managesUsersIn(body, {
          account_sid: owners.account_sid,
          otherwise: managesOnceUnrestricted(scope) || isFirst,
        }),
      }
      const permission = permissionFor(rights)
      if (permission) await userWrites.setPermission(tx, scope, [user_sid], permission, randomUUID)
    })
    return answer
  },

  async update({ params: { user_sid }, body, ...actor }) {
    const { scope, ctx } = actor
    if (scope.api_key_sid && body.initial_password)
      throw new Failure('forbidden', t('An API key cannot set the password of a user'))
    const { old_password, new_password, initial_password, proof, ...others } = body
    const { is_view_only, manages_users, ...rest } = others
    const ownPassword = old_password !== undefined || new_password !== undefined
    if ((scope.view_only || scope.force_change) && (!ownPassword || user_sid !== scope.user_sid))
      throw new Failure(
        'forbidden',
        scope.view_only ? t('User has view-only access') : t('You must create a new password'),
      )
    const before = found(await users.find(ctx.db, scope, user_sid), t('user'))
    refuseManaging(scope, user_sid)
    if (ownPassword) {
      // once users set their own password, it is no longer a temporary one
      for (const [field, value] of Object.entries({ initial_password, ...others }))
        if (
          value !== undefined &&
          !(field === 'force_change' && value === 0) &&
          !sameValue(value, Reflect.get(before, field))
        )
          throw invalidField(field, t('can not change name and password simultaneously'))
      return changeOwnPassword(actor, user_sid, { old_password, new_password })
    }

    // the endpoint is open for one's own password, which the quota leaves
    await refuseOverAuditQuota(ctx, scope)
    if (initial_password && before.provider !== 'local')
      throw invalidField('initial_password', NO_PASSWORD)
    if (rest.name !== undefined && rest.name !== before.name) await refuseTrials(ctx, scope)
    if (initial_password)
      await settings.requireGoodPassword(ctx, 'initial_password', initial_password, {
        name: rest.name ?? before.name,
        email: rest.email ?? before.email,
      })
    if (initial_password) await ctx.requireOwnProof(actor, proof)
    const hashed_password = initial_password ? await newHash(actor, initial_password) : undefined
    const setsOthers = hashed_password !== undefined && user_sid !== scope.user_sid
    const change = async (tx: Db, read: AuditView) => {
      const stored = found(read, t('user'))
      if (lacksPassword(stored, rest)) throw invalidField('force_change', NO_PASSWORD)
      const owners = await ownersAfter(tx, scope, stored, rest)
      const { name = stored.name, email = stored.email, scope: shown } = rest
      if (shown !== undefined && ![stored.scope, roleOf(owners)].includes(shown))
        throw invalidField('scope', t('scope may not be modified'))
      refuseUnproved(ctx, scope, stored.email, email)
      const renamed = name !== stored.name || email !== stored.email
      if (renamed && (await takenUsers.isTaken(tx, name, email, user_sid)))
        throw new Failure('conflict', DUPLICATE_USER)
      if (owners.account_sid !== stored.account_sid)
        await refuseOverQuota(ctx, tx, 'users', [owners.account_sid])
      const { is_active = stored.is_active } = rest
      // somebody who sets another's password knows it
      const force_change = setsOthers ? 1 : (rest.force_change ?? stored.force_change)
      const viewOnly = is_view_only === undefined ? stored.is_view_only : is_view_only === 1
      const rights = {
        is_view_only: viewOnly,
        manages_users: managesUsersIn(
          { is_view_only: viewOnly ? 1 : 0, manages_users },
          {
            account_sid: owners.account_sid,
            otherwise:
              stored.is_view_only && !viewOnly
                ? managesOnceUnrestricted(scope)
                : stored.manages_users,
          },
        ),
      }
      if (rights.manages_users && !stored.manages_users) refuseManaging(scope)
      await refuseLastAdmin(tx, {
        before: stored,
        after: { ...owners, is_active, is_view_only: viewOnly },
      })
      await userWrites.updateAll(tx, scope, [user_sid], {
        ...{ name, email, force_change, is_active, ...owners },
        ...(email !== stored.email && emailProvenBy(ctx, scope) && { email_validated: 1 }),
        ...(hashed_password && { hashed_password }),
      })
      const permission = permissionFor(rights)
      if (permission !== permissionFor(stored))
        await userWrites.setPermission(tx, scope, [user_sid], permission, randomUUID)
    }
    await endingSessions(
      ctx,
      endsSessions(before, body) ? [user_sid] : [],
      (tx) => auditedIn(tx, actor, users.auditSubject(scope, user_sid), change),
      { lock },
    )
    // a thief of this user's token gets no more tries of a code this way
    if (!setsOthers) return
    await liftLockOuts(ctx, user_sid)
    mailPasswordSet(ctx, before)
  },

  async import(input) {
    const { scope, ctx, query } = input
    refuseManaging(scope)
    // a file would try as many names as it has rows
    if (ctx.config.page.ENABLE_HOSTED_SYSTEM && scope.role === 'account')
      throw new Failure('forbidden', t('Users of an account are added one by one'))
    const { service_provider_sid } = query
    if (service_provider_sid)
      found(await serviceProviders.find(ctx.db, scope, service_provider_sid), t('service provider'))
    return importCsv(input, userImport(ctx, scope, service_provider_sid))
  },

  export: ({ query, scope, ctx }) =>
    file(users.list(ctx.db, scope, query).all(ctx.memory.listings), query),

  updateMany: ({ body: { select, ...change }, ...actor }) => updateMany(actor, select, change),

  async exportMany({ body: { select }, query, scope, ctx }) {
    if ('matching' in select)
      return file(users.list(ctx.db, scope, select.matching).all(ctx.memory.listings), query)
    // a missing user is reported before the file begins
    const chosen = await chosenBy(ctx.db, scope, selectable, select)
    return file(
      users.withNames(
        ctx.db,
        scope,
        chosen.map((u) => u.user_sid),
      ),
      query,
    )
  },

  removeMany: ({ body: { select }, ...actor }) => removeMany(actor, select),

  async remove({ params: { user_sid }, ...actor }) {
    const { scope, ctx } = actor
    found(await users.find(ctx.db, scope, user_sid), t('user'))
    refuseManaging(scope, user_sid)
    const change = async (tx: Db, read: AuditView) => {
      const stored = found(read, t('user'))
      await refuseLastAdmin(tx, { before: stored, after: undefined })
      await userWrites.removeAll(tx, scope, [user_sid])
    }
    await endingSessions(
      ctx,
      [user_sid],
      (tx) => auditedIn(tx, actor, users.auditSubject(scope, user_sid), change),
      {
        lock,
      },
    )
  },
}
