import { type AuditKind, THING_PAGES } from '@switchroom/contract'
import { keysOf } from './records'

/** Kinds that have a page of their own, named as in the audit log. */
export type ThingKind = keyof typeof THING_PAGES

export const isThingKind = (kind: AuditKind): kind is ThingKind => kind in THING_PAGES

export const thingHref = (kind: ThingKind, sid: string) => THING_PAGES[kind].replace('$', sid)

/** The form of a thing. */
export const editHref = (kind: ThingKind, sid: string) =>
  `${thingHref(kind, sid).replace(/\/edit$/, '')}/edit`

/** The thing whose screen this is. */
export function thingAt(pathname: string): { kind: ThingKind; sid: string } | undefined {
  for (const kind of keysOf(THING_PAGES)) {
    const [before = ''] = THING_PAGES[kind].split('$')
    const sid = pathname.startsWith(before) && pathname.slice(before.length).split('/')[0]
    if (sid && /^[\da-f-]{36}$/.test(sid)) return { kind, sid }
  }
  return undefined
}

/** The screen of a thing's versions, at a time or of the newest change. */
export const historyHref = (kind: AuditKind, sid: string, at?: string) =>
  `/internal/audit-log/history?${new URLSearchParams({ kind, sid, ...(at && { with: at }) })}`
