import { VOICE_MEASURES } from '@switchroom/contract'
import { oneOf } from '../lib/list-search'

/** A part and two names, percent-encoded. */
const VOICE_OF = /^(recognizer|voice|vendor|version)(\/([^/%]|%[\dA-Fa-f]{2})*){2}$/

/** Voice filters in the URL of a list. */
export type VoiceSearch = { voice?: string; voice_of?: string; at_least?: string }

/** The same as the endpoints take it. Drops values that they would reject. */
export const voiceFilters = ({ voice, voice_of, at_least }: VoiceSearch) => ({
  voice: oneOf(VOICE_MEASURES, voice),
  voice_of: voice_of && VOICE_OF.test(voice_of) ? voice_of : undefined,
  at_least: at_least && /^\d{1,7}$/.test(at_least) ? Number(at_least) : undefined,
})
