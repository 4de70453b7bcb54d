import type { LocationBeforeAuth, OAuthProvider } from '@switchroom/contract'
import { send } from '../lib/api'
import { registration } from '../lib/endpoints'

// one key per attempt, so that two tabs do not interfere
const key = (state: string) => `oauth-state:${state}`

/** Sends the browser to the OAuth provider, which redirects back to the callback screen. */
export async function goToProvider(
  provider: OAuthProvider,
  locationBeforeAuth: LocationBeforeAuth,
) {
  const { url } = await send(registration.authorize, { body: { provider, locationBeforeAuth } })
  const state = new URL(url).searchParams.get('state')
  if (state) localStorage.setItem(key(state), locationBeforeAuth)
  location.assign(url)
}

/** The page where this attempt started; undefined if it did not start in this browser, or is over. */
export function takeOAuthReturnPath(state: string): LocationBeforeAuth | undefined {
  const place = localStorage.getItem(key(state))
  localStorage.removeItem(key(state))
  return place === '/register' || place === '/sign-in' ? place : undefined
}
