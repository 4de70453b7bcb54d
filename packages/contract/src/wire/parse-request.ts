import { ApiError } from './client.ts'
import type { Endpoint, Sent } from './endpoint.ts'
import { issuesFrom } from './error-body.ts'
import { GENERIC_ERROR } from './errors.ts'
import { plainError } from './plain-messages.ts'
import { membersOf } from './records.ts'

/**
 * The request body for a form's values: the output of the schema, so null for an empty
 * choice, trimmed text, real numbers and no unknown fields. Throws the `ApiError` that
 * the server would return for an invalid body.
 */
export function parseRequest<E extends Endpoint>(e: E, sent: Sent<E>): Sent<E> {
  if (!e.body) return sent
  const parsed = e.body.safeParse(membersOf(sent).body, { error: plainError })
  if (parsed.success) return { ...sent, body: parsed.data }
  const issues = issuesFrom(parsed.error)
  const msg = issues[0]?.message ?? GENERIC_ERROR
  throw new ApiError(400, { code: 'invalid', msg, request_id: '', issues })
}
