import { z } from 'zod'
import { endpoints } from '../wire/endpoint.ts'
import { StringOrNull } from '../wire/fields.ts'

/**
 * Features of this server beyond a stock API server. The console hides the rest. Strangers read it, so the version is
 * elsewhere, in the system's health.
 */
export const Capabilities = z.object({
  product: z.literal('switchroom'),
  /** True if email is configured. Password resets need it. */
  mail: z.boolean(),
  /** True if SIP captures are received here or read from Homer. */
  captures: z.boolean(),
  /** True if creations honour `Idempotency-Key`. */
  idempotency: z.literal(true).optional(),
  /** The host name that passkeys are bound to. Null where the console has no host name. */
  passkey_host: StringOrNull,
  /** The name on the log-in button; absent where single sign-on is off. */
  single_sign_on: z.string().optional(),
})
export type Capabilities = z.infer<typeof Capabilities>

export const system = endpoints({
  capabilities: {
    path: '/Capabilities',
    access: 'public',
    method: 'GET',
    summary: 'Get what this server supports beyond a stock API server',
    own: true,
    response: Capabilities,
  },
})
