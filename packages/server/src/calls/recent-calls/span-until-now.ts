import { type CallSpan, t } from '@switchroom/contract'
import type { z } from 'zod'
import { invalidField } from '../../http/failure.ts'
import type { Span } from '../../stores/calls/store.ts'
import { spanOf } from './queries.ts'

const MINUTE_MS = 60_000

/** The requested period. Throws 400 without `days` or `start`. */
export function requirePeriod(query: z.output<typeof CallSpan>): Span {
  if (query.days === undefined && query.start === undefined)
    throw invalidField('days', t('Enter days or start'))
  return spanOf(query)
}

/** The requested period, ending no later than the current minute. Throws 400 without `days` or `start`. */
export function spanUntilNow(query: z.output<typeof CallSpan>): Span {
  const { from, to } = requirePeriod(query)
  return {
    from,
    to: Math.max(from, Math.min(to, Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS)),
  }
}
