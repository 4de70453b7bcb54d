import { z } from 'zod'
import { Integer } from './fields.ts'
import { hidden } from './hidden.ts'

/** The body of a request or a response, as logs keep it. */
export const RequestBody = z.object({
  /** UTF-8, with secrets masked. */
  text: hidden(z.string(), 'text'),
  /** The size of the whole body. */
  bytes: Integer,
  /** True if only the beginning is kept. */
  is_cut: z.boolean(),
})
export type RequestBody = z.infer<typeof RequestBody>
