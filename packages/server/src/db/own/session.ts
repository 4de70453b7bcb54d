import type { Flag, ProgramAccess, ProgramUse, SessionMethod } from '@switchroom/contract'

export type SessionTables = {
  /** Sessions of the last months. The token's id is `session_sid`; nothing here works as a token. */
  switchroom_sessions: {
    session_sid: string
    user_sid: string
    method: SessionMethod
    /** Milliseconds, like all times of these two tables. */
    began_at: number
    ip: string
    user_agent: string
    last_seen_at: number
    last_ip: string
    /** When its newest token expires. */
    ends_at: number
    ended_at: number | null
    /** 1 if the user must choose a new password before anything else. */
    force_change: number
  }
  /** Programs that people may connect, as OAuth clients. */
  switchroom_programs: {
    program_sid: string
    name: string
    /** JSON. */
    redirect_uris: string
    is_self_registered: number
    created_at: string
  }
  /** Grants of a program's sessions: what each may do, and for whom. */
  switchroom_program_grants: {
    session_sid: string
    client_id: string
    name: string
    program_use: ProgramUse
    access: ProgramAccess
    /** JSON: the person's `TokenClaims` of then, as a session token has them. */
    claims: string
  }
  /** Codes, tokens and unfinished requests of programs, by a digest. Nothing here works as a token. */
  switchroom_program_tokens: {
    token_digest: string
    /** Null before there is one. */
    session_sid: string | null
    sealed: string
    consumed_at: number | null
    expires_at: number
  }
  /** When all of a user's sessions were last ended, for tokens of stock servers that have no row yet. */
  switchroom_session_ends: { user_sid: string; ended_at: number }
  /** Authenticator apps. */
  switchroom_totp: {
    user_sid: string
    sealed_secret: string
    /** The time step of the last accepted code: older codes, and this one, are refused. */
    last_step: number
    /** ISO 8601, UTC, like all times of these tables. */
    created_at: string
  }
  switchroom_passkeys: {
    passkey_sid: string
    user_sid: string
    name: string
    /** SHA-256 of the credential's id. */
    credential_hash: string
    /** Base64url, like the COSE public key. */
    credential_id: string
    public_key: string
    counter: number
    /** Comma-separated. */
    transports: string
    created_at: string
    last_used_at: string | null
  }
  /** Unused recovery codes, as keyed digests. */
  switchroom_recovery_codes: { user_sid: string; code_digest: string; created_at: string }
  /** Second-factor policy for the users of a provider, or (empty) administrators. */
  switchroom_second_factor_policies: { owner: string; is_required: Flag }
  /** The single sign-on settings, in one row. */
  switchroom_single_sign_on: {
    id: number
    /** JSON (`StoredSettings`). */
    settings: string
    sealed_secret: string | null
    /** When somebody first logged in with the issuer and client in `tested_with`. ISO 8601, UTC. */
    tested_at: string | null
    tested_with: string | null
  }
  /** Local users who may log in with their password while single sign-on is enforced. */
  switchroom_break_glass: { user_sid: string }
  /** Users whom an identity provider or a directory manages. */
  switchroom_identities: {
    user_sid: string
    /** Digest of issuer and subject; null until the first log-in. */
    subject_digest: string | null
    issuer: string | null
    subject: string | null
    /** The `externalId` of SCIM, or the claim that equals it. */
    external_id: string | null
    directory_sid: string | null
    /** The SCIM attributes that the platform's table lacks, as JSON. */
    details: string
    /** 1 if a log-in or the directory deactivated the user, and may activate it again. */
    ended_by_provider: number
    /** Milliseconds. */
    created_at: number
    changed_at: number
  }
  /** Sessions that began with single sign-on, to end them there and here. */
  switchroom_provider_sessions: {
    provider_session_sid: string
    /** Null until it begins, which a second factor can delay. */
    session_sid: string | null
    user_sid: string
    /** Digest of the issuer and its session ID. */
    provider_session: string | null
    sealed_id_token: string
    /** Milliseconds. */
    begun_at: number
  }
}
