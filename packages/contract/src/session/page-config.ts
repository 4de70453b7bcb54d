/**
 * The page configuration: written by the server into /config.js at run time as `window.SWITCHROOM`,
 * read by the console. Never part of the build.
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
  /** Account users may not add or delete carriers and phone numbers. */
  ADMIN_CARRIER?: boolean
  /** Only admins may set a carrier's default application. */
  DISABLE_DEFAULT_TRUNK_ROUTING?: boolean
  /** Show all limit categories, not only concurrent calls. */
  ENABLE_ACCOUNT_LIMITS_ALL?: boolean
  AWS_REGION?: string
  DEFAULT_SERVICE_PROVIDER_SID?: string
  /** Enables sign-in with GitHub. The same for Google. */
  GITHUB_CLIENT_ID?: string
  GOOGLE_CLIENT_ID?: string
  /** Registration needs an invite code. */
  INVITE_ONLY?: boolean
  /** Links to the terms that registration asks to accept. */
  TERMS_URL?: string
  PRIVACY_URL?: string
  STRIPE_PUBLISHABLE_KEY?: string
  /** The brand of the host name that the page was asked for at. */
  brand?: import('../tenants/brands.ts').ShownBrand
  /** Set when the API is this server: its capabilities, without a request. */
  capabilities?: import('./system.ts').Capabilities
}
