import { z } from 'zod'
import { NoContent } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'
import { StringOrNull } from '../wire/fields.ts'
import { FILE_SEPARATORS, isNamedZone } from '../wire/file-columns.ts'
import { plural, t } from '../wire/text.ts'
import { LOCAL_TIME } from '../wire/time-zones.ts'

const THEMES = ['system', 'light', 'dark'] as const
export const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]

/** Kinds of imports, as their endpoints name them. */
export const IMPORT_KINDS = [
  'Accounts',
  'Applications',
  'Clients',
  'PhoneNumbers',
  'Routes',
  'Users',
  'VoipCarriers',
] as const
export type ImportKind = (typeof IMPORT_KINDS)[number]

const MAX_HEADINGS = 100
/** Columns by the heading that stands for them; empty for a column to leave out. */
const HeadingColumns = z
  .record(z.string().max(100), z.string().max(64))
  .refine(
    (headings) => Object.keys(headings).length <= MAX_HEADINGS,
    plural(MAX_HEADINGS, 'At most 1 heading|At most {n} headings'),
  )

/** Null: never chosen, so that each browser keeps its own. */
export const Preferences = z.object({
  /** `local`, `UTC`, or another name of the IANA database. */
  time_zone: StringOrNull,
  /** Null: as the browser says. */
  language: z.enum(LANGUAGES).nullable(),
  theme: z.enum(THEMES).nullable(),
  /** True if the menu hides the list of first steps. */
  hides_getting_started: z.boolean().nullable(),
  /** Separator of the cells in exported files; null for commas. */
  file_separator: z.enum(FILE_SEPARATORS).nullable(),
  /** The clock of times in exported files: that of `time_zone`, or UTC, as null. */
  file_times: z.enum(['utc', 'own']).nullable(),
  /**
   * The columns that the headings of imported files stand for, by kind of import. An update changes only the kinds in
   * it.
   */
  import_columns: z.partialRecord(z.enum(IMPORT_KINDS), HeadingColumns).nullable(),
})
export type Preferences = z.infer<typeof Preferences>

const TimeZone = z
  .string()
  .refine(
    (zone) => zone === LOCAL_TIME || isNamedZone(zone),
    t('Enter a time zone as Europe/Berlin, UTC or local'),
  )

const own = { path: '/Preferences', access: 'account', own: true, personOnly: true } as const

export const preferences = endpoints({
  view: {
    ...own,
    method: 'GET',
    summary: 'Get your own preferences',
    response: Preferences,
  },
  update: {
    ...own,
    method: 'PUT',
    summary: 'Update your own preferences; omitted members keep their values',
    body: Preferences.extend({ time_zone: TimeZone.nullable() }).partial(),
    allowViewOnly: true,
    whileUnpaid: true,
    status: 204,
    response: NoContent,
  },
})
