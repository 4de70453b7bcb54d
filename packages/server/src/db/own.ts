import type {
  AuditAction,
  AuditKind,
  DestinationKind,
  GatewayProbe,
  SubscriptionAction,
  UseResult,
} from '@switchroom/contract'
import type { ColumnType } from 'kysely'

export type BillingAction = SubscriptionAction | 'customer' | 'close'

/** Tables of ours, beside the platform's. Made by the migrations. */
export type OwnTables = {
  /** Whether we created this database's platform tables, and whether that was finished. */
  switchroom_state: { name: string; value: string }
  /** Who changed what, a link of a chain each. Never changed, never deleted. */
  switchroom_audit: {
    seq: number
    /** ISO 8601, UTC. */
    at: string
    request_id: string
    user_sid: string | null
    api_key_sid: string | null
    actor: string
    actor_scope: 'admin' | 'service_provider' | 'account'
    ip: string
    action: AuditAction
    kind: AuditKind
    sid: string
    name: string
    service_provider_sid: string | null
    account_sid: string | null
    before_values: string | null
    after_values: string | null
    hash: string
  }
  switchroom_audit_head: { id: number; seq: number; hash: string }
  /** What the platform's table has no column for. */
  switchroom_phone_numbers: { phone_number_sid: string; description: string }
  /** How gateways answered, the last times they were asked. */
  switchroom_gateway_probes: GatewayProbe & { gateway_probe_sid: string }
  /** How the last test of a speech credential ended. `fingerprint` tells which credential that was. */
  switchroom_speech_tests: {
    speech_credential_sid: string
    fingerprint: string
    /** ISO 8601, UTC. */
    at: string
    is_real: number
    tts_status: UseResult['status']
    tts_reason: string | null
    stt_status: UseResult['status']
    stt_reason: string | null
  }
  /** What vendors offered to a credential when they were last asked, as JSON. */
  switchroom_speech_catalogues: {
    speech_credential_sid: string
    fingerprint: string
    /** ISO 8601, UTC. */
    fetched_at: string
    catalogue: string
  }
  /** Until when a person has seen the alerts of an account, a provider, or (empty) everybody. In milliseconds. */
  switchroom_alert_marks: { user_sid: string; owner: string; seen_until: number }
  /** Where alerts are sent to. Of an account, or else of a provider. */
  switchroom_alert_destinations: {
    alert_destination_sid: string
    account_sid: string | null
    service_provider_sid: string | null
    name: string
    kind: DestinationKind
    address: string | null
    sealed_secret: string | null
    /** JSON; an empty list is all of them. */
    alert_types: string
    is_active: number
    /** Alerts from before this moment are none of its business. In milliseconds. */
    active_since: number
    /** ISO 8601, UTC. */
    last_tried_at: string | null
    last_error: string | null
  }
  /** The last message of a type, for an account, to a destination: what keeps it to one an hour. */
  switchroom_alert_deliveries: {
    alert_destination_sid: string
    /** Empty where the alert is of no account. */
    account_sid: string
    alert_type: string
    delivery_sid: string
    /** In milliseconds, as `alert_at` and `next_at`. */
    claimed_at: number
    alert_at: number
    /** The alert, as JSON. */
    alert: string
    attempts: number
    /** When it is tried next; null when it has arrived or was given up. */
    next_at: number | null
  }
  /** How far alerts were looked at, by which process and until when. In milliseconds. */
  switchroom_alert_watch: { id: number; watermark: number; leased_until: number }
  /** Accounts that the payment provider knows, whose process has them in hand, and when they are looked at next. */
  switchroom_billing_accounts: {
    account_sid: string
    /** In milliseconds, as all times of these three tables. */
    leased_until: number
    /** Null: only when something happens. */
    next_at: number | null
    failures: number
    /** When a paid plan that was given up ends. */
    ends_at: number | null
    /** Why a payment failed, or what it waits for. */
    problem: string | null
  }
  /** What was to be asked of the payment provider, noted before it was asked. Its sid is the idempotency key. */
  switchroom_billing_intents: {
    billing_intent_sid: string
    account_sid: string
    action: BillingAction
    /** JSON: what was wished for. */
    wish: string
    /** `asked`: money may have moved. */
    status: 'noted' | 'asked' | 'done' | 'failed'
    stripe_customer_id: string | null
    /** The pending period that the platform's table has of it. */
    account_subscription_sid: string | null
    created_at: number
    asked_at: number | null
  }
  /** What the payment provider has told, once each. */
  switchroom_billing_events: { event_id: string; type: string; received_at: number }
  /** Live state where there is no Redis. `expires_at` is in milliseconds since 1970. */
  switchroom_live: {
    key: string
    value: string
    expires_at: ColumnType<number | null, number | null | undefined, number | null>
  }
}
