import type { Refusal } from '../wire/refusals.ts'

export const WEBHOOK_METHODS = ['POST', 'GET'] as const

export const BASIC_AUTH_NEEDS_BOTH =
  'When using HTTP basic authentication both the username and password fields are required.'

const PROTOCOLS = ['http:', 'https:', 'ws:', 'wss:']

type UrlProblem = Pick<Refusal, 'message' | 'params'>

/** The message for people, and the platform's own for the field. */
const problem = (message: string, text: string): UrlProblem => ({
  message,
  params: { msg: (path) => `${path.at(-2) ?? 'webhook'} URL ${text}` },
})

/** Why the platform cannot call this URL; undefined if it can. */
export function webhookUrlProblem(url: string): UrlProblem | undefined {
  if (url !== url.trim())
    return problem(
      'The URL cannot begin or end with a space',
      'contains leading/trailing whitespace',
    )
  let parsed: URL
  try {
    parsed = new URL(url)
  } catch {
    return problem('Enter a valid URL', 'is invalid')
  }
  if (!PROTOCOLS.includes(parsed.protocol))
    return problem(
      'The URL must begin with http://, https://, ws:// or wss://',
      `has missing or invalid protocol ${parsed.protocol}`,
    )
  if (!/^[a-z0-9.-]+$/i.test(parsed.hostname))
    return problem(
      `The URL has an invalid host name: ${parsed.hostname}`,
      `has invalid hostname ${parsed.hostname}`,
    )
}
