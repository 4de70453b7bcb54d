import { z } from 'zod'
import { Sid } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'
import { hidden } from '../wire/hidden.ts'
import { t } from '../wire/text.ts'
import { SpanAttribute } from './span-attribute.ts'

/** The trace id of a call without a trace. */
export const NO_TRACE = '0'.repeat(32)

/** Ids are hexadecimal, times are nanoseconds since 1970 as text. */
export const TraceSpan = z.object({
  traceId: z.string(),
  spanId: z.string(),
  /** Empty for a root span. */
  parentSpanId: z.string(),
  name: hidden(z.string(), 'text'),
  kind: z.string(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: z.array(SpanAttribute),
})
export type TraceSpan = z.infer<typeof TraceSpan>

const SpansOfScope = z.object({
  scope: z.object({ name: z.string(), version: z.string() }),
  spans: z.array(TraceSpan),
})
export const ResourceSpans = z.object({
  resource: z.object({ attributes: z.array(SpanAttribute) }),
  scopeSpans: z.array(SpansOfScope),
  /** Alias under the older name, which platform clients read. */
  instrumentationLibrarySpans: z.array(SpansOfScope),
})
export type ResourceSpans = z.infer<typeof ResourceSpans>

export const Trace = z.object({
  resourceSpans: z.array(ResourceSpans),
  /** True if spans were left out. A stock server does not tell. */
  cut: z.boolean().optional(),
})
export type Trace = z.infer<typeof Trace>

export const TraceId = z
  .string()
  .regex(/^[\da-f]{32}$/i, t('Bad request'))
  .transform((id) => id.toLowerCase())
const one = { method: 'GET', response: Trace } as const

export const traces = endpoints({
  ofAccount: {
    ...one,
    path: '/Accounts/:account_sid/RecentCalls/trace/:trace_id',
    params: z.object({ account_sid: Sid, trace_id: TraceId }),
    access: 'account',
    summary: 'Get the trace of a call of an account',
  },
  ofServiceProvider: {
    ...one,
    path: '/ServiceProviders/:service_provider_sid/RecentCalls/trace/:trace_id',
    params: z.object({ service_provider_sid: Sid, trace_id: TraceId }),
    access: 'service_provider',
    summary: 'Get the trace of a call of a service provider’s accounts',
  },
})
