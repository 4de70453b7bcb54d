import { z } from 'zod'
import { Flag, Sid } from '../wire/common.ts'
import { adds, endpoints } from '../wire/endpoint.ts'
import { StringOrNull } from '../wire/fields.ts'

const text = StringOrNull

export const PredefinedCarrier = z.object({
  predefined_carrier_sid: z.string(),
  name: z.string(),
  requires_static_ip: Flag,
  e164_leading_plus: Flag,
  requires_register: Flag,
  register_username: text,
  register_sip_realm: text,
  register_password: text,
  tech_prefix: text,
  inbound_auth_username: text,
  inbound_auth_password: text,
  diversion: text,
  trunk_type: z.string(),
})
export type PredefinedCarrier = z.infer<typeof PredefinedCarrier>

export const predefinedCarriers = endpoints({
  list: {
    path: '/PredefinedCarriers',
    access: 'public',
    method: 'GET',
    summary: 'List predefined carriers',
    response: z.array(PredefinedCarrier),
  },
  addToAccount: {
    path: '/Accounts/:account_sid/PredefinedCarriers/:predefined_carrier_sid',
    params: z.object({ account_sid: Sid, predefined_carrier_sid: Sid }),
    access: 'account',
    ...adds,
    summary: 'Add a predefined carrier with its gateways to an account',
  },
  addToServiceProvider: {
    path: '/ServiceProviders/:service_provider_sid/PredefinedCarriers/:predefined_carrier_sid',
    params: z.object({ service_provider_sid: Sid, predefined_carrier_sid: Sid }),
    access: 'service_provider',
    ...adds,
    summary: 'Add a predefined carrier with its gateways to a service provider',
  },
})
