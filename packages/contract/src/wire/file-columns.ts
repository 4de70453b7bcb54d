import { z } from 'zod'
import { t } from './text.ts'

const MESSAGE = t('Enter names of columns of the file, separated by commas')

/** Which columns an exported file has, and in which order, in a query: `number,account`. Absent, all of them. */
export const fileColumns = <C extends string>(all: readonly C[]) => ({
  columns: z
    .string(MESSAGE)
    .max(2_000, MESSAGE)
    .transform((text) => [...new Set(text.split(',').map((name) => name.trim()))])
    .pipe(z.array(z.enum(all, MESSAGE)))
    .optional(),
})
