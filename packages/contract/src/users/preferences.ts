import { z } from 'zod'
import { NoContent } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'
import { t } from '../wire/text.ts'
import { isTimeZone } from '../wire/time-zones.ts'

const THEMES = ['system', 'light', 'dark'] as const
const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]

/** `time_zone` of those who want the time zone of their browser, wherever they are. */
export const LOCAL_TIME = 'local'

const MAX_ZONE = 64

/** Offsets (`+05:30`) are no names: they know no summer time, and not every browser knows them. */
const isNamedZone = (zone: string) =>
  zone.length <= MAX_ZONE && /^[A-Za-z]/.test(zone) && isTimeZone(zone)

/** Null: never chosen, so that each browser keeps its own. */
export const Preferences = z.object({
  /** `local`, `UTC`, or another name of the IANA database. */
  time_zone: z.string().nullable(),
  /** Null: as the browser says. */
  language: z.enum(LANGUAGES).nullable(),
  theme: z.enum(THEMES).nullable(),
  /** Whether the menu leaves out the list of first steps. */
  hides_getting_started: z.boolean().nullable(),
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
    summary: 'Change your own preferences; what is omitted stays as it is',
    body: Preferences.extend({ time_zone: TimeZone.nullable() }).partial(),
    allowViewOnly: true,
    whileUnpaid: true,
    status: 204,
    response: NoContent,
  },
})
