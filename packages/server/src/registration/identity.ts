import type { OAuthProvider } from '@switchroom/contract'

/** Who somebody is elsewhere. */
export type Identity = {
  /** Never another person's, whatever becomes of names and addresses there. */
  id: string
  /** How a stock API server has stored this person, where that is something else. */
  formerly?: string
  email: string
  /** Whether the provider has seen the address to be the person's own. */
  email_verified: boolean
}

/** What the server keeps of a sign-in that is under way elsewhere. */
export type Secrets = { state: string; code_verifier: string; nonce: string }
export type Callback = { code: string; state: string; iss: string | undefined }

export type IdentityProvider = {
  /** Where the browser is to go. */
  authorize: (redirect_uri: string, secrets: Secrets) => Promise<string>
  /** Exchanges the code. Throws what the library, the network or the time limit throws. */
  identify: (redirect_uri: string, secrets: Secrets, callback: Callback) => Promise<Identity>
}

/** Those that are configured. */
export type IdentityProviders = Partial<Record<OAuthProvider, IdentityProvider>>

/** For everything that is asked of a provider while a person waits. */
export const SECONDS = 10
