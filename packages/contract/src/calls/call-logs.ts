import { z } from 'zod'
import { Sid, serviceProviderParams } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'
import { hidden } from '../wire/hidden.ts'
import { t } from '../wire/text.ts'
import { LOG_GROUP } from './log-group.ts'

export const LOGS_UNAVAILABLE = t('Logs are only available in AWS environments')
export const LOGS_BELOW_ACCOUNT =
  'account_sid is required,please use /Accounts/{account_sid}/RecentCalls/{call_sid}/logs'
export const LOGS_NO_CALL = t('Call not found')
export const LOG_GROUP_UNKNOWN = t(
  'The operator does not allow this log group. Allowed groups are in SWITCHROOM_LOG_GROUPS.',
)

const one = {
  method: 'GET',
  query: z.object({
    logGroupName: z
      .string()
      .regex(/^[\w./#-]{1,512}$/, t('Bad request'))
      .default(LOG_GROUP),
  }),
  /** Raw log lines, oldest first. Most are JSON. */
  response: z.array(hidden(z.string(), 'text')),
} as const

export const callLogs = endpoints({
  ofAccount: {
    ...one,
    path: '/Accounts/:account_sid/RecentCalls/:call_sid/logs',
    params: z.object({ account_sid: Sid, call_sid: Sid }),
    access: 'account',
    summary: 'Get the platform’s logs of a call from CloudWatch',
  },
  ofServiceProvider: {
    ...one,
    path: '/ServiceProviders/:service_provider_sid/RecentCalls/:call_sid/logs',
    params: serviceProviderParams.extend({ call_sid: Sid }),
    access: 'service_provider',
    summary: 'Always rejected; use the path under an account',
  },
})
