import type { EventData, EventKind } from '@switchroom/contract'

/** An event before it has its place in the sequence. */
export type Draft = {
  [K in EventKind]: {
    kind: K
    /** Subject of the event: events of one subject are delivered in order. */
    thing: string
    account_sid: string | null
    service_provider_sid: string | null
    /** ISO 8601, UTC. */
    happened_at: string
    data: EventData<K>
  }
}[EventKind]
