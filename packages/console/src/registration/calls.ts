import { call, registration, users } from '@switchroom/contract'
import { query, queryClient } from '../lib/api'
import { capabilities } from '../lib/capabilities'
import { config } from '../lib/config'
import { callbackAddress, clientId } from '../lib/oauth'
import { setToken } from '../lib/session'
import { overFetchAs } from '../lib/transport'
import { kept } from './kept'

/** Whoever registers is nobody yet: with somebody's token it would be that account's second log-in. */
const asNobody = overFetchAs('')

/** What a stock API server takes from its console, and ours knows itself. */
const forStock = async (more: object): Promise<object> =>
  (await capabilities())
    ? {}
    : { service_provider_sid: config.DEFAULT_SERVICE_PROVIDER_SID, ...more }

/** Throws 404 for one that is not good. It is used up later, with the account. */
export const checkInvite = (code: string) =>
  call(asNobody, registration.useInviteCode, { body: { code, test: true } })

const invited = () => {
  const inviteCode = kept.invite.read()
  return inviteCode ? { inviteCode } : {}
}

const sixDigits = () =>
  String(crypto.getRandomValues(new Uint32Array(1))[0]! % 1_000_000).padStart(6, '0')

export async function registerByEmail(email: string, password: string) {
  const stock = await forStock({ email_activation_code: sixDigits() })
  const body = { provider: 'local' as const, email, password, ...invited(), ...stock }
  const { jwt, user_sid } = await call(asNobody, registration.register, { body })
  kept.pending.keep({ jwt, user_sid, email })
}

export async function registerElsewhere(
  provider: 'google' | 'github',
  answer: { oauth2_code: string; oauth2_state: string; oauth2_iss: string | undefined },
  locationBeforeAuth: string,
) {
  const stock = await forStock({
    oauth2_client_id: clientId(provider),
    oauth2_redirect_uri: callbackAddress(provider),
    locationBeforeAuth,
  })
  const body = { provider, ...answer, ...invited(), ...stock }
  const { jwt } = await call(asNobody, registration.register, { body })
  enter(jwt)
}

export const checkCode = (user_sid: string, code: string) =>
  call(asNobody, registration.checkCode, { params: { code }, body: { user_sid, type: 'email' } })

export const sendCode = (user_sid: string) =>
  call(asNobody, registration.sendCode, { body: { user_sid, type: 'email' } })

/** From here on the person is signed in. */
export function enter(jwt: string) {
  queryClient.clear()
  setToken(jwt)
}

/** The signed-in user with the account, as it is now. */
export async function me() {
  const { account, sp } = await queryClient.fetchQuery({ ...query(users.me, {}), staleTime: 0 })
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return {
    account_sid: text(account.account_sid),
    sip_realm: text(account.sip_realm),
    // in the hosted variant a stock server says it of the account, and nothing of the provider
    root_domain: text(account.root_domain) || text(sp?.root_domain),
  }
}
