import { z } from 'zod'
import { Flag, FlagIn, Int, Sid, SidOrNull } from '../wire/common.ts'
import { adds, endpoints, removes } from '../wire/endpoint.ts'
import { NumberOrNull, StringOrNull } from '../wire/fields.ts'
import { t } from '../wire/text.ts'
import { addressKind, MAX_PORT } from './gateway-rules.ts'

/** The addresses of the platform's SBCs, for carriers' allow-lists. */
export const SbcAddress = z.object({
  sbc_address_sid: z.string(),
  ipv4: z.string(),
  port: z.number(),
  tls_port: NumberOrNull,
  wss_port: NumberOrNull,
  service_provider_sid: StringOrNull,
  last_updated: StringOrNull,
})
export type SbcAddress = z.infer<typeof SbcAddress>

export const SmppAddress = z.object({
  smpp_address_sid: z.string(),
  ipv4: z.string(),
  port: z.number(),
  use_tls: Flag,
  is_primary: Flag,
  service_provider_sid: StringOrNull,
})
export type SmppAddress = z.infer<typeof SmppAddress>

/** An address that an administrator adds. SBCs register their own. */
const address = {
  ipv4: z
    .string()
    .trim()
    .refine((a) => addressKind(a) === 'ip', t('Please provide a valid IP address')),
  service_provider_sid: SidOrNull.optional(),
}
const Port = Int(1, MAX_PORT)

const query = z.object({ service_provider_sid: Sid.optional() })

export const signallingAddresses = endpoints({
  sbcs: {
    path: '/Sbcs',
    method: 'GET',
    access: 'account',
    summary: 'List the platform’s SIP addresses, shared or of a service provider',
    query,
    response: z.array(SbcAddress),
  },
  smpps: {
    path: '/Smpps',
    method: 'GET',
    access: 'account',
    summary: 'List the platform’s SMPP addresses, shared or of a service provider',
    query,
    response: z.array(SmppAddress),
  },
  addSbc: {
    path: '/Sbcs',
    ...adds,
    access: 'admin',
    summary: 'Add a platform SIP address',
    body: z.object({
      ...address,
      port: Port.default(5060),
      tls_port: Port.nullish(),
      wss_port: Port.nullish(),
    }),
  },
  removeSbc: {
    path: '/Sbcs/:sbc_address_sid',
    params: z.object({ sbc_address_sid: Sid }),
    ...removes,
    access: 'admin',
    summary: 'Remove a platform SIP address',
  },
  addSmpp: {
    path: '/Smpps',
    ...adds,
    access: 'admin',
    summary: 'Add a platform SMPP address',
    body: z.object({
      ...address,
      port: Port.default(2775),
      use_tls: FlagIn.default(0),
      is_primary: FlagIn.default(1),
    }),
  },
  removeSmpp: {
    path: '/Smpps/:smpp_address_sid',
    params: z.object({ smpp_address_sid: Sid }),
    ...removes,
    access: 'admin',
    summary: 'Remove a platform SMPP address',
  },
})
