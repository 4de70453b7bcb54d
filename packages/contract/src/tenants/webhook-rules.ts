import type { Refusal } from '../wire/refusals.ts'
import { t } from '../wire/text.ts'

export const WEBHOOK_METHODS = ['POST', 'GET'] as const

export const BASIC_AUTH_NEEDS_BOTH = t(
  'When using HTTP basic authentication both the username and password fields are required.',
)

const PROTOCOLS = ['http:', 'https:', 'ws:', 'wss:']

type UrlProblem = Pick<Refusal, 'message' | 'params'>

/** The message for people, and the platform's own, which names the webhook. */
const problem = (message: string, said: (hook: string) => string): UrlProblem => ({
  message,
  params: { msg: (path) => said(String(path.at(-2) ?? 'webhook')) },
})

/** Why the platform cannot call this URL; undefined if it can. */
export function webhookUrlProblem(url: string): UrlProblem | undefined {
  if (url !== url.trim())
    return problem(t('The URL cannot begin or end with a space'), (hook) =>
      t('{hook} URL contains leading/trailing whitespace', { hook }),
    )
  let parsed: URL
  try {
    parsed = new URL(url)
  } catch {
    return problem(t('Enter a valid URL'), (hook) => t('{hook} URL is invalid', { hook }))
  }
  if (!PROTOCOLS.includes(parsed.protocol))
    return problem(t('The URL must begin with http://, https://, ws:// or wss://'), (hook) =>
      t('{hook} URL has missing or invalid protocol {protocol}', {
        hook,
        protocol: parsed.protocol,
      }),
    )
  if (!/^[a-z0-9.-]+$/i.test(parsed.hostname))
    return problem(
      t('The URL has an invalid host name: {hostname}', { hostname: parsed.hostname }),
      (hook) =>
        t('{hook} URL has invalid hostname {hostname}', { hook, hostname: parsed.hostname }),
    )
}
