/**
 * The page configuration: written by the server into /config.js at run time as `window.SWITCHROOM`,
 * read by the console. Never baked into the build.
 */
export type PageConfig = {
  /** Base of all API calls, without a slash at its end. Undefined: this origin, /api/v1. */
  API_BASE_URL?: string
  DISABLE_LCR?: boolean
  DISABLE_JAEGER_TRACING?: boolean
  DISABLE_CALL_RECORDING?: boolean
  DISABLE_CUSTOM_SPEECH?: boolean
  DISABLE_ADDITIONAL_SPEECH_VENDORS?: boolean
  ENABLE_FORGOT_PASSWORD?: boolean
  ENABLE_HOSTED_SYSTEM?: boolean
  /** Carriers and numbers are the provider's business: account users may not add or delete them. */
  ADMIN_CARRIER?: boolean
  /** Only admins choose a carrier's default application. */
  DISABLE_DEFAULT_TRUNK_ROUTING?: boolean
  /** All usage categories are shown, not only the number of calls. */
  ENABLE_ACCOUNT_LIMITS_ALL?: boolean
  AWS_REGION?: string
  DEFAULT_SERVICE_PROVIDER_SID?: string
  /** Set where people may sign up and in through GitHub; Google alike. */
  GITHUB_CLIENT_ID?: string
  GOOGLE_CLIENT_ID?: string
  /** Only whoever has an invite code may register. */
  INVITE_ONLY?: boolean
  /** What whoever registers accepts; without an address there is nothing to link to. */
  TERMS_URL?: string
  PRIVACY_URL?: string
  STRIPE_PUBLISHABLE_KEY?: string
  /** Set when the API is this server: what it can do, known without asking. */
  capabilities?: import('./system.ts').Capabilities
}
