import { t } from '@switchroom/contract'
import { send } from './api'
import { capabilities } from './capabilities'
import { session, settings, singleSignOn, users } from './endpoints'
import { messageOf, statusOf } from './failure'
import {
  claims,
  clearSession,
  markPasswordChanged,
  SIGNED_OUT,
  setToken,
  whileEnding,
} from './session'

// apart from session.ts and loaded on demand, so that the log-in page renders without the contract

type Reach = 'here' | 'everywhere'

/** Ends the session. Resolves to the address that logs out at the identity provider, if it began there. */
async function endSession(reach: Reach): Promise<string | null> {
  const query = reach === 'everywhere' ? { everywhere: 1 as const } : {}
  const hasSingleSignOn = (await capabilities().catch(() => undefined))?.single_sign_on
  if (hasSingleSignOn) return (await send(singleSignOn.logOut, { query })).url
  await send(session.logout, { query })
  return null
}

/**
 * Logs out in this browser even if the server could not end the session, and says which. Servers that know users and not
 * sessions log out everywhere.
 */
export const logOut = (reach: Reach = 'here') => whileEnding(() => endHere(reach))

async function endHere(reach: Reach) {
  let elsewhere: string | undefined
  const failure = await endSession(reach).then(
    (url) => {
      elsewhere = url ?? undefined
    },
    (e: unknown) => e,
  )
  // an invalid token means the session has ended already
  if (failure === undefined || statusOf(failure) === 401) {
    clearSession({ text: SIGNED_OUT, good: true }, elsewhere)
    return
  }
  clearSession({
    text:
      reach === 'everywhere'
        ? t(
            'You are logged out in this browser only. Your sessions stay open on the server: {message}',
            { message: messageOf(failure) },
          )
        : t(
            'You are logged out in this browser only. The session stays open on the server until it expires: {message}',
            { message: messageOf(failure) },
          ),
    good: false,
  })
}

export async function renew() {
  const { token } = await send(session.renew, {})
  setToken(token)
}

/** After a forced change the old token still demands one; a renewed token, if there is one, does not. */
export async function renewAfterChange(user_sid: string) {
  markPasswordChanged(user_sid)
  if (claims()?.force_change && (await capabilities())) await renew().catch(() => undefined)
}

/** Undefined if they cannot be read; the server enforces them anyway. */
export const passwordRules = () => send(settings.passwordSettings, {}).catch(() => undefined)
export const replacePassword = (user_sid: string, old_password: string, new_password: string) =>
  send(users.update, { params: { user_sid }, body: { old_password, new_password } })
