import type { Preferences, ShownBrand } from '@switchroom/contract'
import { queryClient, send, sendVia } from './api'
import { keepBrand, showBrandNow } from './brand'
import { session, settings } from './endpoints'
import { setToken } from './session'
import { fetchTransportAs } from './transport'

// what pages for people without a session ask for; loaded on demand, so that the log-in page renders without the contract

export async function signIn(username: string, password: string) {
  const reply = await send(session.login, { body: { username, password } })
  await adoptSession(reply)
  return reply
}

type Begun = {
  token: string
  preferences?: Preferences | undefined
  brand?: ShownBrand | null | undefined
}

/** Takes over a session that has begun, and how its user has the console look. Other servers keep nothing of it. */
export async function adoptSession({ token, preferences, brand }: Begun) {
  // drop everything cached for an earlier user
  queryClient.clear()
  setToken(token)
  if (brand !== undefined) keepBrand(brand)
  showBrandNow()
  if (preferences) (await import('./preferences')).takePreferences(preferences)
}

/** The hosted variant logs in with an email instead of a username. */
export async function signInByEmail(email: string, password: string) {
  const reply = await send(session.signIn, { body: { email, password } })
  await adoptSession({ ...reply, token: reply.jwt })
  return reply
}

/** Undefined if they cannot be read; the server enforces them anyway. */
export const passwordRulesAs = (bearer: string) =>
  sendVia(fetchTransportAs(bearer), settings.passwordSettings, {}).catch(() => undefined)

export const forgotPassword = (email: string) => send(session.forgotPassword, { body: { email } })

export const exchangeLink = (link: string) => send(session.signIn, { body: { link } })

export const changePassword = (bearer: string, old_password: string, new_password: string) =>
  sendVia(fetchTransportAs(bearer), session.changePassword, {
    body: { old_password, new_password },
  })
