import { randomInt, timingSafeEqual } from 'node:crypto'
import {
  ACTIVATION_CODE_INVALID,
  CODE_RATE_LIMITED,
  REGISTRATION_CODE_DIGITS,
  t,
} from '@switchroom/contract'
import { z } from 'zod'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { hourly } from '../../live/hourly.ts'

/**
 * Registrations with unverified addresses. Nothing is in the platform's tables yet. One for an address that
 * has an account looks the same from outside; only its mail differs.
 */
export type Pending = NewUser | NewAddress

const NewUser = z.object({
  kind: z.literal('user'),
  email: z.string(),
  hashed_password: z.string(),
  account_sid: z.string(),
  service_provider_sid: z.string(),
  inviteCode: z.string().optional(),
  /** The session of the token that was handed out already. */
  session_sid: z.string().optional(),
  /** The user who gets this log-in in place of the current one. */
  replaces: z.string().optional(),
})
type NewUser = z.infer<typeof NewUser>

/** A logged-in user who changes the email. */
const NewAddress = z.object({ kind: z.literal('address'), email: z.string() })
type NewAddress = z.infer<typeof NewAddress>

const kept = { code: z.string().optional(), begun_at: z.number() }
const Kept = z.discriminatedUnion('kind', [NewUser.extend(kept), NewAddress.extend(kept)])
type Kept = z.infer<typeof Kept>

/** How long a code is valid, in seconds. */
const SECONDS = 900
const TRIES = 5
/** Codes that a registration may request, and the pause between them. */
const CODES = 4
const APART_SECONDS = 30
/** Codes per mailbox and hour, over all callers, which also limits guessing for an address. */
const TO_MAILBOX = 5

const key = (user_sid: string) => `switchroom:registration:${user_sid}`
const triesKey = (user_sid: string) => `${key(user_sid)}:tries`
const codesKey = (user_sid: string) => `${key(user_sid)}:codes`
const waitKey = (user_sid: string) => `${key(user_sid)}:wait`

export const codeWrong = () => new Failure('invalid', ACTIVATION_CODE_INVALID)

const newCode = () =>
  String(randomInt(10 ** REGISTRATION_CODE_DIGITS)).padStart(REGISTRATION_CODE_DIGITS, '0')

/** Stores a registration with a new code. Resolves to the code, or to undefined at the mailbox's limit. */
export async function createCode(
  ctx: Context,
  user_sid: string,
  pending: Pending,
  begun_at = Date.now(),
) {
  const { live, box } = ctx
  const enough = await hourly(ctx, `registration-mails:${box.digest(pending.email)}`, TO_MAILBOX)
  const code = enough > 0 ? undefined : newCode()
  const kept: Kept = {
    ...pending,
    begun_at,
    ...(code && { code: box.digest(`${user_sid} ${code}`) }),
  }
  await live.remove(triesKey(user_sid))
  await live.set(waitKey(user_sid), '1', APART_SECONDS)
  await live.set(key(user_sid), JSON.stringify(kept), SECONDS)
  return code
}

const find = async ({ live }: Context, user_sid: string) => {
  const [kept] = await live.get(key(user_sid))
  return kept === undefined ? undefined : Kept.parse(JSON.parse(kept))
}

/** Creates another code for a registration. Throws 400 for an unknown one, 429 at the limit. */
export async function again(ctx: Context, user_sid: string) {
  const kept = await find(ctx, user_sid)
  if (!kept) throw new Failure('invalid', t('invalid user_sid'))
  const [waiting] = await ctx.live.get(waitKey(user_sid))
  const tooOften = (retry_after: number) =>
    new Failure('too_many', CODE_RATE_LIMITED, { retry_after })
  if (waiting) throw tooOften(APART_SECONDS)
  if ((await ctx.live.increment(codesKey(user_sid), SECONDS)) >= CODES) throw tooOften(SECONDS)
  const { code: _, begun_at, ...pending } = kept
  return { pending, code: await createCode(ctx, user_sid, pending, begun_at) }
}

const equal = (a: string, b: string) =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** The registration that a code belongs to. Throws 400, always with the same message. */
export async function checkCode(ctx: Context, user_sid: string, code: string) {
  const kept = await find(ctx, user_sid)
  if (!kept) throw codeWrong()
  // counted first, so that parallel guesses count as well
  if ((await ctx.live.increment(triesKey(user_sid), SECONDS)) > TRIES) throw codeWrong()
  const { code: expected, ...begun } = kept
  if (!expected || !equal(expected, ctx.box.digest(`${user_sid} ${code}`))) throw codeWrong()
  return begun
}

export const forget = ({ live }: Context, user_sid: string) =>
  live.remove(key(user_sid), triesKey(user_sid), codesKey(user_sid), waitKey(user_sid))
