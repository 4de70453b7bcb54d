import { session, settings, users } from '@switchroom/contract'
import { queryClient, send, sendVia } from './api'
import { capabilities } from './capabilities'
import { messageOf, statusOf } from './failure'
import { claims, forget, passwordChanged, SIGNED_OUT, setToken } from './session'
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

/** This browser forgets the session whether the server has ended it or not, and says which. */
export async function signOut() {
  const failure = await send(session.logout, {}).then(
    () => undefined,
    (e: unknown) => e,
  )
  // a refused token is one whose session has ended already
  if (failure === undefined || statusOf(failure) === 401)
    return forget({ text: SIGNED_OUT, good: true })
  forget({
    text: `You are logged out in this browser only. The session stays open on the server until it expires: ${messageOf(failure)}`,
    good: false,
  })
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

/** Undefined where they cannot be read: the server holds to them all the same. */
export const passwordRules = () => send(settings.passwordSettings, {}).catch(() => undefined)
export const passwordRulesAs = (bearer: string) =>
  sendVia(overFetchAs(bearer), settings.passwordSettings, {}).catch(() => undefined)

export const replacePassword = (user_sid: string, old_password: string, new_password: string) =>
  send(users.update, { params: { user_sid }, body: { old_password, new_password } })

export const forgotPassword = (email: string) => send(session.forgotPassword, { body: { email } })

export const exchangeLink = (link: string) => send(session.signIn, { body: { link } })

export const changePassword = (bearer: string, old_password: string, new_password: string) =>
  sendVia(overFetchAs(bearer), session.changePassword, { body: { old_password, new_password } })
