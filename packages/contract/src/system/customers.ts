import { z } from 'zod'
import { ApplicationCreate } from '../applications/applications.ts'
import { BroughtNumber } from '../routing/phone-numbers.ts'
import { AccountCreate } from '../tenants/accounts.ts'
import { UserCreate } from '../users/users.ts'
import { endpoints } from '../wire/endpoint.ts'
import { StringOrNull } from '../wire/fields.ts'
import { t } from '../wire/text.ts'

/** A customer's account with what it needs to make and take calls. */
export const CustomerCreate = AccountCreate.pick({
  name: true,
  sip_realm: true,
  service_provider_sid: true,
  limits: true,
}).extend({
  /** Somebody of the customer, who may log in and add others. */
  user: UserCreate.pick({
    name: true,
    email: true,
    initial_password: true,
    force_change: true,
  }).nullish(),
  /** Answers the customer's numbers, and its SIP clients. */
  application: ApplicationCreate.pick({
    name: true,
    call_hook: true,
    call_status_hook: true,
  }).nullish(),
  /** Numbers of the provider that no account has. */
  numbers: z.array(BroughtNumber).max(100, t('At most 100 numbers at once')).default([]),
})

export const customers = endpoints({
  create: {
    path: '/Customers',
    access: 'service_provider',
    method: 'POST',
    own: true,
    grantsAccess: true,
    summary: 'Add an account with its limits, a user, an application and numbers, all or none',
    body: CustomerCreate,
    status: 201,
    response: z.object({
      account_sid: z.string(),
      user_sid: StringOrNull,
      application_sid: StringOrNull,
      phone_number_sids: z.array(z.string()),
    }),
  },
})
