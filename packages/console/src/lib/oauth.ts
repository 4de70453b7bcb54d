import { type LocationBeforeAuth, type OAuthProvider, registration } from '@switchroom/contract'
import { send } from './api'
import { capabilities } from './capabilities'
import { config } from './config'

// one for each try, so that two tabs do not take each other's away
const key = (state: string) => `oauth-state:${state}`

export const callbackAddress = (provider: OAuthProvider) =>
  `${location.origin}/oauth-callback/${provider}`

export const clientId = (provider: OAuthProvider) =>
  provider === 'google' ? config.GOOGLE_CLIENT_ID : config.GITHUB_CLIENT_ID

/** Leaves for the provider, which sends the browser back to the callback screen. */
export async function goToProvider(
  provider: OAuthProvider,
  locationBeforeAuth: LocationBeforeAuth,
) {
  const url = (await capabilities())
    ? (await send(registration.authorize, { body: { provider, locationBeforeAuth } })).url
    : stockAddress(provider)
  const state = new URL(url).searchParams.get('state')
  if (state) localStorage.setItem(key(state), locationBeforeAuth)
  location.assign(url)
}

/** Where a try of this browser was begun. Undefined: it was not, or its answer was taken before. */
export function takeOAuthState(state: string): LocationBeforeAuth | undefined {
  const found = localStorage.getItem(key(state))
  localStorage.removeItem(key(state))
  return found === '/register' || found === '/sign-in' ? found : undefined
}

/** A stock API server leaves it to its console to know the providers, and to make the state. */
function stockAddress(provider: OAuthProvider) {
  const common = { client_id: clientId(provider) ?? '', state: crypto.randomUUID() }
  if (provider === 'github')
    return `https://github.com/login/oauth/authorize?${new URLSearchParams({
      ...common,
      scope: 'user:email',
      allow_signup: 'false',
    })}`
  return `https://accounts.google.com/o/oauth2/v2/auth?${new URLSearchParams({
    ...common,
    scope: 'email profile',
    access_type: 'offline',
    include_granted_scopes: 'true',
    response_type: 'code',
    redirect_uri: callbackAddress(provider),
  })}`
}
