import { z } from 'zod'
import { Call } from '../calls/calls.ts'
import { Sid } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'
import { Integer, StringOrNull } from '../wire/fields.ts'
import { keysOf } from '../wire/records.ts'
import { t } from '../wire/text.ts'
import { EVENT_KINDS, type EventKind } from './event-kinds.ts'
import { ISSUE_KINDS, SEVERITIES } from './issue-text.ts'

/** A change of something stored. What it is now is read by its sid. */
const changeOf = <const K extends readonly [string, ...string[]]>(...kinds: K) =>
  z.object({
    action: z.enum(['create', 'update', 'delete']),
    /** A kind of the audit log. */
    kind: z.enum(kinds),
    sid: z.string(),
    name: z.string(),
    /** The names of the fields that an update changed; empty for an addition or deletion. */
    fields: z.array(z.string()),
    /** The change's entry in the audit log. */
    audit_seq: Integer,
  })

const Issue = z.object({
  kind: z.enum(keysOf(ISSUE_KINDS)),
  /** Names it among those of its kind and account. */
  key: z.string(),
  severity: z.enum(keysOf(SEVERITIES)),
  /** The carrier, the type of the alerts, or what the calls of an anomaly have in common; null if it is not known. */
  subject: StringOrNull,
  /** All of it in a sentence. */
  text: z.string(),
  /** Whose alerts they are, in the inbox of a provider. */
  account_sid: StringOrNull,
  /** Null if it is not known. */
  first_at: StringOrNull,
})

/** The payload of each kind of event. None has what was said in a call, nor a secret. */
export const EVENT_DATA = {
  'call.ended': Call.pick({
    call_sid: true,
    application_sid: true,
    direction: true,
    from: true,
    to: true,
    answered: true,
    sip_status: true,
    duration: true,
    attempted_at: true,
    answered_at: true,
    terminated_at: true,
    termination_reason: true,
    trunk: true,
    sip_callid: true,
    sip_parent_callid: true,
    trace_id: true,
  }),
  'recording.ready': z.object({ call_sid: z.string(), format: z.enum(['mp3', 'wav']) }),
  'transcript.ready': z.object({ call_sid: z.string() }),
  'phone_number.changed': changeOf('phone_number'),
  'carrier.changed': changeOf('voip_carrier', 'sip_gateway', 'smpp_gateway'),
  'route.changed': changeOf('lcr'),
  'registration.lost': z.object({
    voip_carrier_sid: z.string(),
    name: z.string(),
    /** The carrier's answer; null if the platform does not report it. */
    reason: StringOrNull,
  }),
  'issue.opened': Issue,
  'issue.resolved': Issue,
} as const satisfies Record<EventKind, z.ZodObject>
export type EventData<K extends EventKind> = z.infer<(typeof EVENT_DATA)[K]>

const envelope = <K extends EventKind>(type: K) =>
  z.object({
    /** Grows with each event. The same in every delivery, so that receivers can drop duplicates. */
    id: z.string(),
    type: z.literal(type),
    /** Time of the event: ISO 8601, UTC. */
    timestamp: z.string(),
    /** Owner of the thing; for an issue, the owner of the inbox it is in. */
    account_sid: StringOrNull,
    service_provider_sid: StringOrNull,
    data: EVENT_DATA[type],
  })

/** Each kind of event as it is sent. */
export const EVENTS = {
  'call.ended': envelope('call.ended'),
  'recording.ready': envelope('recording.ready'),
  'transcript.ready': envelope('transcript.ready'),
  'phone_number.changed': envelope('phone_number.changed'),
  'carrier.changed': envelope('carrier.changed'),
  'route.changed': envelope('route.changed'),
  'registration.lost': envelope('registration.lost'),
  'issue.opened': envelope('issue.opened'),
  'issue.resolved': envelope('issue.resolved'),
} as const satisfies { [K in EventKind]: ReturnType<typeof envelope<K>> }

export const ProgramEvent = z.discriminatedUnion('type', [
  EVENTS['call.ended'],
  EVENTS['recording.ready'],
  EVENTS['transcript.ready'],
  EVENTS['phone_number.changed'],
  EVENTS['carrier.changed'],
  EVENTS['route.changed'],
  EVENTS['registration.lost'],
  EVENTS['issue.opened'],
  EVENTS['issue.resolved'],
])
export type ProgramEvent = z.infer<typeof ProgramEvent>

/** The event sent to test a webhook. */
export const TestEvent = z.object({
  id: z.string(),
  type: z.literal('event.test'),
  timestamp: z.string(),
  account_sid: StringOrNull,
  service_provider_sid: StringOrNull,
  data: z.object({}),
})
export type TestEvent = z.infer<typeof TestEvent>

export const EVENT_TYPES = keysOf(EVENT_KINDS)
const ID = t('Enter the id of an event, such as evt_42')
export const EventId = z.string(ID).regex(/^evt_\d{1,15}$/, ID)
const TYPES = t('Enter types of events, separated by commas')

export const EventPage = z.object({
  /** Oldest first. */
  data: z.array(ProgramEvent),
  /** Value of `after` for the next request; null before there is any event. */
  last_id: StringOrNull,
})

export const events = endpoints({
  list: {
    path: '/Events',
    access: 'account',
    method: 'GET',
    own: true,
    follows: true,
    summary: 'List events oldest first, or follow them as server-sent events',
    query: z.object({
      /** Returns events after this id; without it, the newest. `Last-Event-ID` takes precedence. */
      after: EventId.optional(),
      limit: z.coerce.number<number>().int().min(1).max(500).default(100),
      types: z
        .string(TYPES)
        .transform((text) => [...new Set(text.split(','))])
        .pipe(z.array(z.enum(EVENT_TYPES, TYPES)))
        .optional(),
      account_sid: Sid.optional(),
    }),
    response: EventPage,
  },
})
