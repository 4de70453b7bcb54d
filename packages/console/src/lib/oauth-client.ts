import type { OAuthProvider } from '@switchroom/contract'
import { config } from './config'

export const callbackAddress = (provider: OAuthProvider) =>
  `${location.origin}/oauth-callback/${provider}`

export const clientId = (provider: OAuthProvider) =>
  provider === 'google' ? config.GOOGLE_CLIENT_ID : config.GITHUB_CLIENT_ID
