import type { Flag, Logo, RequestKind, RequestOutcome, TestHook } from '@switchroom/contract'

export type TenantTables = {
  /** Fields that the platform's table lacks. Keys created by a stock server get a row when they are used. */
  switchroom_api_keys: {
    api_key_sid: string
    name: string | null
    created_by: string | null
    view_only: Flag
    /** JSON array; null for all. */
    kinds: string | null
    /** JSON array of CIDR networks; null for any. */
    networks: string | null
    last_used_ip: string | null
    replaced_by: string | null
  }
  /** Look of the console for a provider's people. Null: the product's own. */
  switchroom_brands: {
    service_provider_sid: string
    name: string | null
    /** `#rrggbb` */
    color: string | null
    /** In base64. */
    logo_light: string | null
    logo_light_type: Logo['type'] | null
    /** SHA-256 of its bytes, in hex. */
    logo_light_digest: string | null
    logo_dark: string | null
    logo_dark_type: Logo['type'] | null
    logo_dark_digest: string | null
  }
  /** Host names whose log-in page has a provider's brand. */
  switchroom_brand_hosts: { host: string; service_provider_sid: string }
  /** Requests to addresses of accounts and providers, with secrets masked. */
  switchroom_webhook_requests: {
    webhook_request_sid: string
    /** Owner for pruning: the account, else the provider, else empty. */
    owner: string
    account_sid: string | null
    /** Set for an account's too. */
    service_provider_sid: string | null
    kind: RequestKind
    application_sid: string | null
    hook: TestHook | null
    alert_destination_sid: string | null
    repeats: string | null
    /** ISO 8601, UTC. */
    at: string
    method: string
    url: string
    /** The part of the URL that view-only callers read and search. */
    host: string
    outcome: RequestOutcome
    status: number | null
    error: string | null
    duration_ms: number
    attempt: number
    /** JSON arrays of names and values. */
    request_headers: string
    response_headers: string
    /** JSON (`RequestBody`); null without one. */
    request_body: string | null
    response_body: string | null
    /** JSON (`Verdict`). */
    verdict: string | null
    /** Digest of the request sent, to tell whether it can be reconstructed. */
    digest: string
  }
}
