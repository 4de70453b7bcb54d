import type { Call, VoiceFigures, VoiceMeasure } from '@switchroom/contract'
import type { Count, CountedBy } from '../../talk/counts.ts'
import type { CallFilter, Owner, Page, Span } from '../calls/store.ts'

/** A call whose trace tells how caller and application talked. */
export type VoiceCall = {
  /** 32 lower-case hexadecimal digits. */
  trace_id: string
  /** Its record, which says whose it is and when it was: lists behind a figure show this. */
  call: Call
  /** What it counts for, the same each time its trace is read. */
  counts: readonly Count[]
  /** What was said by anyone, as `wordsOf` has it. */
  words?: string
  /** When the last of its spans came, in milliseconds since 1970. Of two processes, the one counts that has seen more. */
  came?: number
}

/** Whether a trace is named, and not by zeros, which are none. */
export const isTraceId = (trace_id: string | null): trace_id is string =>
  trace_id !== null && /^(?!0*$)[\da-f]{32}$/.test(trace_id)

/** Only calls that were counted for this; if the measure has times, with one of at least as many milliseconds. */
export type Counted = { by: CountedBy; key: string; measure: VoiceMeasure; at_least?: number }

/** Only calls in which all of this was said, as `wantedWords` has it. */
export type Said = {
  wanted: readonly string[]
  /**
   * Accounts whose earlier words are not searched: only calls of this time or later are found, in milliseconds since 1970,
   * and none without a time.
   */
  except: readonly { account_sid: string; since?: number }[]
}

export type VoiceFilter = CallFilter & { counted?: Counted; said?: Said }

/** A sum of counts: of an hour that begins at `at`, in milliseconds, or of several hours, if undefined. */
export type Sum = Count & { at: number | undefined }

export type VoiceOptions = { application_sid?: string; time_zone?: string }

/** A store of what conversations count for. Any may throw `StoreUnavailable`. */
export type VoiceStore = {
  /** Keeps calls, in place of what there was of the same traces. Resolves when they are on disk. */
  keep: (calls: readonly VoiceCall[]) => Promise<void>
  /**
   * Has a call found by what a transcription of its recording says, in place of what was added before; with an empty
   * text, no longer. This stays when its trace is kept again. A call without a trace is not found.
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
