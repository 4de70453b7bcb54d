import { EVENT_KINDS, type EventKind, plural, t } from '@switchroom/contract'
import { keysOf } from '../../lib/records'

export const EVENT_TYPES = keysOf(EVENT_KINDS).map((type) => ({
  type,
  name: EVENT_KINDS[type].name,
  meaning: EVENT_KINDS[type].when,
}))

/** Name of an event type; the type itself if this version does not know it. */
export const eventName = (type: string) =>
  type in EVENT_KINDS ? EVENT_KINDS[type as EventKind].name : type

export function typesText(types: readonly string[]) {
  const [first] = types
  if (first === undefined) return t('All events')
  return types.length === 1
    ? eventName(first)
    : plural(types.length, '1 type of event|{n} types of events')
}
