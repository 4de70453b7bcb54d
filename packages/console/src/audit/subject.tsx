import type { AuditEntry } from '@switchroom/contract'
import { isThingKind } from '../lib/thing-href'
import { thingCell } from '../lib/thing-link'

/** What an entry is about, as a link unless it was deleted by it. */
export const subjectOf = ({ kind, sid, name, action }: AuditEntry) =>
  action !== 'delete' && isThingKind(kind) ? thingCell(kind, sid, name) : name
