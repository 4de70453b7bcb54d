import { z } from 'zod'
import { RECORD_FORMATS } from '../tenants/record-formats.ts'
import { Sid } from '../wire/common.ts'
import { endpoints, Stream } from '../wire/endpoint.ts'
import { t } from '../wire/text.ts'

const digits = (pattern: RegExp, message: string) => z.string().regex(pattern, message)

/** The day the call ended, from its record. A recording that began the day before is found too. */
const which = {
  call_sid: Sid,
  year: digits(/^\d{4}$/, t('Enter a year, such as 2026')),
  month: digits(/^(?:0?[1-9]|1[0-2])$/, t('Enter a month from 01 to 12')),
  day: digits(/^(?:0?[1-9]|[12]\d|3[01])$/, t('Enter a day from 01 to 31')),
  format: z.enum(RECORD_FORMATS, t('Enter mp3 or wav')),
}

const ofAccount = {
  path: '/Accounts/:account_sid/RecentCalls/:call_sid/record/:year/:month/:day/:format',
  params: z.object({ account_sid: Sid, ...which }),
  access: 'account',
} as const
const ofServiceProvider = {
  path: '/ServiceProviders/:service_provider_sid/RecentCalls/:call_sid/record/:year/:month/:day/:format',
  params: z.object({ service_provider_sid: Sid, ...which }),
  access: 'service_provider',
} as const

const heard = { method: 'GET', stream: true, response: Stream } as const
const removed = { method: 'DELETE', status: 204, response: z.void() } as const

export const recordings = endpoints({
  ofAccount: { ...heard, ...ofAccount, summary: 'Get the recording of a call of an account' },
  ofServiceProvider: {
    ...heard,
    ...ofServiceProvider,
    summary: 'Get the recording of a call of a service provider’s accounts',
  },
  removeOfAccount: {
    ...removed,
    ...ofAccount,
    summary: 'Delete the recording of a call of an account, and its transcription',
  },
  removeOfServiceProvider: {
    ...removed,
    ...ofServiceProvider,
    summary:
      'Delete the recording of a call of a service provider’s accounts, and its transcription',
  },
})
