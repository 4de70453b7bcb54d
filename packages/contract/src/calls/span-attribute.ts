import { z } from 'zod'
import { hidden } from '../wire/hidden.ts'

/**
 * Exactly one is set. Integers are text, since they may exceed JSON's; lists and maps are
 * JSON in `stringValue`.
 */
export const SpanValue = z.object({
  stringValue: z.string().optional(),
  boolValue: z.boolean().optional(),
  intValue: z.string().optional(),
  doubleValue: z.number().optional(),
})
export type SpanValue = z.infer<typeof SpanValue>

/** Webhooks' bodies and headers are among them. */
export const SpanAttribute = hidden(z.object({ key: z.string(), value: SpanValue }), 'attribute')
export type SpanAttribute = z.infer<typeof SpanAttribute>
