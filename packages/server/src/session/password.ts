import { createHash, randomBytes } from 'node:crypto'
import type { Context } from '../context.ts'
import { Failure, invalidField } from '../http/failure.ts'
import { hashPassword, verifyPassword } from '../passwords.ts'
import type { UserRow } from '../users/claims.ts'

/**
 * Whose failures are counted: a user's, or those of a name that nobody has. Both are locked out alike, so
 * that nobody learns which names and addresses there are.
 */
export const failuresKey = (user: Pick<UserRow, 'user_sid'> | undefined, name = '') =>
  user
    ? `login:${user.user_sid}`
    : `switchroom:login:${createHash('sha256').update(name.toLowerCase()).digest('hex')}`

/** Checked in place of a hash that is not there, so that unknown names take as long as wrong passwords. */
let decoy: Promise<string> | undefined

export async function checkPassword(user: UserRow | undefined, password: string) {
  decoy ??= hashPassword(randomBytes(16).toString('hex'))
  const hash = user?.provider === 'local' ? user.hashed_password : null
  const right = await verifyPassword(hash ?? (await decoy), password)
  return right && hash ? user : undefined
}

export async function refuseLockedOut({ live, config }: Context, key: string) {
  const [failures] = await live.get(key)
  if (Number(failures ?? 0) >= config.lock_out.tries)
    throw new Failure(
      'forbidden',
      'Maximum login attempts reached. Please try again later or reset your password.',
    )
}

export async function countFailure({ live, config }: Context, key: string) {
  const { tries, seconds } = config.lock_out
  const failures = await live.increment(key, seconds)
  if (failures >= tries)
    throw new Failure(
      'forbidden',
      `Maximum login attempts reached. Please try again in ${seconds} seconds.`,
    )
}

/** That whoever asks is this user. A wrong password counts as a failed log-in and is an issue on the field. */
export async function requirePassword(
  ctx: Context,
  user: UserRow,
  field: string,
  password: string,
) {
  const key = failuresKey(user)
  await refuseLockedOut(ctx, key)
  if (await checkPassword(user, password)) return
  await countFailure(ctx, key)
  throw invalidField(field, `${field} is incorrect`)
}
