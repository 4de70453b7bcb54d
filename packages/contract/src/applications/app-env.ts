import { z } from 'zod'
import { webhookUrlProblem } from '../tenants/webhook-rules.ts'
import { endpoints } from '../wire/endpoint.ts'
import { keysOf } from '../wire/records.ts'
import { t } from '../wire/text.ts'

/** A variable that an application declares. Unknown members are passed on. */
export const AppEnvVariable = z.looseObject({
  type: z.enum(['string', 'number', 'boolean']),
  description: z.string(),
  required: z.boolean().optional(),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  enum: z.array(z.unknown()).optional(),
  obscure: z.boolean().optional(),
  /** The preferred form control: `input`, `textarea` or `filepicker`. */
  uiHint: z.unknown().optional(),
  /** The platform resource whose items are the options: `carriers`. */
  jambonzResource: z.unknown().optional(),
})
export type AppEnvVariable = z.infer<typeof AppEnvVariable>

/** The variables that an application declares, by name. */
export const AppEnvSchema = z
  .record(z.string().regex(/^[a-zA-Z0-9_]+$/), AppEnvVariable)
  .refine((schema) => Object.keys(schema).length > 0)
export type AppEnvSchema = z.infer<typeof AppEnvSchema>

export type AppEnvVars = Record<string, unknown>

/** Why there is no schema: the result of requesting it from the call webhook. */
export const APP_ENV_PROBLEMS = {
  none: t('The application at this URL declares no environment variables.'),
  refused: t('The calling webhook returned an error instead of its environment variables.'),
  not_json: t('The calling webhook did not return a list of environment variables.'),
  invalid: t('The calling webhook returned an invalid list of environment variables.'),
  too_large: t('The calling webhook returned too large a response.'),
  too_late: t('The calling webhook took too long to return its environment variables.'),
  redirect: t(
    'The calling webhook redirects, and redirects are not followed. Enter the final URL.',
  ),
  internal: t(
    'The calling webhook is on an internal network, which this server is not allowed to reach.',
  ),
  unreachable: t('The calling webhook does not answer.'),
} as const
export type AppEnvProblem = keyof typeof APP_ENV_PROBLEMS

const problems = keysOf(APP_ENV_PROBLEMS)

/** The schema, or why there is none. */
export const AppEnvResult = z.union([
  z.object({ schema: AppEnvSchema }),
  z.object({ problem: z.object({ code: z.enum(problems), text: z.string() }) }),
])
export type AppEnvResult = z.infer<typeof AppEnvResult>

const ask = {
  access: 'account',
  method: 'GET',
  query: z.object({
    url: z
      .string()
      .max(1024)
      .superRefine((url, ctx) => {
        // no member of the platform's that its text could name
        const wrong = webhookUrlProblem(url)
        if (wrong) ctx.addIssue({ code: 'custom', message: wrong.message })
      }),
  }),
} as const

export const appEnv = endpoints({
  view: {
    ...ask,
    path: '/AppEnv',
    summary: 'Get the environment variables an application declares; 204 when it declares none',
    response: AppEnvSchema.optional(),
  },
  check: {
    ...ask,
    path: '/AppEnv/Check',
    summary: 'Get the environment variables an application declares, or why there are none',
    own: true,
    response: AppEnvResult,
  },
})
