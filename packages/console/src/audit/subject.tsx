import type { AuditEntry } from '@switchroom/contract'
import { PhoneText } from '../lib/phone-text'
import { PlainLink } from '../lib/plain-link'
import { isThingKind, thingHref } from '../lib/thing-href'
import { thingCell } from '../lib/thing-link'

/** Subject of an entry: a link, unless the entry deleted it. */
export function subjectOf({ kind, sid, name, action }: AuditEntry) {
  const isLink = action !== 'delete' && isThingKind(kind)
  if (kind !== 'phone_number') return isLink ? thingCell(kind, sid, name) : name
  const text = <PhoneText number={name} />
  return isLink ? <PlainLink href={thingHref(kind, sid)}>{text}</PlainLink> : text
}
