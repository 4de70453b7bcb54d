import { z } from 'zod'
import { endpoints } from '../wire/endpoint.ts'

/** Get what this server supports beyond a stock API server. The console hides what is not here. */
export const Capabilities = z.object({
  product: z.literal('switchroom'),
  version: z.string(),
  /** Whether mail can be sent. Without it a forgotten password cannot be reset by mail. */
  mail: z.boolean(),
  /** Whether SIP is taken in, or read from a Homer. Without it there are no captures of new calls. */
  captures: z.boolean(),
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
