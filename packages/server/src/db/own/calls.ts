import type { Flag, Language } from '@switchroom/contract'

export type CallTables = {
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
}
