import { type LocationBeforeAuth, type OAuthProvider, registration } from '@switchroom/contract'
import { send } from '../lib/api'

// one for each try, so that two tabs do not take each other's away
const key = (state: string) => `oauth-state:${state}`

/** Leaves for the provider, which sends the browser back to the callback screen. */
export async function goToProvider(
  provider: OAuthProvider,
  locationBeforeAuth: LocationBeforeAuth,
) {
  const { url } = await send(registration.authorize, { body: { provider, locationBeforeAuth } })
  const state = new URL(url).searchParams.get('state')
  if (state) localStorage.setItem(key(state), locationBeforeAuth)
  location.assign(url)
}

/** Where a try of this browser was begun. Undefined: it was not, or its answer was taken before. */
export function takeOAuthState(state: string): LocationBeforeAuth | undefined {
  const place = localStorage.getItem(key(state))
  localStorage.removeItem(key(state))
  return place === '/register' || place === '/sign-in' ? place : undefined
}
