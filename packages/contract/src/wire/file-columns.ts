import { z } from 'zod'
import { t } from './text.ts'
import { isTimeZone } from './time-zones.ts'

const MAX_ZONE = 64

/** Offsets (`+05:30`) are no names: they know no summer time, and not every browser knows them. */
export const isNamedZone = (zone: string) =>
  zone.length <= MAX_ZONE && /^[A-Za-z]/.test(zone) && isTimeZone(zone)

const ZONE = t('Enter a time zone, such as Europe/Berlin')

export const FILE_SEPARATORS = ['comma', 'semicolon', 'tab'] as const

/** Format of an exported file. */
export const fileOptions = {
  separator: z.enum(FILE_SEPARATORS, t('Enter comma, semicolon or tab')).optional(),
  /** Times by the clock of this zone, which a column more names. Absent: UTC, as 2026-01-31T12:00:00.000Z. */
  time_zone: z.string(ZONE).refine(isNamedZone, ZONE).optional(),
}
export type FileOptions = { [K in keyof typeof fileOptions]?: z.infer<(typeof fileOptions)[K]> }

const MESSAGE = t('Enter names of columns of the file, separated by commas')

/** Format of an exported file, and its columns in order: `number,account`. All columns if absent. */
export const fileColumns = <C extends string>(all: readonly C[]) => ({
  ...fileOptions,
  columns: z
    .string(MESSAGE)
    .max(2_000, MESSAGE)
    .transform((text) => [...new Set(text.split(',').map((name) => name.trim()))])
    .pipe(z.array(z.enum(all, MESSAGE)))
    .optional(),
})
