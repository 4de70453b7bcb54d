import type { AuditKind } from '@switchroom/contract'
import { keysOf } from './records'

/** The page of each kind of thing, without the sid at the `$`: its overview, or its form if it has none. */
const PAGES = {
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

/** What has a page of its own, by the audit log's names. */
export type ThingKind = keyof typeof PAGES

export const isThingKind = (kind: AuditKind): kind is ThingKind => kind in PAGES

export const thingHref = (kind: ThingKind, sid: string) => PAGES[kind].replace('$', sid)

/** The form of a thing. */
export const editHref = (kind: ThingKind, sid: string) =>
  `${thingHref(kind, sid).replace(/\/edit$/, '')}/edit`

/** The thing whose screen this is. */
export function thingAt(pathname: string): { kind: ThingKind; sid: string } | undefined {
  for (const kind of keysOf(PAGES)) {
    const [before = ''] = PAGES[kind].split('$')
    const sid = pathname.startsWith(before) && pathname.slice(before.length).split('/')[0]
    if (sid && /^[\da-f-]{36}$/.test(sid)) return { kind, sid }
  }
  return undefined
}

/** The screen of a thing's versions, at a time or of the newest change. */
export const historyHref = (kind: AuditKind, sid: string, at?: string) =>
  `/internal/audit-log/history?${new URLSearchParams({ kind, sid, ...(at && { with: at }) })}`
