import type { SecondFactor } from '@switchroom/contract'
import { insertMany } from '../../db/insert-many.ts'
import type { Db, Tables } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { ADMINISTRATORS } from '../../http/second-factor.ts'
import { ownedBy } from '../../http/tenancy.ts'
import { newCodes, plainCode } from './recovery-codes.ts'

// A user's own factors: the sid is the caller's own, or was found within the caller's scope.

export const totpOf = (db: Db, user_sid: string) =>
  db.selectFrom('switchroom_totp').selectAll().where('user_sid', '=', user_sid).executeTakeFirst()

export async function saveTotp(db: Db, row: Tables['switchroom_totp']) {
  await removeTotp(db, row.user_sid)
  await db.insertInto('switchroom_totp').values(row).execute()
}

export const removeTotp = (db: Db, user_sid: string) =>
  db.deleteFrom('switchroom_totp').where('user_sid', '=', user_sid).execute()

/**
 * Takes the codes up to this time step out of use. False when one of them was used before: of two processes
 * with the same code, one gets true.
 */
export async function useStep(db: Db, user_sid: string, step: number) {
  const { numUpdatedRows } = await db
    .updateTable('switchroom_totp')
    .set({ last_step: step })
    .where('user_sid', '=', user_sid)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const passkeysOf = (db: Db, user_sid: string) =>
  db
    .selectFrom('switchroom_passkeys')
    .selectAll()
    .where('user_sid', '=', user_sid)
    .orderBy('created_at')
    .orderBy('passkey_sid')
    .execute()

export const recoveryCodesOf = (db: Db, user_sid: string) =>
  db
    .selectFrom('switchroom_recovery_codes')
    .select('created_at')
    .where('user_sid', '=', user_sid)
    .execute()

const codeDigest = ({ box }: Pick<Context, 'box'>, user_sid: string, code: string) =>
  box.digest(`recovery code ${user_sid} ${plainCode(code)}`)

/** Replaces a user's recovery codes. Resolves to the new ones, which are stored as digests only. */
export async function replaceRecoveryCodes(ctx: Pick<Context, 'box'>, tx: Db, user_sid: string) {
  const codes = newCodes()
  const created_at = new Date().toISOString()
  await tx.deleteFrom('switchroom_recovery_codes').where('user_sid', '=', user_sid).execute()
  await insertMany(
    tx,
    'switchroom_recovery_codes',
    codes.map((code) => ({ user_sid, created_at, code_digest: codeDigest(ctx, user_sid, code) })),
  )
  return codes
}

/** Uses up a recovery code. False when it is unknown or used. */
export async function useRecoveryCode(
  ctx: Pick<Context, 'box'>,
  tx: Db,
  user_sid: string,
  code: string,
) {
  const { numDeletedRows } = await tx
    .deleteFrom('switchroom_recovery_codes')
    .where('user_sid', '=', user_sid)
    .where('code_digest', '=', codeDigest(ctx, user_sid, code))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The factors that a user can complete a log-in with. Empty without an app and a passkey. */
export async function methodsOf(db: Db, user_sid: string): Promise<SecondFactor[]> {
  const [totp, passkeys, codes] = [
    await totpOf(db, user_sid),
    await passkeysOf(db, user_sid),
    await recoveryCodesOf(db, user_sid),
  ]
  if (!totp && passkeys.length === 0) return []
  return [
    ...(totp ? (['totp'] as const) : []),
    ...(passkeys.length > 0 ? (['passkey'] as const) : []),
    ...(codes.length > 0 ? (['recovery_code'] as const) : []),
  ]
}

/** A user's factors for the audit log, without anything secret. */
export const auditSubject = (user_sid: string) => ({
  kind: 'second_factor' as const,
  sid: user_sid,
  read: async (tx: Db) => {
    const user = await tx
      .selectFrom('users')
      .select(['name', 'account_sid', 'service_provider_sid'])
      .where('user_sid', '=', user_sid)
      .executeTakeFirst()
    if (!user) return undefined
    const codes = await recoveryCodesOf(tx, user_sid)
    return {
      ...user,
      authenticator_app: (await totpOf(tx, user_sid))?.created_at ?? null,
      passkeys: (await passkeysOf(tx, user_sid)).map((p) => p.name),
      recovery_codes_left: codes.length,
      recovery_codes_created_at: codes[0]?.created_at ?? null,
    }
  },
})

export async function savePolicy(db: Db, owner: string, is_required: boolean) {
  await db.deleteFrom('switchroom_second_factor_policies').where('owner', '=', owner).execute()
  await db
    .insertInto('switchroom_second_factor_policies')
    .values({ owner, is_required: is_required ? 1 : 0 })
    .execute()
}

/** The users whom a policy concerns and who have neither an authenticator app nor a passkey. */
export async function without(db: Db, owner: string) {
  const rows = await db
    .selectFrom('users')
    .leftJoin('switchroom_totp as t', 't.user_sid', 'users.user_sid')
    .select('users.user_sid')
    .where('t.user_sid', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('switchroom_passkeys as p')
            .select('p.user_sid')
            .whereRef('p.user_sid', '=', 'users.user_sid'),
        ),
      ),
    )
    .where((eb) =>
      owner === ADMINISTRATORS
        ? eb.and([
            eb('users.account_sid', 'is', null),
            eb('users.service_provider_sid', 'is', null),
          ])
        : ownedBy('users', { service_provider_sid: owner }),
    )
    .execute()
  return rows.map(({ user_sid }) => user_sid)
}
