import type { EventKind, Flag } from '@switchroom/contract'

export type EventTables = {
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
}
