import type { FigureSplit, Flag, RefusedEvent, WordsKept } from '@switchroom/contract'
import type { ColumnType } from 'kysely'

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

export type ConversationTables = {
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
}
