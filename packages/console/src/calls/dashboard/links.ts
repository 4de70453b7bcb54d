import type { ScoreFilter, VoiceMeasure } from '@switchroom/contract'
import type { Ends } from '../call-span'
import { isoEnds } from '../call-span'

/** The calls that a figure counts, as filters of the list. */
export type FigureFilter = {
  account_sid?: string | undefined
  answered?: 'true' | 'false' | 'known' | 'unknown'
  sip_status?: number
  trunk?: string
  application_sid?: string
  direction?: 'inbound' | 'outbound'
  /** Digits that called numbers begin with. */
  prefix?: string
  /** The member that records are without, where figures say unknown. */
  missing?: 'trunk' | 'account_sid' | 'application_sid' | 'sip_status'
  /** A number, as text within either end. */
  filter?: string
  /**
   * Conversation filter: a voice measure, for a recognizer, voice or vendor, with a time of at least `at_least` ms.
   */
  voice?: VoiceMeasure
  voice_of?: string
  at_least?: number
  /** Scored calls, by their result. */
  score?: ScoreFilter
  /** Calls by what their model sessions used. */
  tokens_at_least?: number
  cost_at_least?: number
}

/** A link to exactly the calls that a figure counts. */
export function callsHref(ends: Ends, filter: FigureFilter): string {
  const params = Object.entries({ ...filter, ...isoEnds(ends) }).filter(([, v]) => v !== undefined)
  return `/internal/recent-calls?${new URLSearchParams(params.map(([k, v]) => [k, String(v)]))}`
}
