import { z } from 'zod'
import {
  listQuery,
  pageOf,
  serviceProviderParams,
  Text,
  TextOrNull,
  versioned,
} from '../wire/common.ts'
import { adds, endpoints, lists, removes, updates, views } from '../wire/endpoint.ts'
import { StringOrNull } from '../wire/fields.ts'
import { t } from '../wire/text.ts'
import { SipRealm } from './accounts.ts'
import { LimitsIn, ServiceProviderLimit } from './limits.ts'
import { OptionalWebhook, Webhook } from './webhooks.ts'

export const ServiceProvider = z.object({
  service_provider_sid: z.string(),
  name: z.string(),
  description: StringOrNull,
  root_domain: StringOrNull,
  ms_teams_fqdn: StringOrNull,
  registration_hook: Webhook.nullable(),
})
export type ServiceProvider = z.infer<typeof ServiceProvider>

/** The domain below which its accounts have their SIP realms. Leaves room for a subdomain. */
const RootDomain = SipRealm.refine(
  (domain) => (domain ?? '').length <= 128,
  t('Root domain can have at most 128 characters'),
)

export const ServiceProviderCreate = z.object({
  name: Text(64),
  description: TextOrNull(255).optional(),
  root_domain: RootDomain.optional(),
  ms_teams_fqdn: TextOrNull(255).optional(),
  registration_hook: OptionalWebhook().optional(),
})

/** Omitted fields keep their stored values. */
export const ServiceProviderUpdate = ServiceProviderCreate.partial().extend({
  /** Switchroom only: saved in the same transaction. */
  limits: LimitsIn.optional(),
})

const one = {
  path: '/ServiceProviders/:service_provider_sid',
  params: serviceProviderParams,
} as const
const all = { path: '/ServiceProviders' } as const

export const serviceProviders = endpoints({
  list: {
    ...all,
    access: 'account',
    ...lists,
    summary: 'List service providers',
    query: listQuery('name'),
    response: pageOf(ServiceProvider),
  },
  view: {
    ...one,
    access: 'account',
    ...views,
    summary: 'Get a service provider with its limits',
    response: ServiceProvider.extend({ limits: z.array(ServiceProviderLimit), ...versioned }),
  },
  create: {
    ...all,
    access: 'admin',
    ...adds,
    summary: 'Add a service provider',
    body: ServiceProviderCreate,
    refusals: { name: t('missing field name') },
  },
  update: {
    ...one,
    access: 'service_provider',
    ...updates,
    summary: 'Update a service provider',
    body: ServiceProviderUpdate,
  },
  remove: {
    ...one,
    access: 'admin',
    ...removes,
    summary: 'Delete a service provider that is not in use',
  },
})
