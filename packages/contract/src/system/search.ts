import { z } from 'zod'
import { Sid } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'
import { Integer, IntegerOrNull, StringOrNull } from '../wire/fields.ts'
import { searchText } from '../wire/search-text.ts'
import { t } from '../wire/text.ts'

/** Kinds that a search finds, in the order of its results. Things are named as in the audit log. */
export const FOUND_KINDS = [
  'account',
  'phone_number',
  'application',
  'voip_carrier',
  'client',
  'user',
  'speech_credential',
  'lcr',
  'ms_teams_tenant',
  'service_provider',
  'call',
] as const

export const Found = z.object({
  kind: z.enum(FOUND_KINDS),
  /** For a call, its call_sid. */
  sid: z.string(),
  name: z.string(),
  /** Detail that tells it from others of its name, such as its account. */
  detail: StringOrNull,
  /** Other match that is shown, such as the address of a gateway. */
  found_by: StringOrNull,
  /** True if it is only similar to the text typed, because there is no exact match. */
  is_similar: z.boolean(),
  /** Provider of the thing or of its account. */
  service_provider_sid: StringOrNull,
})
export type Found = z.infer<typeof Found>

/** The most results of a kind. */
export const FOUND_MAX = 6

/** Fewer digits are in too many calls. */
const MIN_DIGITS = 3
const NOT_A_NUMBER = t('Enter a phone number of at least three digits')

/** A number: who has it, and how its calls went in the last 24 hours. */
export const NumberAnswer = z.object({
  /** Digits of the number, by which its calls were found. */
  digits: z.string(),
  /** Null if the number is nobody's, or out of the caller's scope. */
  phone_number: z
    .object({
      phone_number_sid: z.string(),
      number: z.string(),
      account_sid: StringOrNull,
      account_name: StringOrNull,
      application_sid: StringOrNull,
      application_name: StringOrNull,
      voip_carrier_sid: StringOrNull,
      voip_carrier_name: StringOrNull,
      service_provider_sid: StringOrNull,
    })
    .nullable(),
  /** Null for an API key that may not read calls. */
  calls: z
    .object({
      total: Integer,
      answered: Integer,
      last_failure: z
        .object({
          call_sid: StringOrNull,
          attempted_at: z.iso.datetime(),
          sip_status: IntegerOrNull,
          termination_reason: StringOrNull,
        })
        .nullable(),
    })
    .nullable(),
})
export type NumberAnswer = z.infer<typeof NumberAnswer>

export const search = endpoints({
  find: {
    path: '/Search',
    access: 'account',
    method: 'GET',
    summary:
      'Find things by anything that they show, and calls by ID; the best matches of each kind',
    own: true,
    costs: 'searches',
    query: z.object({
      q: z.string(t('Enter a search term')).trim().min(1, t('Enter a search term')).max(100),
      /** Only what is of this provider and its accounts. */
      service_provider_sid: Sid.optional(),
    }),
    response: z.object({ data: z.array(Found) }),
  },
  number: {
    path: '/Search/Number',
    access: 'account',
    method: 'GET',
    summary: 'Get the owner of a number, and how its calls went in the last 24 hours',
    own: true,
    costs: 'searches',
    query: z.object({
      number: z
        .string(NOT_A_NUMBER)
        .trim()
        .max(100)
        .refine((text) => (searchText(text).digits ?? '').length >= MIN_DIGITS, NOT_A_NUMBER),
    }),
    response: NumberAnswer,
  },
})
