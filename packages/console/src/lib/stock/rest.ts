import { ApiError, type OAuthProvider, t } from '@switchroom/contract'
import { config } from '../config'
import {
  accountRecentCalls,
  apiKeys,
  providerRecentCalls,
  recentCalls,
  registration,
  settings,
} from '../endpoints'
import { callbackAddress, clientId } from '../oauth-client'
import { notOffered } from './refuse'
import { on, withoutNulls } from './server'

const sixDigits = () =>
  String(crypto.getRandomValues(new Uint32Array(1))[0]! % 1_000_000).padStart(6, '0')

/** It leaves the OAuth URLs and the state to its console. */
function authorizeUrl(provider: OAuthProvider) {
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

/** Endpoints that belong to no other file here. */
export const forOtherEndpoints = [
  on(registration.authorize, async ({ body }) => ({ url: authorizeUrl(body.provider) })),

  on(
    registration.register,
    ({ body: { oauth2_iss: _, locationBeforeAuth, ...body } }, { send }) => {
      const { provider } = body
      const more =
        provider === 'local'
          ? { email_activation_code: sixDigits() }
          : {
              oauth2_client_id: clientId(provider),
              oauth2_redirect_uri: callbackAddress(provider),
              locationBeforeAuth,
            }
      const owner = { service_provider_sid: config.DEFAULT_SERVICE_PROVIDER_SID }
      const whole: typeof body = { ...owner, ...body, ...more }
      return send(registration.register, { body: whole })
    },
  ),

  on(apiKeys.create, async ({ body }, { send }) => {
    const { account_sid, service_provider_sid, expiry_secs, ...limits } = body
    if (expiry_secs) throw notOffered(t('This server does not offer API keys that expire.'))
    if (Object.values(limits).some(Boolean))
      throw notOffered(t('This server does not offer API keys with a name or limits.'))
    return send(apiKeys.create, { body: withoutNulls({ account_sid, service_provider_sid }) })
  }),

  // without stored rules it returns only a length
  on(settings.passwordSettings, async (_, { send }) => {
    const stored = await send(settings.passwordSettings, {})
    return {
      ...stored,
      require_digit: stored.require_digit ?? 0,
      require_special_character: stored.require_special_character ?? 0,
    }
  }),

  // a single call counts as a list
  on(recentCalls.view, async ({ params }, { send, user, provider }) => {
    const query = { page: 1, count: 1, days: 30, filter: params.call_id }
    const account_sid = user?.scope === 'account' ? user.account_sid : undefined
    const { data } = account_sid
      ? await send(accountRecentCalls.list, { params: { account_sid }, query })
      : await send(providerRecentCalls.list, {
          params: { service_provider_sid: await provider() },
          query,
        })
    if (data[0]) return data[0]
    const msg = t('Call not found, or its record has expired.')
    throw new ApiError(404, { code: 'not_found', msg, request_id: '', issues: [] })
  }),
]
