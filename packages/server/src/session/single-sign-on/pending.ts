import { randomBytes } from 'node:crypto'
import { SINGLE_SIGN_ON_EXPIRED } from '@switchroom/contract'
import { z } from 'zod'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import type { Secrets } from './provider.ts'

/** A log-in that waits for the browser to come back from the identity provider. */
const Pending = z.object({
  state: z.string(),
  code_verifier: z.string(),
  nonce: z.string(),
  /** A digest of the starting browser's cookie. */
  browser: z.string(),
  /** The issuer and client that the browser was sent to. */
  client: z.string(),
})
type Pending = z.infer<typeof Pending>

const SECONDS = 600
const key = ({ box }: Context, state: string) => `switchroom:sso:${box.digest(state)}`
const random = () => randomBytes(32).toString('base64url')

export const newSecrets = (): Secrets => ({
  state: random(),
  code_verifier: random(),
  nonce: random(),
})

export async function keep(ctx: Context, browser: string, client: string, secrets: Secrets) {
  const pending: Pending = { ...secrets, browser: ctx.box.digest(browser), client }
  await ctx.live.set(key(ctx, secrets.state), ctx.box.seal(JSON.stringify(pending)), SECONDS)
}

const expired = () => new Failure('forbidden', SINGLE_SIGN_ON_EXPIRED)

/** Takes a pending log-in, once. Throws 403 for another browser, another client, and the second time. */
export async function take(
  ctx: Context,
  browser: string | undefined,
  client: string,
  state: string,
): Promise<Secrets> {
  const [kept] = await ctx.live.get(key(ctx, state))
  const text = kept && ctx.box.open(kept)
  const pending = text ? Pending.parse(JSON.parse(text)) : undefined
  if (!browser || !pending || pending.browser !== ctx.box.digest(browser)) throw expired()
  if (pending.client !== client) throw expired()
  // of two parallel requests with one state, only the first continues
  if ((await ctx.live.increment(`${key(ctx, state)}:used`, SECONDS)) > 1) throw expired()
  await ctx.live.remove(key(ctx, state))
  return pending
}
