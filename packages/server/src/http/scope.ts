import type { Access, ApiKeyKind, AuditEntry, ChangeEntries } from '@switchroom/contract'
import type { Db } from '../db/open.ts'

/** Limits of an API key beside its scope; null is no limit. Times are ISO 8601. */
export type KeyLimits = {
  expires_at: string | null
  kinds: ApiKeyKind[] | null
  networks: string[] | null
}

type Caller = {
  /** Undefined for an API key. */
  user_sid?: string
  api_key_sid?: string
  /** Limits of an API key beside its scope. */
  key_limits?: KeyLimits
  /** The user's name, from the session; or the API key's. */
  name?: string
  /** Undefined for an API key. */
  session_sid?: string
  /** The program that acts for the user, with a part of the user's rights. */
  program?: { client_id: string; name: string }
  view_only: boolean
  /** True if the user must set a new password before anything else. */
  force_change: boolean
  /** Set if this user of an account may not manage its other users. */
  manages_itself_only?: true
  /** Set if the user must set up a second factor before anything else. */
  second_factor_due?: true
  /** Set if the account is deactivated for non-payment: it may only read, and pay. */
  unpaid?: true
}

/** Origin of a request, and its headers that handlers need. */
export type RequestMeta = {
  /** The caller's address, for throttling and the log. */
  ip: string
  /** User agent as sent by the client, cut to the length that is stored. */
  user_agent?: string | undefined
  request_id: string
  /** The version that a change was made from (`If-Match`). */
  version: string | undefined
  /** The browser's id, on endpoints that are bound to one browser. */
  browser?: string | undefined
  /** Body fields that the endpoint's schema does not take, as they were sent. */
  unknown_fields?: Record<string, unknown> | undefined
  /** The entries that this request undoes, by the sids of their subjects. */
  undoes?: ReadonlyMap<string, AuditEntry>
  /** Set when its change is in the audit log: the entries, or null if it cannot be undone. */
  change?: ChangeEntries | null
  /** Stores the answer to a creation, in its transaction; undefined without an `Idempotency-Key`. */
  remember?: (tx: Db, answer: object) => Promise<void>
}

/** The access of a caller: what it may see and change. Every query takes a scope, so that none can forget it. */
export type Scope = Caller &
  (
    | { role: 'admin' }
    | { role: 'service_provider'; service_provider_sid: string }
    | { role: 'account'; service_provider_sid: string; account_sid: string }
  )

/** Owner of resources that a caller adds for itself; none for administrators. */
export const ownerIn = (scope: Scope) => ({
  account_sid: scope.role === 'account' ? scope.account_sid : null,
  service_provider_sid: scope.role === 'admin' ? null : scope.service_provider_sid,
})

const RANK: Record<Access, number> = { admin: 3, service_provider: 2, account: 1, public: 0 }

export const mayAccess = (scope: Scope, access: Access) => RANK[scope.role] >= RANK[access]
