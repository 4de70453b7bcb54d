import { z } from 'zod'
import { fileOptions } from './file-options.ts'
import { t } from './text.ts'

const MESSAGE = t('Enter names of columns of the file, separated by commas')

/** How an exported file is written, and which columns it has, in which order: `number,account`. Absent, all of them. */
export const fileColumns = <C extends string>(all: readonly C[]) => ({
  ...fileOptions,
  columns: z
    .string(MESSAGE)
    .max(2_000, MESSAGE)
    .transform((text) => [...new Set(text.split(',').map((name) => name.trim()))])
    .pipe(z.array(z.enum(all, MESSAGE)))
    .optional(),
})
