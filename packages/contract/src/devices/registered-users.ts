import { z } from 'zod'
import { LiveQuery, liveResponse } from '../calls/live-calls.ts'
import { accountParams, Flag, ofAccount, pageOf } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'
import { StringOrNull } from '../wire/fields.ts'

const Status = z.enum(['active', 'inactive'])

/** A registered device as platform clients read it. */
const Device = z.object({
  name: z.string(),
  contact: StringOrNull,
  /** Time of expiry in milliseconds; 0 if not registered. */
  expiryTime: z.number(),
  protocol: StringOrNull,
  proxy: z.string().nullable().optional(),
})
export const RegisteredSipUser = Device.extend({
  sbcAddress: z.string().nullable().optional(),
  registered_status: Status.optional(),
})
export type RegisteredSipUser = z.infer<typeof RegisteredSipUser>

export const RegisteredUser = z.object({
  account_sid: z.string(),
  account_name: z.string(),
  /** `user@realm` */
  name: z.string(),
  contact: StringOrNull,
  transport: StringOrNull,
  expires_at: z.string(),
})
export type RegisteredUser = z.infer<typeof RegisteredUser>

const all = ofAccount('/RegisteredSipUsers')

export const registeredUsers = endpoints({
  list: {
    path: '/LiveRegistrations',
    access: 'account',
    method: 'GET',
    summary: 'List registered SIP users',
    query: LiveQuery,
    response: pageOf(RegisteredUser).extend(liveResponse).optional(),
    own: true,
  },
  ofAccount: {
    ...all,
    method: 'GET',
    summary: 'List names of an account’s registered SIP users',
    response: z.array(z.string()),
  },
  find: {
    ...all,
    method: 'POST',
    summary: 'Get details of some or all registered SIP users of an account',
    body: z.union([z.array(z.string().max(256)).max(1_000), z.looseObject({})]),
    response: z.array(RegisteredSipUser),
  },
  view: {
    ...all,
    path: '/Accounts/:account_sid/RegisteredSipUsers/:client',
    params: accountParams.extend({ client: z.string().min(1).max(256) }),
    method: 'GET',
    summary: 'Get details of a SIP user',
    response: Device.extend({
      allow_direct_app_calling: Flag,
      allow_direct_queue_calling: Flag,
      allow_direct_user_calling: Flag,
      registered_status: Status,
    }),
  },
})
