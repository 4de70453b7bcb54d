import type { AuditKind } from '@switchroom/contract'
import { keysOf } from './records'

/** The screen of each kind of thing, without the sid at the `$`. */
const SCREENS = {
  account: '/internal/accounts/$/edit',
  alert_destination: '/internal/alerts/destinations/$/edit',
  application: '/internal/applications/$/edit',
  client: '/internal/clients/$/edit',
  lcr: '/internal/least-cost-routing/$/edit',
  ms_teams_tenant: '/internal/ms-teams-tenants/$/edit',
  phone_number: '/internal/phone-numbers/$/edit',
  speech_credential: '/internal/speech-services/$/edit',
  user: '/internal/users/$/edit',
  voip_carrier: '/internal/carriers/$/edit',
} as const satisfies Partial<Record<AuditKind, string>>

/** What has a screen of its own, by the audit log's names. */
export type ThingKind = keyof typeof SCREENS

export const isThingKind = (kind: AuditKind): kind is ThingKind => kind in SCREENS

export const thingHref = (kind: ThingKind, sid: string) => SCREENS[kind].replace('$', sid)

/** The thing whose screen this is. */
export function thingAt(pathname: string): { kind: ThingKind; sid: string } | undefined {
  for (const kind of keysOf(SCREENS)) {
    const [before = ''] = SCREENS[kind].split('$')
    const sid = pathname.startsWith(before) && pathname.slice(before.length).split('/')[0]
    if (sid && /^[\da-f-]{36}$/.test(sid)) return { kind, sid }
  }
  return undefined
}

/** The screen of a thing's versions, at a time or of the newest change. */
export const historyHref = (kind: AuditKind, sid: string, at?: string) =>
  `/internal/audit-log/history?${new URLSearchParams({ kind, sid, ...(at && { with: at }) })}`
