import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '../db/open.ts'
import { hashPassword, verifyPassword } from '../secrets/passwords.ts'
import type { Context } from './context.ts'
import { Failure, invalidField } from './failure.ts'
import { networkOf } from './network.ts'

/** The columns of a user that a password check needs. */
export type PasswordHolder = { user_sid: string; provider: string; hashed_password: string | null }

export const passwordHolder = (db: Db, user_sid: string): Promise<PasswordHolder | undefined> =>
  db
    .selectFrom('users')
    .select(['user_sid', 'provider', 'hashed_password'])
    .where('user_sid', '=', user_sid)
    .executeTakeFirst()

/**
 * What failed log-ins are counted under: the user, or the attempted name. Unknown names lock out as well,
 * so that a lock-out does not reveal which names and addresses exist.
 */
export const passwordKey = (user: Pick<PasswordHolder, 'user_sid'> | undefined, name = '') =>
  user
    ? `login:${user.user_sid}`
    : `name:${createHash('sha256').update(name.toLowerCase()).digest('hex')}`

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

/** Whose secret is tried, and from where. */
export type Attempt = { key: string; ip: string }

/** Of all networks together, for `removeAll`. */
const countsOf = (key: string) => `switchroom:tries:${key}:`
const countOf = ({ key, ip }: Attempt) => `${countsOf(key)}${networkOf(ip)}`

const lockedOut = (until: string) =>
  new Failure('forbidden', `Maximum login attempts reached. Please try again ${until}.`)
const LATER = 'later or reset your password'

/**
 * Tries a secret: a password, a code. The try is counted before `check` runs, so that parallel tries cannot
 * pass the limit; the count is cleared if `check` resolves to something. Throws 403 if there were too many,
 * per `key` and network: failures elsewhere keep nobody out here.
 */
export async function trySecret<T>(
  { live, config }: Pick<Context, 'live' | 'config'>,
  attempt: Attempt,
  check: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const { tries, seconds } = config.lock_out
  const count = countOf(attempt)
  // tries while locked out do not prolong it
  const [before] = await live.get(count)
  if (Number(before ?? 0) >= tries) throw lockedOut(LATER)
  const counted = await live.increment(count, seconds)
  if (counted > tries) throw lockedOut(LATER)
  let result: T | undefined
  try {
    result = await check()
  } catch (e) {
    // nothing was found out
    await live.decrement(count)
    throw e
  }
  if (result !== undefined) await live.remove(count)
  else if (counted === tries) throw lockedOut(`in ${seconds} seconds`)
  return result
}

/** Lifts lock-outs: the one of a network, or without `ip` those of all networks. */
export const liftLockOut = (
  { live }: Pick<Context, 'live'>,
  { key, ip }: { key: string; ip?: string },
) => (ip === undefined ? live.removeAll(countsOf(key)) : live.remove(countOf({ key, ip })))

/**
 * Throws unless this is the user's password. A wrong one counts as a failed log-in and is an issue on
 * `field`.
 */
export async function requirePassword(
  ctx: Context,
  { ip }: { ip: string },
  user: PasswordHolder,
  field: string,
  password: string,
) {
  const right = await trySecret(ctx, { key: passwordKey(user), ip }, () =>
    checkPassword(ctx, user, password),
  )
  if (!right) throw invalidField(field, `${field} is incorrect`)
}
