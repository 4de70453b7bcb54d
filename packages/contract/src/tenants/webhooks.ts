import { z } from 'zod'
import { SecretOrNull, Sid, TextOrNull } from '../wire/common.ts'
import { adds, endpoints } from '../wire/endpoint.ts'
import { StringOrNull } from '../wire/fields.ts'
import { hidden } from '../wire/hidden.ts'
import { BASIC_AUTH_NEEDS_BOTH, WEBHOOK_METHODS, webhookUrlProblem } from './webhook-rules.ts'

/** A stored webhook. Its password is in clear text on a single read: platform clients send hooks back as read. */
export const Webhook = z.object({
  url: hidden(z.string(), 'url'),
  method: z.string(),
  username: StringOrNull,
  password: hidden(StringOrNull),
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

type HookBody = { url: string; username?: string | null; password?: string | null }

const check = (hook: HookBody, ctx: z.RefinementCtx) => {
  const wrong = hook.url ? webhookUrlProblem(hook.url) : undefined
  if (wrong) ctx.addIssue({ code: 'custom', path: ['url'], ...wrong })
  for (const [field, other] of [
    ['username', 'password'],
    ['password', 'username'],
  ] as const) {
    if (hook[other] && !hook[field])
      ctx.addIssue({ code: 'custom', path: [field], message: BASIC_AUTH_NEEDS_BOTH })
  }
}

/** A ws hook is always a GET, since the platform opens a WebSocket. */
const tidy = <H extends { url: string; method?: 'POST' | 'GET' }>(hook: H) => ({
  ...hook,
  method: /^wss?:/i.test(hook.url) ? ('GET' as const) : (hook.method ?? 'POST'),
})

/** A required hook. */
export const RequiredWebhook = () =>
  z
    .object({
      url: z.string().min(1).max(1024),
      ...shape,
    })
    .superRefine(check)
    .transform(tidy)

/** An optional hook: null, {} and an empty url all mean none. */
export const OptionalWebhook = () =>
  z
    .object({ url: z.string().max(1024).default(''), ...shape })
    .superRefine(check)
    .transform(tidy)
    .nullable()
    .transform((hook) => (hook?.url ? hook : null))

export type WebhookIn = z.output<ReturnType<typeof RequiredWebhook>>

/** A webhook in a cell of a CSV file: its URL alone. */
export const WebhookCell = () =>
  z
    .string()
    .max(1024)
    .superRefine((url, ctx) => {
      const wrong = webhookUrlProblem(url)
      if (wrong) ctx.addIssue({ code: 'custom', ...wrong })
    })

/** The default method for a hook with this URL. */
export const defaultWebhookMethod = (url: string) => (/^wss?:/i.test(url) ? 'GET' : 'POST')

/** Per provider or account, because unused webhooks cannot be deleted. */
export const WEBHOOKS_PER_HOUR = 100

/** The platform's endpoints for single webhooks. Elsewhere hooks are part of their resource. */
export const webhooks = endpoints({
  create: {
    path: '/Webhooks',
    access: 'account',
    ...adds,
    summary: 'Add a webhook',
    body: RequiredWebhook(),
  },
  view: {
    path: '/Webhooks/:webhook_sid',
    params: z.object({ webhook_sid: Sid }),
    access: 'admin',
    method: 'GET',
    summary: 'Get a webhook',
    response: WebhookWithSid,
  },
})
