import { z } from 'zod'

export const ROLES = ['admin', 'service_provider', 'account'] as const
export type Role = (typeof ROLES)[number]

/** The claims of a session token. The server verifies the signature; the console only reads them. */
export const TokenClaims = z.object({
  scope: z.enum(ROLES),
  user_sid: z.string(),
  name: z.string().optional(),
  permissions: z.array(z.string()).default([]),
  is_view_only: z.boolean().default(false),
  force_change: z.boolean().default(false),
  /** The user must set up a second factor before anything else. */
  second_factor_due: z.boolean().optional(),
  service_provider_sid: z.string().nullish(),
  service_provider_name: z.string().nullish(),
  account_sid: z.string().nullish(),
  account_name: z.string().nullish(),
  jti: z.string().optional(),
  /** Time of issue in milliseconds; `iat` has only seconds. */
  iat_ms: z.number().optional(),
  iat: z.number().optional(),
  exp: z.number().optional(),
})
export type TokenClaims = z.infer<typeof TokenClaims>
