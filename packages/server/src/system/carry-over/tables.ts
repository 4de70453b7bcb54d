import type { AuditKind } from '@switchroom/contract'
import type { OwnTables } from '../../db/own.ts'
import { platformTables } from '../../db/platform.ts'
import { DEFAULT_ACCOUNT_NAME, DEFAULT_PROVIDER_NAME } from '../../db/seed.ts'

/** Tables that every installation fills by itself, and the column by which two installations' rows match. */
export const MADE_BY_SETUP: Record<string, string> = {
  schema_version: 'version',
  permissions: 'name',
  products: 'category',
  predefined_carriers: 'name',
  predefined_sip_gateways: 'ipv4',
  predefined_smpp_gateways: 'ipv4',
}

const RECORD = 'records of the past, which stay readable in the old data folder'
const RUNNING = 'what a running server keeps for itself'
const AGAIN = 'found out again by itself'

/** Our own tables: `true` for people's data, or why it stays behind. */
const OWN: Record<keyof OwnTables, true | string> = {
  switchroom_alert_deliveries: RUNNING,
  switchroom_alert_destinations: true,
  switchroom_alert_marks: RUNNING,
  switchroom_alert_matters: RECORD,
  switchroom_alert_watch: RUNNING,
  switchroom_api_keys: true,
  switchroom_audit: RECORD,
  switchroom_audit_head: RECORD,
  switchroom_audit_pending: RECORD,
  switchroom_billing_accounts: RUNNING,
  switchroom_billing_events: RUNNING,
  switchroom_billing_intents: RUNNING,
  switchroom_brand_hosts: true,
  switchroom_brands: true,
  switchroom_break_glass: true,
  switchroom_call_counts: AGAIN,
  switchroom_call_days: AGAIN,
  switchroom_call_scores: RECORD,
  switchroom_call_slices: AGAIN,
  switchroom_call_watch: AGAIN,
  switchroom_creations: RUNNING,
  switchroom_customer_report_links: true,
  switchroom_directories: true,
  switchroom_event_calls: RUNNING,
  switchroom_event_deliveries: RUNNING,
  switchroom_event_notes: RUNNING,
  switchroom_event_readers: RUNNING,
  switchroom_event_states: RUNNING,
  switchroom_event_subscriptions: true,
  switchroom_event_watch: RUNNING,
  switchroom_events: RUNNING,
  switchroom_failure_calls: RUNNING,
  switchroom_failure_watch: RUNNING,
  switchroom_failures: RECORD,
  switchroom_gateway_probes: AGAIN,
  switchroom_identities: true,
  switchroom_language_models: true,
  switchroom_live: RUNNING,
  switchroom_lock_turns: RUNNING,
  switchroom_model_calls: RECORD,
  switchroom_model_events: RECORD,
  switchroom_model_hours: RECORD,
  switchroom_model_refusals: RUNNING,
  switchroom_model_sessions: true,
  switchroom_model_use: RECORD,
  switchroom_passkeys: true,
  switchroom_phone_numbers: true,
  switchroom_preferences: true,
  switchroom_preparing: RUNNING,
  switchroom_program_grants: RUNNING,
  switchroom_program_tokens: RUNNING,
  switchroom_programs: true,
  switchroom_provider_sessions: RUNNING,
  switchroom_recovery_codes: true,
  switchroom_replica_beats: RUNNING,
  switchroom_report_mails: true,
  switchroom_report_recipients: true,
  switchroom_run_steps: RECORD,
  switchroom_runs: RECORD,
  switchroom_suites: RECORD,
  switchroom_saved_views: true,
  switchroom_score_cards: true,
  switchroom_score_items: RECORD,
  switchroom_score_watch: RUNNING,
  switchroom_second_factor_policies: true,
  switchroom_session_ends: RUNNING,
  switchroom_sessions: RUNNING,
  switchroom_simulated_callers: true,
  switchroom_simulated_runs: RECORD,
  switchroom_single_sign_on: true,
  switchroom_speech_catalogues: AGAIN,
  switchroom_speech_tests: AGAIN,
  switchroom_state: RUNNING,
  switchroom_test_cases: true,
  switchroom_totp: true,
  switchroom_transcribing: RUNNING,
  switchroom_transcript_settings: true,
  switchroom_transcription_parts: RECORD,
  switchroom_transcriptions: RECORD,
  switchroom_trunk_report_links: true,
  switchroom_view_alerts: true,
  switchroom_webhook_requests: RECORD,
  switchroom_words_kept_before: true,
}

/** Rows of a platform's set-up that nobody has changed there: the version of the old installation counts. */
export const UNTOUCHED: Record<string, { name: string; unset: readonly string[] }> = {
  service_providers: {
    name: DEFAULT_PROVIDER_NAME,
    unset: ['description', 'root_domain', 'registration_hook_sid'],
  },
  accounts: {
    name: DEFAULT_ACCOUNT_NAME,
    unset: [
      'sip_realm',
      'registration_hook_sid',
      'queue_event_hook_sid',
      'device_calling_application_sid',
      'siprec_hook_sid',
      'bucket_credential',
    ],
  },
}

/** Settings in one row, which stay unchanged there. */
export const SETTINGS: readonly string[] = [
  'password_settings',
  'system_information',
  'switchroom_single_sign_on',
]

/** Columns that are unique by rule, not by a key of the platform's tables. */
export const ONE_BY_RULE: Record<string, readonly [string, ...string[]]> = {
  clients: ['username', 'account_sid'],
  phone_numbers: ['number', 'voip_carrier_sid'],
  users: ['email'],
}

/** Columns that refer to rows that stay behind. */
export const WITHOUT: Record<string, readonly string[]> = {
  switchroom_test_cases: ['latest_run_sid'],
}

/** Digests by the old secret, which cannot be computed again from stored data. */
export const KEYED = 'switchroom_recovery_codes'

/** The tables that are carried over: first those that others refer to by another sid there. */
export const CARRIED: readonly string[] = [
  ...new Set([...Object.keys(MADE_BY_SETUP), 'users', ...Object.keys(platformTables)]),
  ...Object.entries(OWN).flatMap(([name, carried]) => (carried === true ? [name] : [])),
]

/** The tables that stay behind, and why. */
export const LEFT: readonly { table: string; why: string }[] = Object.entries(OWN).flatMap(
  ([table, why]) => (typeof why === 'string' && why !== RUNNING ? [{ table, why }] : []),
)

/** Kinds that the audit log calls these tables' rows. */
export const KINDS: Record<string, AuditKind> = {
  accounts: 'account',
  api_keys: 'api_key',
  applications: 'application',
  clients: 'client',
  google_custom_voices: 'google_custom_voice',
  lcr: 'lcr',
  ms_teams_tenants: 'ms_teams_tenant',
  phone_numbers: 'phone_number',
  sbc_addresses: 'sbc_address',
  service_providers: 'service_provider',
  sip_gateways: 'sip_gateway',
  smpp_addresses: 'smpp_address',
  smpp_gateways: 'smpp_gateway',
  speech_credentials: 'speech_credential',
  switchroom_alert_destinations: 'alert_destination',
  switchroom_brands: 'brand',
  switchroom_customer_report_links: 'customer_report_link',
  switchroom_directories: 'directory',
  switchroom_event_subscriptions: 'event_subscription',
  switchroom_saved_views: 'saved_view',
  switchroom_simulated_callers: 'simulated_caller',
  switchroom_single_sign_on: 'single_sign_on',
  switchroom_test_cases: 'test_case',
  switchroom_trunk_report_links: 'trunk_report_link',
  users: 'user',
  voip_carriers: 'voip_carrier',
}
