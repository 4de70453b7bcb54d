import { session, settings, users } from '@switchroom/contract'
import { queryClient, send, sendVia } from './api'
import { capabilities } from './capabilities'
import { claims, forget, passwordChanged, setToken } from './session'
import { overFetchAs } from './transport'

// apart from session.ts, and loaded when first needed: the log-in page can be read without the contract

export async function signIn(username: string, password: string) {
  const reply = await send(session.login, { body: { username, password } })
  // nothing that an earlier user was shown
  queryClient.clear()
  setToken(reply.token)
  return reply
}

/** In the hosted variant, where people register with an address and not with a name. */
export async function signInByEmail(email: string, password: string) {
  const reply = await send(session.signIn, { body: { email, password } })
  queryClient.clear()
  setToken(reply.jwt)
  return reply
}

/** The server ends the session; whether it could be told or not, this browser forgets it. */
export async function signOut() {
  await send(session.logout, {}).catch(() => undefined)
  forget()
}

export async function renew() {
  const { token } = await send(session.renew, {})
  setToken(token)
}

/** After a forced change the token still demands one. A fresh one does not, where there is one to have. */
export async function renewAfterChange(user_sid: string) {
  passwordChanged(user_sid)
  if (claims()?.force_change && (await capabilities())) await renew().catch(() => undefined)
}

export const passwordRules = () => send(settings.passwordSettings, {})
export const passwordRulesAs = (bearer: string) =>
  sendVia(overFetchAs(bearer), settings.passwordSettings, {})

export const replacePassword = (user_sid: string, old_password: string, new_password: string) =>
  send(users.update, { params: { user_sid }, body: { old_password, new_password } })

export const forgotPassword = (email: string) => send(session.forgotPassword, { body: { email } })

export const exchangeLink = (link: string) => send(session.signIn, { body: { link } })

export const changePassword = (bearer: string, old_password: string, new_password: string) =>
  sendVia(overFetchAs(bearer), session.changePassword, { body: { old_password, new_password } })
