import type { TimedMeasure, VoicePart } from '@switchroom/contract'
import type { FigureFilter } from '../../calls/dashboard/links'

/** A recognizer, voice or vendor as the list's filter has it: `recognizer/google/de-DE`. Unknown names are empty. */
export const voiceOf = (part: VoicePart, first: string | null, second: string | null) =>
  [part, ...[first, second].map((name) => encodeURIComponent((name ?? '').toWellFormed()))].join(
    '/',
  )

/** Filter for calls with such a time of at least `ms`, within `of`. Undefined if the time is unknown. */
export const atLeast = (
  voice: TimedMeasure,
  ms: number | null,
  of?: FigureFilter,
): FigureFilter | undefined => (ms === null ? undefined : { ...of, voice, at_least: ms })
