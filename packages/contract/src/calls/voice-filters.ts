import { z } from 'zod'
import { t } from '../wire/text.ts'
import { PHRASES_MAX, SAID_MAX, wantedWords } from './spoken-words.ts'
import { VOICE_MEASURES, VOICE_PARTS, type VoicePart } from './voice-measures.ts'

const OF = t(
  'Enter recognizer/vendor/language, voice/vendor/voice, vendor/recognition/vendor, vendor/voice/vendor or version/application/value, each percent-encoded',
)
const AT_LEAST = t('Enter a whole number of milliseconds')

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** `recognizer/google/de-DE`. Names that are unknown are empty. */
const Of = z
  .string(OF)
  .max(800, OF)
  .transform((text, ctx) => {
    const [part, ...names] = text.split('/')
    const [first, second] = names.map(decoded)
    const isPart = (VOICE_PARTS as readonly (string | undefined)[]).includes(part)
    if (isPart && names.length === 2 && first !== undefined && second !== undefined)
      return { part: part as VoicePart, names: [first, second] as const }
    ctx.addIssue(OF)
    return z.NEVER
  })

const SAID = t('Enter 1 to 200 characters with at least one word')
const TOO_MANY = t('Enter at most 10 words, or phrases in quotation marks')

/**
 * Only calls in which all of this was said, by anyone, as their traces or the transcriptions of their recordings have it:
 * words, or beginnings of words, and phrases in quotation marks.
 */
export const SaidFilter = z
  .string(SAID)
  .max(SAID_MAX, SAID)
  .transform((text, ctx) => {
    const wanted = wantedWords(text)
    if (wanted.length > 0 && wanted.length <= PHRASES_MAX) return wanted
    ctx.addIssue(wanted.length === 0 ? SAID : TOO_MANY)
    return z.NEVER
  })

/** Selects calls whose conversation was counted for a figure. */
export const voiceFilters = {
  /** Counted for this. Without it: for whatever `voice_of` counts. */
  voice: z.enum(VOICE_MEASURES, t('Enter a conversation measure, such as turns')).optional(),
  voice_of: Of.optional(),
  /** Least time in milliseconds, rounded to two digits, if the figure has times. */
  at_least: z.coerce
    .number<number>(AT_LEAST)
    .int(AT_LEAST)
    .min(0, AT_LEAST)
    .max(86_400_000, AT_LEAST)
    .optional(),
}
