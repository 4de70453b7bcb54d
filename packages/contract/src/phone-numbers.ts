import { z } from 'zod'
import {
  Created,
  listQuery,
  Nothing,
  pageOf,
  Sid,
  SidOrNull,
  serviceProviderParams,
} from './common.ts'
import { endpoints } from './endpoint.ts'

export const PhoneNumber = z.object({
  phone_number_sid: z.string(),
  number: z.string(),
  voip_carrier_sid: z.string().nullable(),
  account_sid: z.string().nullable(),
  application_sid: z.string().nullable(),
  service_provider_sid: z.string().nullable(),
})
export type PhoneNumber = z.infer<typeof PhoneNumber>

/** Ours adds the names of what it belongs to, so that a list needs no call for them. */
export const PhoneNumberItem = PhoneNumber.extend({
  account_name: z.string().nullable(),
  application_name: z.string().nullable(),
  voip_carrier_name: z.string().nullable(),
})
export type PhoneNumberItem = z.infer<typeof PhoneNumberItem>

export const NUMBER_TAKEN = 'The phone number you have entered is already in use.'

/**
 * Stored without the plus: the platform matches the number as carriers send it.
 * Patterns are numbers too: a trailing * or a regular expression (facts of the DID lookup).
 */
const NewNumber = z
  .string('number is required')
  .trim()
  .min(1, 'number is required')
  .max(132, 'At most 132 characters')
  .refine((n) => !/\s/.test(n), 'number cannot contain whitespace')
  .transform((n) => n.replace(/^\+/, ''))
  .refine((n) => /^[\w.*+?^$()[\]{}|\\/:@-]+$/.test(n), 'Digits, or a pattern of digits')

export const PhoneNumberCreate = z.object({
  number: NewNumber,
  voip_carrier_sid: SidOrNull.optional(),
  account_sid: SidOrNull.optional(),
  application_sid: SidOrNull.optional(),
})

/** A number never changes its digits or its carrier; delete it and add it anew. */
export const PhoneNumberUpdate = z.object({
  account_sid: SidOrNull.optional(),
  application_sid: SidOrNull.optional(),
  number: z.union([z.literal(''), z.null()], 'number may not be modified').optional(),
  voip_carrier_sid: z
    .union([z.literal(''), z.null()], 'voip_carrier_sid may not be modified')
    .optional(),
})

const one = {
  path: '/PhoneNumbers/:phone_number_sid',
  params: z.object({ phone_number_sid: Sid }),
  access: 'account',
} as const
const all = { path: '/PhoneNumbers', access: 'account' } as const
const query = listQuery('number').extend({ account_sid: Sid.optional() })

export const phoneNumbers = endpoints({
  list: {
    ...all,
    method: 'GET',
    summary: 'List phone numbers',
    list: true,
    query: query.extend({ service_provider_sid: Sid.optional() }),
    response: pageOf(PhoneNumberItem),
  },
  ofServiceProvider: {
    path: '/ServiceProviders/:service_provider_sid/PhoneNumbers',
    params: serviceProviderParams,
    access: 'account',
    method: 'GET',
    summary: 'Phone numbers of a service provider’s accounts',
    list: true,
    query,
    response: pageOf(PhoneNumberItem),
  },
  view: { ...one, method: 'GET', summary: 'One phone number', response: PhoneNumber },
  create: {
    ...all,
    method: 'POST',
    summary: 'Add a phone number',
    body: PhoneNumberCreate,
    status: 201,
    response: Created,
  },
  update: {
    ...one,
    method: 'PUT',
    summary: 'Assign a phone number',
    body: PhoneNumberUpdate,
    status: 204,
    response: Nothing,
  },
  remove: {
    ...one,
    method: 'DELETE',
    summary: 'Delete a phone number',
    status: 204,
    response: Nothing,
  },
})

/** Ten digits as (xxx) xxx-xxxx, with an optional leading 1. Undefined for every other number. */
export function formatTenDigits(number: string): string | undefined {
  const m = /^(1)?([2-9]\d{2})([2-9]\d{2})(\d{4})$/.exec(number)
  return m ? `${m[1] ? '+1 ' : ''}(${m[2]}) ${m[3]}-${m[4]}` : undefined
}
