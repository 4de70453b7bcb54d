import type { Endpoint } from '@switchroom/contract'
import { membersOf, plainError, refusalsIn } from '@switchroom/contract'
import { z } from 'zod'
import { invalid } from './failure.ts'
import { textIssues } from './text.ts'

/**
 * Body fields that the endpoint's schema drops. Public endpoints ignore additional fields of other servers' clients.
 */
export function unknownFieldsIn({ body: schema, access }: Endpoint, body: unknown) {
  if (access === 'public' || !(schema instanceof z.ZodObject) || schema.def.catchall) return
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return
  return Object.fromEntries(Object.entries(body).filter(([key]) => !(key in schema.shape)))
}

type Sent = { params: unknown; query: unknown; body?: unknown }

/** Parses params, query and body. Throws 400 for the first part that is invalid, with all its issues. */
export function read(e: Endpoint, { params, query, body }: Sent) {
  const check = (schema: z.ZodType, value: unknown) => {
    const badText = textIssues(value)
    if (badText.length > 0) throw invalid(...badText)
    const parsed = schema.safeParse(value, { error: plainError })
    if (parsed.success) return parsed.data
    throw invalid(...refusalsIn(parsed.error.issues, value, e.refusals))
  }
  return {
    params: e.params && check(e.params, params),
    query: e.query && check(e.query, withoutEmpty(e, membersOf(query))),
    // a file is read once the rest is valid
    body: e.takesFile || e.takesCsv ? undefined : e.body && check(e.body, body ?? {}),
  }
}

/**
 * Drops empty query parameters, except `page` of a list, which then means the first page, as on the
 * platform.
 */
const withoutEmpty = (e: Endpoint, query: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(query).filter(([name, v]) => v !== '' || (e.list && name === 'page')),
  )
