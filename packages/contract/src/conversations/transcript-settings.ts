import { z } from 'zod'
import { ofAccount, Sid, versioned } from '../wire/common.ts'
import { endpoints, updates, views } from '../wire/endpoint.ts'
import { StringOrNull } from '../wire/fields.ts'
import { isSecretName } from '../wire/secret-names.ts'
import { t } from '../wire/text.ts'
import { WORDS_KEPT } from './words-kept.ts'

export const WordsKept = z.enum(WORDS_KEPT, t('Choose whether words are kept, masked or left out'))
export type WordsKept = z.infer<typeof WordsKept>

export const MINUTES_A_DAY_MAX = 10_000
const MINUTES = t('Enter a whole number of minutes from 1 to 10,000')
const LANGUAGE = t('Enter the code of a language, such as en-US')

export const NOT_WITHOUT_WORDS = t('Recordings cannot be transcribed while words are left out')

/** The service that recordings are sent to, and the language that is spoken in them. */
export const TranscribedWith = z.object({
  speech_credential_sid: Sid,
  /** Null for the vendor's default. */
  language: z.string(LANGUAGE).trim().min(1, LANGUAGE).max(20, LANGUAGE).nullable(),
})
export type TranscribedWith = z.infer<typeof TranscribedWith>

const SPLIT = t('Enter a name of at most 100 characters')
export const SECRET_SPLIT = t('What holds a secret cannot split figures')

/**
 * Versions of an account's applications are told apart by this: an environment variable of each application, or a member of
 * the data that its `tag` verb sets. Everybody who sees the figures of conversations sees its values.
 */
export const FigureSplit = z.object({
  source: z.enum(['variable', 'tag'], t('Choose an environment variable or a tag')),
  name: z
    .string(SPLIT)
    .trim()
    .min(1, SPLIT)
    .max(100, SPLIT)
    .refine((name) => !isSecretName(name), SECRET_SPLIT),
})
export type FigureSplit = z.infer<typeof FigureSplit>

export const TranscriptSettingsBody = z.object({
  words: WordsKept,
  /** Each recording is transcribed when its call is over; null if none is unless somebody asks for it. */
  automatic: TranscribedWith.extend({
    /** Minutes of speech per day, both sides added up. Recordings beyond the limit are not transcribed that day. */
    minutes_a_day: z.number(MINUTES).int(MINUTES).min(1, MINUTES).max(MINUTES_A_DAY_MAX, MINUTES),
  }).nullable(),
  /** Splits the figures of new calls by version; null if they are not split. */
  split: FigureSplit.nullable(),
})
export type TranscriptSettingsBody = z.infer<typeof TranscriptSettingsBody>

export const TranscriptSettings = TranscriptSettingsBody.extend({
  /** Time of the last change of `words`; null if there was none. */
  words_since: StringOrNull,
})
export type TranscriptSettings = z.infer<typeof TranscriptSettings>

const one = { ...ofAccount('/TranscriptSettings'), own: true } as const

export const transcriptSettings = endpoints({
  view: {
    ...one,
    ...views,
    summary: 'Get the transcript settings of an account',
    response: TranscriptSettings.extend(versioned),
  },
  update: {
    ...one,
    ...updates,
    summary: 'Update the transcript settings of an account',
    body: TranscriptSettingsBody.partial(),
  },
})
