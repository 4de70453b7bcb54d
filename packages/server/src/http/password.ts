import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '../db/open.ts'
import { hashPassword, verifyPassword } from '../secrets/passwords.ts'
import type { Context } from './context.ts'
import { Failure, invalidField } from './failure.ts'

/** The columns of a user that a password check needs. */
export type PasswordHolder = { user_sid: string; provider: string; hashed_password: string | null }

export const passwordHolder = (db: Db, user_sid: string): Promise<PasswordHolder | undefined> =>
  db
    .selectFrom('users')
    .select(['user_sid', 'provider', 'hashed_password'])
    .where('user_sid', '=', user_sid)
    .executeTakeFirst()

/**
 * The key that failed log-ins are counted under: the user's, or the attempted name's. Unknown names lock
 * out as well, so that a lock-out does not reveal which names and addresses exist.
 */
export const failuresKey = (user: Pick<PasswordHolder, 'user_sid'> | undefined, name = '') =>
  user
    ? `login:${user.user_sid}`
    : `switchroom:login:${createHash('sha256').update(name.toLowerCase()).digest('hex')}`

/** The user, with the right password. Unknown names take as long as wrong passwords. */
export async function checkPassword<U extends PasswordHolder>(
  { memory }: Pick<Context, 'memory'>,
  user: U | undefined,
  password: string,
) {
  memory.decoy ??= hashPassword(randomBytes(16).toString('hex'))
  const hash = user?.provider === 'local' ? user.hashed_password : null
  const right = await verifyPassword(hash ?? (await memory.decoy), password)
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

/**
 * Throws unless this is the user's password. A wrong one counts as a failed log-in and is an issue on
 * `field`.
 */
export async function requirePassword(
  ctx: Context,
  user: PasswordHolder,
  field: string,
  password: string,
) {
  const key = failuresKey(user)
  await refuseLockedOut(ctx, key)
  if (await checkPassword(ctx, user, password)) return
  await countFailure(ctx, key)
  throw invalidField(field, `${field} is incorrect`)
}
