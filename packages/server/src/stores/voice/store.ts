import type { Call, VoiceFigures, VoiceMeasure } from '@switchroom/contract'
import type { Count, CountedBy, Talk } from '../../talk/counts.ts'
import type { CallFilter, Owner, Page, Span } from '../calls/store.ts'

/** A call whose trace tells how caller and application talked. */
export type VoiceCall = {
  /** 32 lower-case hexadecimal digits. */
  trace_id: string
  /** The call record, which tells the owner and the time: lists behind a figure show it. */
  call: Call
  /** Counts of the call, the same each time its trace is read. */
  counts: readonly Count[]
  /** Words of all speakers, as made by `wordsOf`. */
  words?: string
  /**
   * Arrival of its last span, in milliseconds since 1970. If two processes store the call, the one
   * that has seen more counts.
   */
  came?: number
}

/** True for a valid trace id. An id of zeros is none. */
export const isTraceId = (trace_id: string | null): trace_id is string =>
  trace_id !== null && /^(?!0*$)[\da-f]{32}$/.test(trace_id)

/**
 * Only calls that were counted for this; if the measure has times, with one of at least as many
 * milliseconds.
 */
export type Counted = { by: CountedBy; key: string; measure: VoiceMeasure; at_least?: number }

/** A search for calls in which all of these words were said, as made by `wantedWords`. */
export type WordSearch = {
  wanted: readonly string[]
  /**
   * Accounts whose words are not searched: none of their calls are found, or with `since` only
   * calls of this time (Unix milliseconds) or later.
   */
  excluded: readonly { account_sid: string; since?: number }[]
}

export type VoiceFilter = CallFilter & { counted?: Counted; said?: WordSearch }

/**
 * A sum of counts: of an hour that begins at `at`, in milliseconds, or of several hours, if
 * undefined.
 */
export type Sum = Count & { at: number | undefined }

export type VoiceOptions = { application_sid?: string; time_zone?: string }

/**
 * The version of each of these calls, empty if it has none; undefined if its account splits no
 * figures.
 */
export type VersionsOf = (
  calls: readonly { call: Call; tag: Talk['tag'] }[],
) => Promise<(string | undefined)[]>

/** Store of conversation figures. Any method may throw `StoreUnavailable`. */
export type VoiceStore = {
  /** Stores calls, in place of those of the same traces. Resolves when they are on disk. */
  keep: (calls: readonly VoiceCall[]) => Promise<void>
  /**
   * Makes a call searchable by the transcription of its recording, in place of earlier texts; no
   * longer with an empty text. The words stay when the trace is stored again. A call without a
   * trace is not found.
   */
  addRecorded: (call: Call, texts: readonly string[]) => Promise<void>
  /** The figures of a span. The owner is an account, or else a service provider. */
  figures: (owner: Owner, span: Span, options: VoiceOptions) => Promise<VoiceFigures>
  /** Newest first. `total` counts all matches. */
  list: (filter: VoiceFilter, page: Page) => Promise<{ data: Call[]; total: number }>
  /** All matches, newest first, streamed for exports in constant memory. */
  each: (filter: VoiceFilter) => AsyncIterable<Call>
  close: () => Promise<void>
}
