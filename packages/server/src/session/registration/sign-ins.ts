import { randomBytes } from 'node:crypto'
import {
  INVALID_STATE,
  LOCATIONS_BEFORE_AUTH,
  type LocationBeforeAuth,
  notAnOAuthProvider,
  OAUTH_PROVIDER_NAMES,
  OAUTH_PROVIDERS,
  type OAuthProvider,
  t,
} from '@switchroom/contract'
import { z } from 'zod'
import type { Config } from '../../config/config.ts'
import { errorCode, errorMember } from '../../errors/members.ts'
import type { Context } from '../../http/context.ts'
import { Failure, invalidField } from '../../http/failure.ts'
import type { Identity, IdentityProvider, IdentityProviders } from './identity.ts'

/** A sign-in that is pending at a provider. */
const SignIn = z.object({
  state: z.string(),
  code_verifier: z.string(),
  nonce: z.string(),
  provider: z.enum(OAUTH_PROVIDERS),
  /** A digest of the starting browser's cookie. */
  browser: z.string(),
  locationBeforeAuth: z.enum(LOCATIONS_BEFORE_AUTH),
})
type SignIn = z.infer<typeof SignIn>

const SECONDS = 600
const key = (ctx: Context, state: string) => `switchroom:oauth:${ctx.box.digest(state)}`
const random = () => randomBytes(32).toString('base64url')
const returnTo = ({ base_url }: Config, provider: OAuthProvider) =>
  `${base_url}/oauth-callback/${provider}`

const loaded = new WeakMap<Config, Promise<IdentityProviders>>()

/** Loads the OAuth library on first use. */
async function providers(config: Config): Promise<IdentityProviders> {
  const load = async () => {
    const { google, github } = config.oauth
    const open: IdentityProviders = {}
    if (google) open.google = (await import('./google.ts')).google(google)
    if (github) open.github = (await import('./github.ts')).github(github)
    return open
  }
  const provider = loaded.get(config) ?? load()
  loaded.set(config, provider)
  return provider
}

async function providerOf(ctx: Context, provider: OAuthProvider): Promise<IdentityProvider> {
  const open = (await providers(ctx.config))[provider]
  if (!open) throw invalidField('provider', notAnOAuthProvider(provider))
  return open
}

/** The provider's OAuth error code. GitHub sends it with status 200, and the library wraps both. */
function refusalOf(e: unknown, depth = 0): unknown {
  if (depth > 4 || typeof e !== 'object' || e === null) return undefined
  return (
    errorMember(e, 'error') ??
    refusalOf(errorMember(e, 'body'), depth + 1) ??
    refusalOf(errorMember(e, 'cause'), depth + 1)
  )
}

/** An error without the provider's own message, which may hold secrets. */
const failedAt = (provider: OAuthProvider, cause: unknown) => {
  const expired = ['bad_verification_code', 'invalid_grant'].includes(String(refusalOf(cause)))
  return new Failure(
    'forbidden',
    expired
      ? t('bad verification code')
      : t('error retrieving access_token from {provider}', {
          provider: OAUTH_PROVIDER_NAMES[provider],
        }),
    { cause },
  )
}

/** Starts a sign-in and resolves to the provider's URL. The secrets stay on the server. */
export async function beginSignIn(
  ctx: Context,
  provider: OAuthProvider,
  browser: string,
  locationBeforeAuth: LocationBeforeAuth,
) {
  const elsewhere = await providerOf(ctx, provider)
  const secrets = { state: random(), code_verifier: random(), nonce: random() }
  const signIn: SignIn = {
    ...secrets,
    provider,
    browser: ctx.box.digest(browser),
    locationBeforeAuth,
  }
  const url = await elsewhere.authorize(returnTo(ctx.config, provider), secrets).catch((cause) => {
    const message = t('{name} cannot be reached right now', {
      name: OAUTH_PROVIDER_NAMES[provider],
    })
    throw new Failure('vendor_failed', message, { cause })
  })
  await ctx.live.set(key(ctx, secrets.state), ctx.box.seal(JSON.stringify(signIn)), SECONDS)
  return url
}

const invalidState = () => new Failure('forbidden', INVALID_STATE)

/** Takes the pending sign-in of a state, once. Throws 403 when it belongs to another browser or provider. */
async function resumeSignIn(ctx: Context, provider: OAuthProvider, browser: string, state: string) {
  const [kept] = await ctx.live.get(key(ctx, state))
  const text = kept && ctx.box.open(kept)
  const signIn = text ? SignIn.parse(JSON.parse(text)) : undefined
  if (signIn?.provider !== provider || signIn.browser !== ctx.box.digest(browser))
    throw invalidState()
  // of two parallel requests with one state, only the first continues
  if ((await ctx.live.increment(`${key(ctx, state)}:used`, SECONDS)) > 1) throw invalidState()
  await ctx.live.remove(key(ctx, state))
  return signIn
}

/** Completes a sign-in. Throws 403 when the state, code or browser does not match. */
export async function finish(
  ctx: Context,
  provider: OAuthProvider,
  browser: string | undefined,
  callback: { code: string; state: string; iss: string | undefined },
): Promise<{ identity: Identity; locationBeforeAuth: LocationBeforeAuth }> {
  const elsewhere = await providerOf(ctx, provider)
  if (!browser) throw invalidState()
  const { locationBeforeAuth, ...secrets } = await resumeSignIn(
    ctx,
    provider,
    browser,
    callback.state,
  )
  const identity = await elsewhere
    .identify(returnTo(ctx.config, provider), secrets, callback)
    .catch((e) => {
      ctx.log.info({ provider, code: errorCode(e) }, 'OAuth sign-in failed')
      throw failedAt(provider, e)
    })
  return { identity, locationBeforeAuth }
}
