import type { OAuthProvider } from '@switchroom/contract'

/** A person's identity at an OAuth provider. */
export type Identity = {
  /** A stable id that is never reused, even when names and addresses change. */
  id: string
  /** The id that a stock API server stored for this person, if different. */
  formerly?: string
  email: string
  /** True if the provider has verified the address. */
  email_verified: boolean
}

/** Server-side secrets of a pending sign-in at a provider. */
export type Secrets = { state: string; code_verifier: string; nonce: string }
export type Callback = { code: string; state: string; iss: string | undefined }

export type IdentityProvider = {
  /** Builds the URL to redirect the browser to. */
  authorize: (redirect_uri: string, secrets: Secrets) => Promise<string>
  /** Exchanges the code for an identity. Throws errors of the library or network, and time-outs. */
  identify: (redirect_uri: string, secrets: Secrets, callback: Callback) => Promise<Identity>
}

/** The configured providers. */
export type IdentityProviders = Partial<Record<OAuthProvider, IdentityProvider>>

/** Time limit of requests to a provider while a user waits, in seconds. */
export const SECONDS = 10
