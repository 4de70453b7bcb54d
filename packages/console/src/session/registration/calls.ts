import { queryClient, sendVia } from '../../lib/api'
import { registration } from '../../lib/endpoints'
import { adoptSession } from '../../lib/log-in-calls'
import { setToken } from '../../lib/session'
import { fetchTransportAs } from '../../lib/transport'
import { registrationState } from './registration-state'

/** Without the session's token, which would make this another log-in of that account. */
const unauthenticated = fetchTransportAs('')

/** Throws 404 for an invalid code. The code is used up later, when the account is created. */
export const checkInvite = (code: string) =>
  sendVia(unauthenticated, registration.useInviteCode, { body: { code, test: true } })

const invited = () => {
  const inviteCode = registrationState.invite.read()
  return inviteCode ? { inviteCode } : {}
}

export async function registerByEmail(email: string, password: string) {
  const body = { provider: 'local' as const, email, password, ...invited() }
  const { jwt, user_sid } = await sendVia(unauthenticated, registration.register, { body })
  registrationState.pending.set({ jwt, user_sid, email })
}

export async function registerWithOAuth(
  provider: 'google' | 'github',
  answer: { oauth2_code: string; oauth2_state: string; oauth2_iss: string | undefined },
  locationBeforeAuth: string,
) {
  const body = { provider, ...answer, ...invited(), locationBeforeAuth }
  const { jwt, ...begun } = await sendVia(unauthenticated, registration.register, { body })
  await adoptSession({ ...begun, token: jwt })
}

export const checkCode = (user_sid: string, code: string) =>
  sendVia(unauthenticated, registration.checkCode, {
    params: { code },
    body: { user_sid, type: 'email' },
  })

export const sendCode = (user_sid: string) =>
  sendVia(unauthenticated, registration.sendCode, { body: { user_sid, type: 'email' } })

/** Signs the user in. */
export function startSession(jwt: string) {
  queryClient.clear()
  setToken(jwt)
}
