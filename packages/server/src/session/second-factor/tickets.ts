import { randomBytes } from 'node:crypto'
import { LOG_IN_EXPIRED } from '@switchroom/contract'
import { z } from 'zod'
import { refuseDeactivated } from '../../http/authenticate.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { endedSince } from '../../http/sessions.ts'
import * as users from '../../users/queries.ts'

/** Time limit of the second step, in seconds. */
const SECONDS = 300

/** A log-in whose first step is done. It is no session: it is good for the second step and nothing else. */
const Ticket = z.object({
  user_sid: z.string(),
  method: z.enum(['password', 'github', 'google', 'reset_link', 'single_sign_on']),
  begun_at: z.number(),
  /** Sid of the session to begin, if a session of an identity provider is kept for it. */
  session_sid: z.string().optional(),
})
export type Ticket = z.infer<typeof Ticket>

const key = (ctx: Context, ticket: string) =>
  `switchroom:second-factor-ticket:${ctx.box.digest(ticket)}`

const expired = () => new Failure('forbidden', LOG_IN_EXPIRED)

export async function newTicket(ctx: Context, ticket: Omit<Ticket, 'begun_at'>) {
  const text = randomBytes(32).toString('base64url')
  const kept: Ticket = { ...ticket, begun_at: Date.now() }
  await ctx.live.set(key(ctx, text), JSON.stringify(kept), SECONDS)
  return text
}

/** The log-in of a ticket, with its user. Throws 403 when it is over, also by a new password. */
export async function openTicket(ctx: Context, text: string) {
  const [kept] = await ctx.live.get(key(ctx, text))
  if (kept === undefined) throw expired()
  const ticket = Ticket.parse(JSON.parse(kept))
  const user = await users.withSid(ctx.db, ticket.user_sid)
  if (!user) throw expired()
  if (await endedSince(ctx.db, user.user_sid, ticket.begun_at)) throw expired()
  await refuseDeactivated(ctx, user)
  return { ...ticket, user }
}

/** Uses a ticket up. Of two parallel log-ins with one ticket, only the first continues. */
export async function closeTicket(ctx: Context, text: string) {
  if ((await ctx.live.increment(`${key(ctx, text)}:used`, SECONDS)) > 1) throw expired()
  await ctx.live.remove(key(ctx, text))
}
