import { z } from 'zod'
import {
  listQuery,
  pageOf,
  resource,
  Sid,
  SidOrNull,
  serviceProviderParams,
  TextOrNull,
  versioned,
} from '../wire/common.ts'
import { adds, endpoints, lists, removes, updates, views } from '../wire/endpoint.ts'
import { StringOrNull } from '../wire/fields.ts'
import { fileColumns } from '../wire/file-columns.ts'
import { importEndpoint } from '../wire/import.ts'
import { LATEST_CALLS_SORTS, latestCalls, unusedFilter } from '../wire/latest-calls.ts'
import {
  CHOOSE_A_CHANGE,
  changesSomething,
  exportsMany,
  removesMany,
  selectionOf,
  updatesMany,
} from '../wire/selection.ts'
import { t } from '../wire/text.ts'
import { PHONE_NUMBER_FILE_COLUMNS } from './phone-number-columns.ts'
import { asStored, NOT_A_NUMBER, typedNumberProblem } from './typed-number.ts'

export const PhoneNumber = z.object({
  phone_number_sid: z.string(),
  number: z.string(),
  voip_carrier_sid: StringOrNull,
  account_sid: StringOrNull,
  application_sid: StringOrNull,
  service_provider_sid: StringOrNull,
  /** Switchroom only: what the number is for. */
  description: StringOrNull,
})
export type PhoneNumber = z.infer<typeof PhoneNumber>
export const PhoneNumberView = PhoneNumber.extend(versioned)
export type PhoneNumberView = z.infer<typeof PhoneNumberView>

/** With the names of its account, application and carrier, and its calls, so that lists need no extra requests. */
export const PhoneNumberItem = PhoneNumber.extend({
  account_name: StringOrNull,
  application_name: StringOrNull,
  voip_carrier_name: StringOrNull,
  ...latestCalls,
})
export type PhoneNumberItem = z.infer<typeof PhoneNumberItem>

export const NUMBER_TAKEN = t('The phone number you have entered is already in use.')

/** Digits of any length, with * and # for feature codes; or a regular expression over digits. */
function isNumber(text: string): boolean {
  if (/^[\d*#]+$/.test(text)) return true
  if (!/^(?:[\d*#.+?^$()[\]{}|,:=!-]|\\[dDwWsSbB.*+?^$()[\]{}|/\\-])+$/.test(text)) return false
  try {
    // must be able to match a number: contains a digit or a digit class
    return new RegExp(text) instanceof RegExp && /\d|\.|\\[dwDWS]/.test(text)
  } catch {
    return false
  }
}

/**
 * Stored without the plus: the platform matches the number as carriers send it.
 * Patterns are numbers too: with a trailing *, or a regular expression.
 */
const NewNumber = z
  .string()
  .trim()
  .min(1)
  .max(132)
  .refine((n) => !/\s/.test(n), {
    error: t('The phone number cannot contain spaces'),
    params: { msg: t('number cannot contain whitespace') },
  })
  .transform((n) => n.replace(/^\+/, ''))
  .refine(isNumber, NOT_A_NUMBER)

export const PhoneNumberCreate = z.object({
  number: NewNumber,
  voip_carrier_sid: SidOrNull.optional(),
  account_sid: SidOrNull.optional(),
  application_sid: SidOrNull.optional(),
  description: TextOrNull(255).optional(),
})

export const FIXED_NUMBER_FIELDS = {
  number: t('The number cannot be changed'),
  voip_carrier_sid: t('The carrier cannot be changed'),
} as const

/** Number and carrier cannot change; they may be sent unchanged. */
export const PhoneNumberUpdate = z.object({
  account_sid: SidOrNull.optional(),
  application_sid: SidOrNull.optional(),
  description: TextOrNull(255).optional(),
  number: z.string(FIXED_NUMBER_FIELDS.number).nullish(),
  voip_carrier_sid: z.string(FIXED_NUMBER_FIELDS.voip_carrier_sid).nullish(),
})

/** The things that a number refers to. */
const references = {
  account_sid: Sid.optional(),
  application_sid: Sid.optional(),
  voip_carrier_sid: Sid.optional(),
}
const numberFilters = {
  ...references,
  ...unusedFilter,
  filter: z.string().trim().max(100).optional(),
  service_provider_sid: Sid.optional(),
}

const Selection = selectionOf('phone_number_sids', numberFilters, t('Choose a number'))
export type PhoneNumberSelection = z.infer<typeof Selection>

/**
 * A change to selected phone numbers. Omitted members keep their values, but a number that moves to another account
 * loses
 * its application.
 */
export const PhoneNumbersUpdate = z
  .object({
    select: Selection,
    account_sid: SidOrNull.optional(),
    application_sid: SidOrNull.optional(),
    /** Only here: a single number keeps its carrier, as on a stock server. */
    voip_carrier_sid: Sid.optional(),
    description: TextOrNull(255).optional(),
  })
  .refine(changesSomething, { path: ['application_sid'], message: CHOOSE_A_CHANGE })

/** A number as people write it, which is stored in digits. */
export const BroughtNumber = z
  .string()
  .trim()
  .transform(asStored)
  .superRefine((number, ctx) => {
    const message = typedNumberProblem(number)
    if (message) ctx.addIssue({ code: 'custom', message })
  })
  .pipe(NewNumber)

/** A row of the CSV import and export of numbers. References are names or sids. */
export const PhoneNumberRow = z.object({
  number: BroughtNumber,
  account: TextOrNull(64).default(null),
  carrier: TextOrNull(64).default(null),
  application: TextOrNull(64).default(null),
  description: TextOrNull(255).default(null),
})

const { one, all } = resource('/PhoneNumbers', { phone_number_sid: Sid })
const query = listQuery('number', ...LATEST_CALLS_SORTS).extend({ ...references, ...unusedFilter })

export const phoneNumbers = endpoints({
  list: {
    ...all,
    ...lists,
    summary: 'List phone numbers',
    query: query.extend({ service_provider_sid: Sid.optional() }),
    response: pageOf(PhoneNumberItem),
  },
  ofServiceProvider: {
    path: '/ServiceProviders/:service_provider_sid/PhoneNumbers',
    params: serviceProviderParams,
    access: 'account',
    ...lists,
    summary: 'List phone numbers of a service provider’s accounts',
    query,
    response: pageOf(PhoneNumberItem),
  },
  view: { ...one, ...views, summary: 'Get a phone number', response: PhoneNumberView },
  create: {
    ...all,
    ...adds,
    summary: 'Add a phone number',
    body: PhoneNumberCreate,
    refusals: { number: t('number is required') },
  },
  update: {
    ...one,
    ...updates,
    summary: 'Assign a phone number',
    body: PhoneNumberUpdate,
    refusals: {
      number: t('number may not be modified'),
      voip_carrier_sid: t('voip_carrier_sid may not be modified'),
    },
  },
  updateMany: {
    ...all,
    ...updatesMany,
    summary: 'Assign, move or describe many phone numbers, all or none',
    body: PhoneNumbersUpdate,
  },
  import: {
    path: '/PhoneNumbers/Import',
    access: 'account',
    summary: 'Import phone numbers from CSV, all or none',
    ...importEndpoint,
  },
  export: {
    path: '/PhoneNumbers/Export',
    access: 'account',
    method: 'GET',
    summary: 'Export phone numbers as CSV, ready to import',
    own: true,
    file: 'phone-numbers.csv',
    query: z.object({ ...numberFilters, ...fileColumns(PHONE_NUMBER_FILE_COLUMNS) }),
    response: z.string(),
  },
  exportMany: {
    path: '/PhoneNumbers/Export',
    access: 'account',
    ...exportsMany,
    summary: 'Export the chosen phone numbers as CSV, ready to import',
    file: 'phone-numbers.csv',
    body: z.object({ select: Selection }),
  },
  removeMany: {
    path: '/PhoneNumbers/Delete',
    access: 'account',
    ...removesMany,
    summary: 'Delete many phone numbers, all or none',
    body: z.object({ select: Selection }),
  },
  remove: { ...one, ...removes, summary: 'Delete a phone number' },
})
