import { randomBytes } from 'node:crypto'
import type { Context } from '../context.ts'
import { Failure, invalidField } from '../http/failure.ts'
import { hashPassword, verifyPassword } from '../passwords.ts'
import type { UserRow } from '../users/claims.ts'

export const failuresKey = (user_sid: string) => `login:${user_sid}`

/** Checked in place of a hash that is not there, so that unknown names take as long as wrong passwords. */
let decoy: Promise<string> | undefined

export async function checkPassword(user: UserRow | undefined, password: string) {
  decoy ??= hashPassword(randomBytes(16).toString('hex'))
  const hash = user?.provider === 'local' ? user.hashed_password : null
  const right = await verifyPassword(hash ?? (await decoy), password)
  return right && hash ? user : undefined
}

export async function refuseLockedOut({ live, config }: Context, user: UserRow) {
  const [failures] = await live.get(failuresKey(user.user_sid))
  if (Number(failures ?? 0) >= config.lock_out.tries)
    throw new Failure(
      'forbidden',
      'Maximum login attempts reached. Please try again later or reset your password.',
    )
}

export async function countFailure({ live, config }: Context, user: UserRow) {
  const { tries, seconds } = config.lock_out
  const failures = await live.increment(failuresKey(user.user_sid), seconds)
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
  await refuseLockedOut(ctx, user)
  if (await checkPassword(user, password)) return
  await countFailure(ctx, user)
  throw invalidField(field, `${field} is incorrect`)
}
