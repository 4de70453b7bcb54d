import { z } from 'zod'
import { Created, SecretOrNull, Sid, TextOrNull } from './common.ts'
import { endpoints } from './endpoint.ts'

const PROTOCOLS = ['http:', 'https:', 'ws:', 'wss:']

/** Why the platform could not call this URL, or undefined when it could. */
export function webhookUrlProblem(url: string, what: string): string | undefined {
  if (url !== url.trim()) return `${what} URL contains leading/trailing whitespace`
  let parsed: URL
  try {
    parsed = new URL(url)
  } catch {
    return `${what} URL is invalid`
  }
  if (!PROTOCOLS.includes(parsed.protocol))
    return `${what} URL has missing or invalid protocol ${parsed.protocol}`
  if (!/^[a-z0-9.-]+$/i.test(parsed.hostname))
    return `${what} URL has invalid hostname ${parsed.hostname}`
}

export const WEBHOOK_METHODS = ['POST', 'GET'] as const

/** A stored webhook. Its password is in clear: platform clients send hooks back as they read them. */
export const Webhook = z.object({
  url: z.string(),
  method: z.string(),
  username: z.string().nullable(),
  password: z.string().nullable(),
})
export type Webhook = z.infer<typeof Webhook>

export const WebhookWithSid = Webhook.extend({ webhook_sid: z.string() })
export type WebhookWithSid = z.infer<typeof WebhookWithSid>

const shape = {
  method: z
    .string()
    .transform((m) => m.toUpperCase())
    .pipe(z.enum(WEBHOOK_METHODS))
    .optional(),
  username: TextOrNull(255).optional(),
  password: SecretOrNull(255).optional(),
}

export const BASIC_AUTH_NEEDS_BOTH =
  'When using HTTP basic authentication both the username and password fields are required.'

type HookBody = { url: string; username?: string | null; password?: string | null }

const check = (what: string) => (hook: HookBody, ctx: z.RefinementCtx) => {
  const problem = hook.url ? webhookUrlProblem(hook.url, what) : undefined
  if (problem) ctx.addIssue({ code: 'custom', path: ['url'], message: problem })
  for (const [field, other] of [
    ['username', 'password'],
    ['password', 'username'],
  ] as const) {
    if (hook[other] && !hook[field])
      ctx.addIssue({ code: 'custom', path: [field], message: BASIC_AUTH_NEEDS_BOTH })
  }
}

/** A ws hook is always a GET: the platform opens a socket, whatever the form said. */
const tidy = <H extends { url: string; method?: 'POST' | 'GET' }>(hook: H) => ({
  ...hook,
  method: /^wss?:/i.test(hook.url) ? ('GET' as const) : (hook.method ?? 'POST'),
})

/** A hook that must be there. `what` is the member's name, which the messages carry. */
export const RequiredWebhook = (what: string) =>
  z
    .object(
      {
        url: z.string('Required').min(1, 'Required').max(1024, 'At most 1024 characters'),
        ...shape,
      },
      `'${what}' must be an object`,
    )
    .superRefine(check(what))
    .transform(tidy)

/** A hook that may be left out: null, {} and an empty url all mean none. */
export const OptionalWebhook = (what: string) =>
  z
    .object(
      { url: z.string().max(1024, 'At most 1024 characters').default(''), ...shape },
      `'${what}' must be an object`,
    )
    .superRefine(check(what))
    .transform(tidy)
    .nullable()
    .transform((hook) => (hook?.url ? hook : null))

export type WebhookIn = z.output<ReturnType<typeof RequiredWebhook>>

/** A webhook in a cell of a CSV file: its URL alone. */
export const WebhookCell = (what: string) =>
  z
    .string('Required')
    .max(1024, 'At most 1024 characters')
    .superRefine((url, ctx) => {
      const problem = webhookUrlProblem(url, what)
      if (problem) ctx.addIssue({ code: 'custom', message: problem })
    })

/** How the platform calls a hook of this URL where nobody says. */
export const methodFor = (url: string) => (/^wss?:/i.test(url) ? 'GET' : 'POST')

/** Of a provider or an account: nobody can take away what nothing names. */
export const WEBHOOKS_PER_HOUR = 100

/** Webhooks on their own, as the platform has them; each is otherwise part of what it is for. */
export const webhooks = endpoints({
  create: {
    path: '/Webhooks',
    access: 'account',
    method: 'POST',
    summary: 'Add a webhook',
    body: RequiredWebhook('webhook'),
    status: 201,
    response: Created,
  },
  view: {
    path: '/Webhooks/:webhook_sid',
    params: z.object({ webhook_sid: Sid }),
    access: 'admin',
    method: 'GET',
    summary: 'One webhook',
    response: WebhookWithSid,
  },
})
