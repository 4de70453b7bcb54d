import type { AuditKind } from './audit-kinds.ts'

/** The console's page of each kind of thing, without the sid at the `$`: its overview, or its form if it has none. */
export const THING_PAGES = {
  account: '/internal/accounts/$',
  alert_destination: '/internal/alerts/destinations/$/edit',
  application: '/internal/applications/$',
  client: '/internal/clients/$',
  lcr: '/internal/least-cost-routing/$',
  ms_teams_tenant: '/internal/ms-teams-tenants/$/edit',
  phone_number: '/internal/phone-numbers/$',
  speech_credential: '/internal/speech-services/$',
  user: '/internal/users/$',
  voip_carrier: '/internal/carriers/$',
} as const satisfies Partial<Record<AuditKind, string>>
