import type { DestinationKind, FailureState, ViewMeasure } from '@switchroom/contract'

export type AlertTables = {
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
}
