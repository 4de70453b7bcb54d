import { createHash, randomBytes } from 'node:crypto'
import { NETWORK_FAILURES, SLOWED, t } from '@switchroom/contract'
import type { Db } from '../db/open.ts'
import type { Context } from './context.ts'
import { failingPart } from './failing-part.ts'
import { Failure, invalidField } from './failure.ts'
import type { Lane } from './fair-queue.ts'
import { networkOf } from './network.ts'
import { hasSessionNear } from './new-place.ts'
import type { RequestMeta, Scope } from './scope.ts'

/** The columns of a user that a password check needs. */
export type PasswordHolder = { user_sid: string; provider: string; hashed_password: string | null }

export const passwordHolder = (db: Db, user_sid: string): Promise<PasswordHolder | undefined> =>
  db
    .selectFrom('users')
    .select(['user_sid', 'provider', 'hashed_password'])
    .where('user_sid', '=', user_sid)
    .executeTakeFirst()

/**
 * Key that failed log-ins are counted under: the user, or the attempted name. Unknown names lock out as well, so that a
 * lock-out does not reveal which names and addresses exist.
 */
export const passwordKey = (user: Pick<PasswordHolder, 'user_sid'> | undefined, name = '') =>
  user
    ? `login:${user.user_sid}`
    : `name:${createHash('sha256').update(name.toLowerCase()).digest('hex')}`

/** People who are signed in do not wait for strangers. */
const laneOf = (ip: string, signedIn: string | undefined): Lane =>
  signedIn ? { signedIn } : { network: networkOf(ip) }

/** The caller. Every handler's input is one. */
type By = { scope: Scope | undefined; meta: Pick<RequestMeta, 'ip'> }

const signedIn = ({ scope }: By) => scope?.user_sid ?? scope?.api_key_sid

/** Hashes a new password, in turn. Throws 429 or 503 when too many are waiting. */
export const newHash = (by: By & { ctx: Pick<Context, 'memory'> }, password: string) =>
  by.ctx.memory.secrets(laneOf(by.meta.ip, signedIn(by)), () =>
    by.ctx.memory.passwords.hash(password),
  )

/**
 * Like `newHash`, for one of many. They all queue as one network of strangers, which takes turns with the others, so
 * that log-ins go on.
 */
export const newHashOfMany = ({ memory }: Pick<Context, 'memory'>, password: string) =>
  memory.secrets({ network: 'imports' }, () => memory.passwords.hash(password))

/** Checked in place of a hash that is not there. Made when first needed, and again if that failed. */
function decoyIn(memory: Context['memory']) {
  if (memory.decoy) return memory.decoy
  const decoy = memory.passwords.hash(randomBytes(16).toString('hex'))
  // callers who have a hash do not wait for it
  decoy.catch(() => {
    memory.decoy = undefined
  })
  memory.decoy = decoy
  return decoy
}

/** The user, with the right password. Unknown names take as long as wrong passwords. For `trySecret`. */
export async function checkPassword<U extends PasswordHolder>(
  { memory }: Pick<Context, 'memory'>,
  user: U | undefined,
  password: string,
) {
  const decoy = decoyIn(memory)
  const hash = user?.provider === 'local' ? user.hashed_password : null
  const right = await memory.passwords.verify(hash ?? (await decoy), password)
  return right && hash ? user : undefined
}

/**
 * The secret to try, and the caller's address. `user_sid`: the user whose networks are known. `signedIn`: the caller if
 * already signed in, who need not wait for strangers.
 */
export type Attempt = {
  key: string
  ip: string
  user_sid?: string | undefined
  signedIn?: string | undefined
}

/** A try of a user's password, or of the password of a name that may be unknown. */
export const attemptOf = (
  by: By,
  user: Pick<PasswordHolder, 'user_sid'> | undefined,
  name?: string,
): Attempt => ({
  key: passwordKey(user, name),
  ip: by.meta.ip,
  user_sid: user?.user_sid,
  signedIn: signedIn(by),
})

/** The prefix of all counts of a key, for `removeAll`. */
const countsOf = (key: string) => `switchroom:tries:${key}:`
const countOf = ({ key, ip }: Attempt) => `${countsOf(key)}${networkOf(ip)}`

const lockedOut = (until: string) =>
  new Failure(
    'forbidden',
    t('Maximum login attempts reached. Please try again {until}.', { until }),
  )
const LATER = t('later or reset your password')

/** Failures over all networks, in units of a lock-out, that make a user a target. */
const TARGET_FACTOR = 10
/** Interval at which a target's secret may be tried from networks that the user never used. */
const PACE_SECONDS = 10

/** A key for each window, so that steady failures do not add up for ever. */
const windowed = (prefix: string, seconds: number) =>
  `${prefix}${Math.floor(Date.now() / 1000 / seconds)}`
const windowEnd = (seconds: number) => Math.ceil(seconds - ((Date.now() / 1000) % seconds))

/**
 * Guessing that is spread over many networks is slowed, but locks nobody out: from a network of an earlier
 * session the user is not affected, and a reset link makes the present one such.
 */
async function refuseSpreadGuessing(
  { db, live }: Pick<Context, 'db' | 'live'>,
  { key, ip, user_sid }: Attempt,
) {
  if (user_sid && (await hasSessionNear(db, user_sid, ip))) return
  const pace = windowed(`${countsOf(key)}pace:`, PACE_SECONDS)
  if ((await live.increment(pace, PACE_SECONDS)) > 1)
    throw new Failure('too_many', SLOWED, { retry_after: windowEnd(PACE_SECONDS) })
}

/**
 * Tries a secret: a password, a code. The try is counted before `check` runs, so that parallel tries cannot
 * pass the limits; it counts no more if `check` resolves to something. Throws 403 after too many failures
 * with this `key` from one network: failures elsewhere keep nobody out here. Throws 429 after too many of a
 * network with any key, and slows guessing that is spread over networks. A few tries run at once, the others
 * wait in turn: throws 429 or 503 when too many are waiting. `check` must not try another secret.
 */
export const trySecret = <T>(
  ctx: Guarded,
  attempt: Attempt,
  check: () => Promise<T | undefined>,
): Promise<T | undefined> =>
  ctx.memory.secrets(laneOf(attempt.ip, attempt.signedIn), () => countedTry(ctx, attempt, check))

type Guarded = Pick<Context, 'db' | 'live' | 'config' | 'memory'>

async function countedTry<T>(
  ctx: Guarded,
  attempt: Attempt,
  check: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const { live } = ctx
  const { tries, seconds, per_network } = ctx.config.lock_out
  const count = countOf(attempt)
  const inNetwork = windowed(countsOf(`network:${networkOf(attempt.ip)}`), seconds)
  const inAll = windowed(`${countsOf(attempt.key)}all:`, seconds)
  // refused tries are not counted, so they prolong no lock-out
  const [before, network, all] = (await live.get(count, inNetwork, inAll)).map((n) =>
    Number(n ?? 0),
  )
  if (before! >= tries) throw lockedOut(LATER)
  const tooMany = new Failure('too_many', NETWORK_FAILURES, { retry_after: windowEnd(seconds) })
  if (network! >= per_network) throw tooMany
  if (all! >= tries * TARGET_FACTOR) await refuseSpreadGuessing(ctx, attempt)
  const shared = [inNetwork, inAll]
  const [counted, ofNetwork] = await live.incrementAll([count, ...shared], seconds)
  if (counted! > tries) {
    await live.decrementAll(shared)
    throw lockedOut(LATER)
  }
  let result: T | undefined
  try {
    if (ofNetwork! > per_network) throw tooMany
    result = await check()
  } catch (e) {
    // nothing was found out
    const uncounted = live.decrementAll([count, ...shared])
    // a store that hangs keeps the caller waiting once, not twice
    if (failingPart(e)) uncounted.catch(() => undefined)
    else await uncounted
    throw e
  }
  if (result !== undefined) await live.decrementAll(shared, { remove: [count] })
  else if (counted === tries) throw lockedOut(t('in {seconds} seconds', { seconds }))
  return result
}

/** Lifts lock-outs: of one network, or of all networks without `ip`. */
export const liftLockOut = (
  { live }: Pick<Context, 'live'>,
  { key, ip }: { key: string; ip?: string },
) => (ip === undefined ? live.removeAll(countsOf(key)) : live.remove(countOf({ key, ip })))

/** Key that failed second-factor codes are counted under. */
export const codesKey = (user_sid: string) => `switchroom:second-factor:${user_sid}`

/** Lifts all lock-outs of codes: of each network, and of the hour. Not for the user, who might be guessing. */
export const liftCodesLockOut = async (ctx: Pick<Context, 'live'>, user_sid: string) => {
  const key = codesKey(user_sid)
  await liftLockOut(ctx, { key })
  await ctx.live.removeAll(`${key}:`)
}

/** Lifts every lock-out of a user whose password was set by somebody who manages it. */
export async function liftLockOuts(ctx: Pick<Context, 'live'>, user_sid: string) {
  await liftLockOut(ctx, { key: passwordKey({ user_sid }) })
  await liftCodesLockOut(ctx, user_sid)
}

/**
 * Throws unless this is the user's password. A wrong one counts as a failed log-in and is an issue on
 * `field`.
 */
export async function requirePassword(
  by: By & { ctx: Context },
  user: PasswordHolder,
  field: string,
  password: string,
) {
  const { ctx } = by
  const right = await trySecret(ctx, attemptOf(by, user), () => checkPassword(ctx, user, password))
  if (!right) throw invalidField(field, t('{field} is incorrect', { field }))
}
