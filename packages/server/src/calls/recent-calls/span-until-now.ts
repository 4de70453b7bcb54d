import { type CallSpan, t } from '@switchroom/contract'
import type { z } from 'zod'
import { invalidField } from '../../http/failure.ts'
import type { Span } from '../../stores/calls/store.ts'
import { spanOf } from './queries.ts'

const MINUTE_MS = 60_000

/** The period of figures, not beyond the current minute, in which there are no calls yet. Throws 400 without a beginning. */
export function spanUntilNow(query: z.output<typeof CallSpan>): Span {
  if (query.days === undefined && query.start === undefined)
    throw invalidField('days', t('Enter days or start'))
  const { from, to } = spanOf(query)
  return {
    from,
    to: Math.max(from, Math.min(to, Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS)),
  }
}
