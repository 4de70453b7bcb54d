import { z } from 'zod'
import { listQuery, pageOf, resource, Sid, SidOrNull, versioned } from '../wire/common.ts'
import { adds, endpoints, lists, removes, updates, views } from '../wire/endpoint.ts'
import { StringOrNull } from '../wire/fields.ts'
import { t } from '../wire/text.ts'

export const MsTeamsTenant = z.object({
  ms_teams_tenant_sid: z.string(),
  service_provider_sid: z.string(),
  account_sid: z.string(),
  application_sid: StringOrNull,
  tenant_fqdn: z.string(),
})
export type MsTeamsTenant = z.infer<typeof MsTeamsTenant>
export const MsTeamsTenantView = MsTeamsTenant.extend(versioned)
export type MsTeamsTenantView = z.infer<typeof MsTeamsTenantView>

/** With the names of its account and application, so that lists need no extra requests. */
export const MsTeamsTenantItem = MsTeamsTenant.extend({
  account_name: StringOrNull,
  application_name: StringOrNull,
})
export type MsTeamsTenantItem = z.infer<typeof MsTeamsTenantItem>

export const TENANT_TAKEN = t('The domain name you have entered is already in use.')

/** Stored in lower case, since DNS names are case-insensitive. */
const TenantFqdn = z
  .string()
  .trim()
  .toLowerCase()
  .min(1, { abort: true })
  .max(255, { abort: true })
  .regex(
    /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*$/,
    t('Enter a domain name, such as tenant.example.com'),
  )

export const MsTeamsTenantCreate = z.object({
  tenant_fqdn: TenantFqdn,
  account_sid: SidOrNull.optional(),
  application_sid: SidOrNull.optional(),
  /** Must be the account's own. Platform clients send it. */
  service_provider_sid: SidOrNull.optional(),
})

/** Omitted fields keep their stored values. */
export const MsTeamsTenantUpdate = MsTeamsTenantCreate.partial()

const { one, all } = resource('/MicrosoftTeamsTenants', { ms_teams_tenant_sid: Sid })

export const msTeamsTenants = endpoints({
  list: {
    ...all,
    ...lists,
    summary: 'List Microsoft Teams tenants',
    query: listQuery('tenant_fqdn').extend({
      account_sid: Sid.optional(),
      service_provider_sid: Sid.optional(),
    }),
    response: pageOf(MsTeamsTenantItem),
  },
  view: { ...one, ...views, summary: 'Get a Microsoft Teams tenant', response: MsTeamsTenantView },
  create: {
    ...all,
    ...adds,
    summary: 'Add a Microsoft Teams tenant',
    body: MsTeamsTenantCreate,
    refusals: { tenant_fqdn: t('missing field tenant_fqdn') },
  },
  update: {
    ...one,
    ...updates,
    summary: 'Update a Microsoft Teams tenant',
    body: MsTeamsTenantUpdate,
  },
  remove: { ...one, ...removes, summary: 'Delete a Microsoft Teams tenant' },
})
