import type { PageConfig } from '@switchroom/contract'
import type { Env } from './environment.ts'

/** The portal and the API server of the platform spell it differently. */
export const isHosted = (env: Env) => env.ENABLE_HOSTED_SYSTEM || env.JAMBONES_HOSTING

export function page(env: Env): PageConfig {
  return {
    ...(env.API_BASE_URL && { API_BASE_URL: env.API_BASE_URL.replace(/\/+$/, '') }),
    DISABLE_LCR: env.DISABLE_LCR,
    DISABLE_JAEGER_TRACING: env.DISABLE_JAEGER_TRACING,
    DISABLE_CALL_RECORDING: env.DISABLE_CALL_RECORDING,
    DISABLE_CUSTOM_SPEECH: env.DISABLE_CUSTOM_SPEECH,
    DISABLE_ADDITIONAL_SPEECH_VENDORS: env.DISABLE_ADDITIONAL_SPEECH_VENDORS,
    DISABLE_DEFAULT_TRUNK_ROUTING: env.DISABLE_DEFAULT_TRUNK_ROUTING,
    ENABLE_ACCOUNT_LIMITS_ALL: env.ENABLE_ACCOUNT_LIMITS_ALL,
    ENABLE_FORGOT_PASSWORD: env.ENABLE_FORGOT_PASSWORD,
    // the stock API server's name for it
    ENABLE_HOSTED_SYSTEM: isHosted(env),
    ...(env.GOOGLE_CLIENT_ID && { GOOGLE_CLIENT_ID: env.GOOGLE_CLIENT_ID }),
    ...(env.GITHUB_CLIENT_ID && { GITHUB_CLIENT_ID: env.GITHUB_CLIENT_ID }),
    INVITE_ONLY: env.SWITCHROOM_INVITE_ONLY,
    ...(env.SWITCHROOM_TERMS_URL && { TERMS_URL: env.SWITCHROOM_TERMS_URL }),
    ...(env.SWITCHROOM_PRIVACY_URL && { PRIVACY_URL: env.SWITCHROOM_PRIVACY_URL }),
    ADMIN_CARRIER: env.JAMBONES_ADMIN_CARRIER,
    ...(env.AWS_REGION && { AWS_REGION: env.AWS_REGION }),
    ...(env.DEFAULT_SERVICE_PROVIDER_SID && {
      DEFAULT_SERVICE_PROVIDER_SID: env.DEFAULT_SERVICE_PROVIDER_SID,
    }),
    ...(isHosted(env) &&
      env.STRIPE_PUBLISHABLE_KEY && { STRIPE_PUBLISHABLE_KEY: env.STRIPE_PUBLISHABLE_KEY }),
  }
}
