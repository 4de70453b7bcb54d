import { z } from 'zod'
import { Flag, Sid } from './common.ts'
import { endpoints } from './endpoint.ts'

/** Where the platform's border controllers are reached, for carriers to let them through. */
export const SbcAddress = z.object({
  sbc_address_sid: z.string(),
  ipv4: z.string(),
  port: z.number(),
  tls_port: z.number().nullable(),
  wss_port: z.number().nullable(),
  service_provider_sid: z.string().nullable(),
  last_updated: z.string().nullable(),
})
export type SbcAddress = z.infer<typeof SbcAddress>

export const SmppAddress = z.object({
  smpp_address_sid: z.string(),
  ipv4: z.string(),
  port: z.number(),
  use_tls: Flag,
  is_primary: Flag,
  service_provider_sid: z.string().nullable(),
})
export type SmppAddress = z.infer<typeof SmppAddress>

const query = z.object({ service_provider_sid: Sid.optional() })

export const signallingAddresses = endpoints({
  sbcs: {
    path: '/Sbcs',
    method: 'GET',
    access: 'account',
    summary: 'SIP addresses of the platform: a service provider’s own, or those all share',
    query,
    response: z.array(SbcAddress),
  },
  smpps: {
    path: '/Smpps',
    method: 'GET',
    access: 'account',
    summary: 'SMPP addresses of the platform: those all share, or those of a service provider',
    query,
    response: z.array(SmppAddress),
  },
})
