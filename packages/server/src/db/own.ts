import type {
  AuditAction,
  AuditKind,
  DestinationKind,
  EventKind,
  FailureState,
  FigureSplit,
  Flag,
  GatewayProbe,
  Language,
  Logo,
  Preferences,
  ProgramAccess,
  ProgramUse,
  RefusedEvent,
  RequestKind,
  RequestOutcome,
  RunOutcome,
  ScoreResult,
  SessionMethod,
  SubscriptionAction,
  TestHook,
  UseResult,
  ViewList,
  ViewMeasure,
  WordsKept,
} from '@switchroom/contract'
import type { ColumnType } from 'kysely'

export type BillingAction = SubscriptionAction | 'customer' | 'close'

/** Use of model sessions. */
type ModelUse = {
  account_sid: string
  /** Empty for none. */
  application_sid: string
  /** Null where figures are not split by version, empty for none. */
  version: string | null
  vendor: string | null
  model: string | null
  /** Tokens; null if no event told any. `input` includes `cached`. */
  input: number | null
  cached: number | null
  output: number | null
  seconds: number
  /** Characters that the model said. */
  characters: number
}

/** Our own tables beside the platform's, created by the migrations. */
export type OwnTables = {
  /** Progress of our creation of this database's platform tables; no row if they were there already. */
  switchroom_state: { name: string; value: 'creating' | 'created' }
  /** The audit log, a hash chain. Rows are never changed or deleted. */
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
    /** The entry that this change has undone. */
    undoes: number | null
    hash: string
  }
  switchroom_audit_head: { id: number; seq: number; hash: string }
  /** Entries that are not linked to the log yet: JSON arrays of its rows. */
  switchroom_audit_pending: { batch_sid: string; entries: string }
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
  /** Answers of creations that had an `Idempotency-Key`. */
  switchroom_creations: {
    /** Keyed, of the caller and the key. */
    key_digest: string
    request_digest: string
    sealed_answer: string
    /** Milliseconds. */
    created_at: number
  }
  switchroom_phone_numbers: { phone_number_sid: string; description: string }
  /** The latest probe results of gateways. */
  switchroom_gateway_probes: GatewayProbe & { gateway_probe_sid: string }
  /** The latest test result of a speech credential. `fingerprint` identifies the credential's version. */
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
  /** Speech catalogues as last fetched with a credential, as JSON. */
  switchroom_speech_catalogues: {
    speech_credential_sid: string
    fingerprint: string
    /** ISO 8601, UTC. */
    fetched_at: string
    catalogue: string
  }
  /** Written by servers of earlier versions: the time a user last saw the alerts of an owner. Milliseconds. */
  switchroom_alert_marks: { user_sid: string; owner: string; seen_until: number }
  /** Alert destinations of an account, or else of a provider. */
  switchroom_alert_destinations: {
    alert_destination_sid: string
    account_sid: string | null
    service_provider_sid: string | null
    name: string
    kind: DestinationKind
    address: string | null
    sealed_secret: string | null
    /** JSON array; empty for all types. */
    alert_types: string
    is_active: number
    /** Earlier alerts are not sent. Milliseconds. */
    active_since: number
    /** ISO 8601, UTC. */
    last_tried_at: string | null
    last_error: string | null
  }
  /** The latest delivery per destination, account and type, which limits them to one per hour. */
  switchroom_alert_deliveries: {
    alert_destination_sid: string
    /** Empty for alerts without an account. */
    account_sid: string
    alert_type: string
    delivery_sid: string
    /** Milliseconds, like `alert_at` and `next_at`. */
    claimed_at: number
    alert_at: number
    /** The alert as JSON. */
    alert: string
    attempts: number
    /** The next attempt; null when delivered or given up. */
    next_at: number | null
  }
  /** Progress of reading alerts, and the reading process's lease. Milliseconds. */
  switchroom_alert_watch: { id: number; watermark: number; leased_until: number }
  /** Failed calls of one cause, gathered for an account, or else for a provider. Times are ISO 8601, UTC. */
  switchroom_failures: {
    failure_sid: string
    /** Digest of owner, direction, carrier, cause and prefix. */
    failure_key: string
    account_sid: string | null
    service_provider_sid: string | null
    direction: 'inbound' | 'outbound'
    trunk: string | null
    sip_status: number
    reason: string | null
    prefix: string | null
    state: Exclude<FailureState, 'resolved' | 'watched'> | 'mended'
    muted_until: string | null
    /** When it was resolved. */
    mended_at: string | null
    assigned_to: string | null
    calls: number
    first_at: string
    last_at: string
    /** Time at which it was new or returned, for alert destinations; 0 if it is old. Milliseconds. */
    news_at: number
    /** JSON (`Content`): calls by hour, who is hit, samples. */
    content: string
    /** JSON (`Rerouted`), once its calls were routed to another carrier. */
    rerouted: string | null
  }
  /** Failed calls of the last hours that are counted already. Milliseconds. */
  switchroom_failure_calls: { call_key: string; attempted_at: number }
  /** Progress of reading calls, the older span that is read again next, and the reading process. Milliseconds. */
  switchroom_failure_watch: {
    id: number
    read_until: number
    late_slice: number
    holder: string
    leased_until: number
  }
  /** Accounts with a Stripe customer, their billing leases, and when they are reconciled next. */
  switchroom_billing_accounts: {
    account_sid: string
    /** Milliseconds, like all times of these three tables. */
    leased_until: number
    /** Null: only after an event. */
    next_at: number | null
    failures: number
    /** When a canceled paid plan ends. */
    ends_at: number | null
    /** Why a payment failed, or the action it waits for. */
    problem: string | null
  }
  /** Requests to Stripe, recorded before they are sent. The sid is the idempotency key. */
  switchroom_billing_intents: {
    billing_intent_sid: string
    account_sid: string
    action: BillingAction
    /** The request as JSON (`IntentRequest`). */
    wish: string
    /** `asked`: money may have moved. */
    status: 'noted' | 'asked' | 'done' | 'failed'
    stripe_customer_id: string | null
    /** The pending period in the platform's table. */
    account_subscription_sid: string | null
    created_at: number
    asked_at: number | null
  }
  /** Stripe events that were received, to skip duplicates. */
  switchroom_billing_events: { event_id: string; type: string; received_at: number }
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
  /** Directories that manage users over SCIM. */
  switchroom_directories: {
    directory_sid: string
    name: string
    service_provider_sid: string | null
    /** JSON (`AccessGrant`). */
    default_access: string | null
    token_digest: string
    /** ISO 8601, UTC. */
    created_at: string
    last_used: string | null
  }
  /** Saved views of lists. */
  switchroom_saved_views: {
    saved_view_sid: string
    list: ViewList
    name: string
    /** Search and columns of the view, as JSON. */
    content: string
    /** The user who saved it. */
    user_sid: string
    /** An account, a provider, or (empty) all administrators; null for its user alone. */
    shared_with: string | null
    /** ISO 8601, UTC. */
    created_at: string
    updated_at: string
  }
  /** Rows that transactions with a lock write on a Galera cluster, to meet those at its other nodes. */
  switchroom_lock_turns: { slot: number; turns: number }
  /** Rows that processes write to the database, to see when a replica has them. */
  switchroom_replica_beats: { process_sid: string; beats: number; beaten_at: number }
  /** The process that prepares the database of a Galera cluster. */
  switchroom_preparing: { id: number; holder: string; ends_at: number }
  /** State of issues other than failures: resolved, muted, or assigned. Milliseconds. */
  switchroom_alert_matters: {
    alert_matter_sid: string
    /** In whose inbox: an account's or a provider's. */
    inbox: string
    /** Account of the alerts; empty for a provider's own, and for other issues. */
    account_sid: string
    /** Or `carrier` with its sid, or `anomaly` with its key. */
    alert_type: string
    /** When it was resolved; 0 if it was not. */
    mended_at: number
    muted_until: number | null
    assigned_to: string | null
    /** 0 if a server of an earlier version has set it. */
    changed_at: number
  }
  /** Alerts of saved views: one for each view. Times are milliseconds. */
  switchroom_view_alerts: {
    saved_view_sid: string
    /** Scope of the counted rows: an account, or else a provider and its accounts. */
    account_sid: string | null
    service_provider_sid: string | null
    /** The user who set it, with whose rights it is checked. */
    user_sid: string
    /** The scope of that user when it was set, as in `shared_with` of saved views. */
    of_scope: string
    /** Name at the last check, for when the view has been deleted. */
    view_name: string
    measure: ViewMeasure
    comparison: 'more' | 'fewer'
    /** Rows, or tenths of a percent. */
    threshold: number
    minutes: number
    quiet_minutes: number
    /** JSON array of sids. */
    destinations: string
    /** Holder of the check in progress; empty after the alert was replaced. */
    holder: string
    /** Time of the next check of an alert measured by rows, or else in percent; null once it has stopped. */
    next_at: number | null
    next_measured_at: number | null
    checked_at: number | null
    counted: number | null
    /** The denominator: what 100 % is. Null if measured in rows. */
    whole: number | null
    /** Time of the last check with enough data. */
    judged_at: number | null
    firing_since: number | null
    fired_at: number | null
    error: string | null
    stopped: string | null
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
  /** A person's preferences for the console. Null: never chosen. */
  switchroom_preferences: {
    user_sid: string
    /** `local`, or a name of the IANA database. */
    time_zone: string | null
    language: Language | null
    theme: Preferences['theme']
    hides_getting_started: Flag | null
    file_separator: Preferences['file_separator']
    file_times: Preferences['file_times']
    /** JSON. */
    import_columns: string | null
  }
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
  /** Calls to applications that are played without a telephone. */
  switchroom_runs: {
    run_sid: string
    application_sid: string
    account_sid: string | null
    /** The run whose answers it was begun with. */
    repeats: string | null
    test_case_sid: string | null
    /** Set if it plays a call of a suite, or repeats a run that does. */
    suite_sid: string | null
    /** ISO 8601, UTC. */
    begun_at: string
    /** Last sign of life of the process that plays it; null once it has ended. Milliseconds. */
    seen_at: number | null
    /** JSON (`RunStart`). */
    start: string
    step_count: number
    problems: number
    /** The number of the step whose question waits for an answer. */
    question: number | null
    /** JSON (`Answer`): the tester's answer, until the process that plays the run has read it. */
    answer: string | null
    is_stopped: Flag
    ended: string | null
    /** JSON arrays. */
    expectations: string | null
    outcomes: string | null
    is_passed: Flag | null
  }
  switchroom_run_steps: {
    run_sid: string
    /** From 0. */
    number: number
    /** JSON (`RunStep`). */
    step: string
  }
  /** Runs without a tester, and expectations of the application. */
  switchroom_test_cases: {
    test_case_sid: string
    application_sid: string
    account_sid: string | null
    name: string
    /** JSON: the call's settings, the caller's answers, and the expectations. */
    content: string
    latest_run_sid: string | null
    /** ISO 8601, UTC. */
    created_at: string
    updated_at: string
  }
  /** Language models of accounts, which play callers and grade runs. */
  switchroom_language_models: {
    account_sid: string
    url: string
    model: string
    /** Encrypted. */
    sealed_key: string | null
  }
  /** How calls of applications are scored, and what was used of the day's budget. */
  switchroom_score_cards: {
    application_sid: string
    account_sid: string
    is_active: Flag
    /** JSON: share, budget, rules, criteria, goal and pass score. */
    content: string
    /** Milliseconds. Calls that ended until then were looked at; null until it is active. */
    seen_until: number | null
    /** Day of `used_calls` and `used_tokens`, in UTC. */
    day: string
    used_calls: number
    used_tokens: number
    /** Failures of the language model in a row. */
    failures: number
    /** Milliseconds. */
    paused_until: number
    /** ISO 8601, UTC. */
    updated_at: string
  }
  /** Calls that were scored, or wait for it. */
  switchroom_call_scores: {
    account_sid: string
    call_sid: string
    application_sid: string
    trace_id: string
    /** Beginning of the call. ISO 8601, UTC. */
    called_at: string
    /** When the call was found, in milliseconds. */
    found_at: number
    tries: number
    /** Null while it waits. */
    result: ScoreResult | null
    tokens: number
    /** JSON: rules, criteria and pass score. Null while it waits. */
    content: string | null
    scored_at: string | null
    /** Empty if the call has none; null if its account splits no figures. */
    version: string | null
  }
  /** Result of each rule and criterion in a scored call. */
  switchroom_score_items: {
    account_sid: string
    call_sid: string
    number: number
    kind: 'rule' | 'criterion'
    /** The rule as a sentence, or the name of the criterion. */
    name: string
    /** Null if it could not be judged. */
    is_passed: Flag | null
    score: number | null
  }
  /** The process that scores calls. Times are in milliseconds. */
  switchroom_score_watch: { id: number; holder: string; leased_until: number }
  /** Callers that a language model plays in runs of an application. */
  switchroom_simulated_callers: {
    simulated_caller_sid: string
    application_sid: string
    account_sid: string | null
    name: string
    /** JSON: the call's settings, the person, the goal, the limits, rules and criteria. */
    content: string
    /** ISO 8601, UTC. */
    created_at: string
    updated_at: string
  }
  /** Result of a run with a simulated caller. */
  switchroom_simulated_runs: {
    run_sid: string
    simulated_caller_sid: string
    /** JSON: name, goal and token limit of the caller at that time, and the number of this conversation among how many. */
    caller: string
    /** Answers of the model. */
    turns: number
    tokens: number
    /** Null until the conversation has ended. */
    outcome: RunOutcome | null
    /** The caller's, or the model's failure. */
    reason: string | null
    /** True if the caller says that it reached its goal. */
    is_reached: Flag | null
    /** JSON; null without criteria, and until they have been graded. */
    scores: string | null
  }
  /** Suites: calls of an application that were played again. */
  switchroom_suites: {
    suite_sid: string
    application_sid: string
    account_sid: string | null
    /** ISO 8601, UTC. */
    begun_at: string
    /** JSON: the period, its calls, the events of each, and its run. */
    content: string
  }
  /** Transcript settings of an account. Without a row, all words are kept. */
  switchroom_transcript_settings: {
    account_sid: string
    words: WordsKept
    /** When `words` was last changed: ISO 8601, UTC. */
    words_since: string | null
    /**
     * Speech service that transcribes recordings; null, like the two below, if they are transcribed on request only.
     */
    speech_credential_sid: string | null
    language: string | null
    minutes_a_day: number | null
    /** Source of the values that split figures by version; null, like its name, if they are not split. */
    split_source: ColumnType<FigureSplit['source'] | null, FigureSplit['source'] | null | undefined>
    split_name: ColumnType<string | null, string | null | undefined>
  }
  /** Times of the past in which an account kept less than all words. They outlive it, as its calls do. */
  switchroom_words_kept_before: {
    kept_sid: string
    account_sid: string
    words: WordsKept
    /** ISO 8601, UTC, as `until`; null for ever. */
    since: string | null
    until: string
  }
  /** Transcriptions of recordings by speech services, by call. */
  switchroom_transcriptions: {
    account_sid: string
    call_sid: string
    /** Sid of the work in progress, by one process at a time: writes of an earlier one are refused. */
    work_sid: string
    /** `waiting`: found by the account's setting, and not begun. */
    state: 'waiting' | 'running' | 'done' | 'failed'
    /** Last sign of life of the process that works on it; null if none does. Milliseconds. */
    seen_at: number | null
    speech_credential_sid: string
    vendor: string
    language: string
    is_automatic: Flag
    /** When the call was attempted, which its age is counted from. ISO 8601, UTC, as the two below. */
    called_at: string
    begun_at: string
    ended_at: string | null
    /** Why it failed. */
    message: string | null
    /** Number of tries. */
    tries: number
  }
  switchroom_transcription_parts: {
    account_sid: string
    call_sid: string
    /** From 0, by time. */
    number: number
    side: 'caller' | 'other'
    /** Milliseconds since the recording began. */
    from_ms: number
    to_ms: number
    text: string | null
    error: string | null
  }
  /** Progress of an account's automatic transcription. */
  switchroom_transcribing: {
    account_sid: string
    /** Calls that ended before were looked at; null while the account does not want it. Milliseconds since 1970. */
    seen_until: number | null
    /** The UTC day that `used_ms` of speech were sent on: 2026-01-31. */
    day: string
    used_ms: number
    /** Failures in a row, and how long it pauses for them, by the database's clock. */
    failures: number
    paused_until: number
  }
  /** Who may send events of an account's model sessions, and what models cost. */
  switchroom_model_sessions: {
    account_sid: string
    /** Null while no events are taken. */
    token_digest: string | null
    /** When the secret was made: ISO 8601, UTC. */
    open_since: string | null
    currency: string
    /** JSON (`ModelPrice[]`). */
    prices: string
  }
  /** Calls that events of model sessions came for. */
  switchroom_model_calls: {
    account_sid: string
    call_sid: string
    /** Number of events kept. */
    events: number
    /** Milliseconds, as `seen_at`: when the call was last looked up. */
    checked_at: number
    /** When the last event came. */
    seen_at: number
    /** 1 if the call is found by all words that came. */
    is_found: Flag
  }
  switchroom_model_events: {
    account_sid: string
    call_sid: string
    /** Digest of the event's id, or of its content and time. */
    event: string
    /** From 1, in order of arrival. */
    number: number
    /** Milliseconds. */
    at: number
    /** JSON: what the event tells, with the words that the account keeps. */
    parts: string
  }
  /** Sums of `switchroom_model_use`, by hour. In each row, all calls tell the same, so that it has one price. */
  switchroom_model_hours: ModelUse & {
    /** Beginning of the hour, milliseconds. */
    hour: number
    /** Digest of the columns by which rows differ. */
    kind: string
    calls: number
  }
  /** Use of model sessions by call, as their events tell. */
  switchroom_model_use: ModelUse & {
    call_sid: string
    /** Beginning of the call, from its record, milliseconds. */
    began_at: number
    /** `model` in lower case, as prices name it. */
    model_name: string
  }
  /** Refused events by UTC day. */
  switchroom_model_refusals: {
    account_sid: string
    day: string
    reason: RefusedEvent
    count: number
    /** ISO 8601, UTC. */
    last_at: string
  }
  /** Links to trunk reports. They work while the carrier has the owner that it had when they were made. */
  switchroom_trunk_report_links: {
    trunk_report_link_sid: string
    voip_carrier_sid: string
    /** The carrier's owner; both are null for one without. */
    account_sid: string | null
    service_provider_sid: string | null
    token_digest: string
    label: string
    made_by: string
    /** ISO 8601, UTC. */
    created_at: string
    ends_at: string
    last_opened_at: string | null
    opens: number
  }
  /** Links to the report of an account in a period. They work while the account has the provider that it had. */
  switchroom_customer_report_links: {
    customer_report_link_sid: string
    account_sid: string
    service_provider_sid: string
    token_digest: string
    label: string
    made_by: string
    /** ISO 8601, UTC. */
    created_at: string
    ends_at: string
    last_opened_at: string | null
    opens: number
    /** Days in the zone, such as 2026-01-31. */
    from_day: string
    until_day: string
    time_zone: string
    hides_numbers: number
    mailed_to: string | null
  }
  /** Mail settings for an account's monthly report. */
  switchroom_report_mails: {
    account_sid: string
    time_zone: string
    language: Language
    hides_numbers: number
    /** The first day of the month that is reported next. */
    month: string
    /** Time of the next mail, by the database's clock in milliseconds; null without recipients. */
    next_at: number | null
    /** Tries of this month. */
    attempts: number
    /** The process that sends. */
    holder: string
  }
  /** To whom. */
  switchroom_report_recipients: {
    account_sid: string
    email: string
    /** Lets its holder stop these mails and nothing else; the same in every mail. */
    unsubscribe_token: string
    /** The month that is being sent, noted before. */
    sending: string | null
    /** The month that was sent last. */
    month: string | null
    sent_at: string | null
    problem: string | null
  }
  /** Events for programs: one sequence, to which only the gathering process adds. */
  switchroom_events: {
    seq: number
    kind: EventKind
    /** Subject of the event: events of one subject are delivered in order. */
    thing: string
    /** Owner who may see it; for an issue, the owner of the inbox. */
    account_sid: string | null
    service_provider_sid: string | null
    /** ISO 8601, UTC. */
    happened_at: string
    /** Milliseconds, as all times of these tables but `happened_at`. */
    added_at: number
    /** JSON in the shape of the contract's `EVENT_DATA`. */
    data: string
  }
  /** Progress of gathering events, and the process that gathers. */
  switchroom_event_watch: {
    id: number
    /** Sequence number of the newest event. */
    seq: number
    /** Time up to which calls were read, and the older span that is read again next. */
    audit_seq: number
    /** Up to when calls were read, and which older span is read again next. */
    read_until: number
    late_slice: number
    holder: string
    leased_until: number
  }
  /** Calls of the last day that are events already. */
  switchroom_event_calls: { call_key: string; attempted_at: number }
  /** Notes of processes that will become events. */
  switchroom_event_notes: {
    event_note_sid: string
    kind: EventKind
    account_sid: string
    thing: string
    happened_at: string
    data: string
  }
  /** Issues that are open, and carriers that are not registered, as of the last look. */
  switchroom_event_states: {
    state_key: string
    /** Owner of the inbox; empty for carriers. */
    owner: string
    /** JSON of its event; null for the note that the inbox was looked into. */
    data: string | null
    seen_at: number
  }
  /** Readers of `/Events`: an account, a provider, or (empty) administrators. Nothing is gathered for others. */
  switchroom_event_readers: {
    owner: string
    since: number
    /** The newest entry of the audit log at that time. */
    audit_seq: number
    read_at: number
  }
  /** Webhooks of programs. */
  switchroom_event_subscriptions: {
    event_subscription_sid: string
    account_sid: string | null
    service_provider_sid: string | null
    name: string
    url: string
    sealed_secret: string
    /** The secret before, which signs as well until `previous_until`. */
    sealed_previous: string | null
    previous_until: number | null
    /** JSON array; empty for all. */
    kinds: string
    is_active: Flag
    /** Nothing of before is sent. */
    since: number
    audit_seq: number
    created_by: string | null
    last_tried_at: string | null
    last_error: string | null
    /** Time of the first of the failures in a row; null after a success. */
    failing_since: number | null
    failures: number
    /** Nothing is sent before. */
    paused_until: number
    /** Reason why it was disabled, unless a person did it. */
    disabled_reason: string | null
    holder: string
    leased_until: number
  }
  switchroom_event_deliveries: {
    event_delivery_sid: string
    event_subscription_sid: string
    seq: number
    thing: string
    state: 'waiting' | 'delivered' | 'failed'
    attempts: number
    /** Null unless it waits. */
    next_at: number | null
    /** ISO 8601, UTC. */
    tried_at: string | null
    status: number | null
    error: string | null
    duration_ms: number | null
    added_at: number
  }
  /** Calls of a resource in an account: its latest ones, and the sum of `switchroom_call_days`. */
  switchroom_call_counts: {
    thing_sid: string
    /** Empty for calls to numbers without an account. */
    account_sid: string
    /** Milliseconds. */
    last_call_at: number
    calls_7d: number
  }
  /** The same by day since 1970, from `first_day` on. */
  switchroom_call_days: { day: number; thing_sid: string; account_sid: string; calls: number }
  /** Spans whose calls may be counted again: how many the store had, and a short key of each that was counted. */
  switchroom_call_slices: { slice: number; calls: number; counted: string }
  /** Progress of counting calls, and the process that counts. Times are in milliseconds. */
  switchroom_call_watch: {
    id: number
    counted_since: number
    read_until: number
    /** 1 if the store has no calls from before `counted_since`. */
    is_caught_up: Flag
    first_day: number
    late_slice: number
    /** Things up to this sid were looked for: counts of deleted ones are deleted. */
    swept_to: string
    holder: string
    leased_until: number
  }
  /** Live state without Redis. `expires_at`: milliseconds since 1970. */
  switchroom_live: {
    key: string
    value: string
    expires_at: ColumnType<number | null, number | null | undefined, number | null>
  }
}
