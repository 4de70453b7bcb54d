import { z } from 'zod'
import { TimeText } from '../calls/recent-calls.ts'
import {
  Created,
  Flag,
  FlagIn,
  Int,
  listQuery,
  pageOf,
  resource,
  Sid,
  SidOrNull,
  Text,
  versioned,
} from '../wire/common.ts'
import { endpoints, lists, removes, updates, views } from '../wire/endpoint.ts'
import { Integer, IntegerOrNull, StringOrNull } from '../wire/fields.ts'
import { hidden } from '../wire/hidden.ts'
import { t } from '../wire/text.ts'
import { DESTINATION_KINDS, DestinationTest } from './alert-destinations.ts'
import { EVENT_TYPES, EventId, ProgramEvent } from './events.ts'

/** A webhook that is sent events. */
export const EventSubscription = z.object({
  event_subscription_sid: z.string(),
  /** Belongs to an account, or to a provider and then covers all its accounts. */
  account_sid: StringOrNull,
  service_provider_sid: StringOrNull,
  name: z.string(),
  url: hidden(z.string(), 'host'),
  /** Empty means all types. */
  types: z.array(z.string()),
  is_active: Flag,
  /** Until when the secret before the last rotation signs as well: ISO 8601; null if there is none. */
  rotating_until: StringOrNull,
  /** ISO 8601; null while nothing was sent. */
  last_tried_at: StringOrNull,
  /** Why the last attempt failed; null if it succeeded. */
  last_error: StringOrNull,
  /** Since when no delivery has succeeded: ISO 8601; null after a success. */
  failing_since: StringOrNull,
  /** Why it was disabled, if nobody did. */
  disabled_reason: StringOrNull,
})
export type EventSubscription = z.infer<typeof EventSubscription>
export const EventSubscriptionView = EventSubscription.extend(versioned)
export type EventSubscriptionView = z.infer<typeof EventSubscriptionView>
export const EventSubscriptionItem = EventSubscription.extend({
  account_name: StringOrNull,
})
export type EventSubscriptionItem = z.infer<typeof EventSubscriptionItem>

const missing = DESTINATION_KINDS.webhook.address.missing
const common = {
  name: Text(64),
  url: Text(500, missing).superRefine((url, ctx) => {
    const problem = DESTINATION_KINDS.webhook.address.problem(url)
    if (url && problem) ctx.addIssue({ code: 'custom', message: problem })
  }),
  types: z
    .array(z.enum(EVENT_TYPES, t('Choose a type of event from the list')))
    .max(EVENT_TYPES.length)
    .transform((types) => [...new Set(types)].sort()),
  is_active: FlagIn,
}

/** Signs deliveries. Returned once, when it is made. */
const SigningSecret = z.object({ secret: z.string() })

export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const
/** An event on its way to a webhook. */
export const EventDelivery = z.object({
  event: ProgramEvent,
  /** `failed`: given up after a day of attempts. */
  state: z.enum(DELIVERY_STATES),
  attempts: Integer,
  /** Time of the next attempt: ISO 8601; null unless it waits. */
  next_at: StringOrNull,
  tried_at: StringOrNull,
  /** The HTTP status of the last attempt; null without a response. */
  status: IntegerOrNull,
  /** Why the last attempt failed. */
  error: StringOrNull,
  duration_ms: IntegerOrNull,
})
export type EventDelivery = z.infer<typeof EventDelivery>

/** The longest time in which two secrets sign. */
export const OVERLAP_HOURS_MAX = 168
/** Events of one replay. */
export const REPLAY_MAX = 10_000

const EventReplay = z
  .object({
    /** One event. */
    event_id: EventId.optional(),
    /** Deliveries of events from this period, both ends included. */
    from: TimeText.optional(),
    to: TimeText.optional(),
    /** Limits it to deliveries that were given up. */
    failed_only: FlagIn.default(0),
  })
  .superRefine(({ event_id, from, to }, ctx) => {
    if ((event_id === undefined) === (from === undefined && to === undefined))
      ctx.addIssue({ code: 'custom', path: ['event_id'], message: t('Enter an event or a time') })
  })

const { one, all } = resource('/EventSubscriptions', { event_subscription_sid: Sid })

export const eventSubscriptions = endpoints({
  list: {
    ...all,
    ...lists,
    summary: 'List webhooks for events',
    own: true,
    query: listQuery('name').extend({
      account_sid: Sid.optional(),
      service_provider_sid: Sid.optional(),
    }),
    response: pageOf(EventSubscriptionItem),
  },
  view: {
    ...one,
    ...views,
    own: true,
    summary: 'Get a webhook for events',
    response: EventSubscriptionView,
  },
  create: {
    ...all,
    method: 'POST',
    own: true,
    summary: 'Add a webhook for events, and return its signing secret once',
    body: z.object({
      ...common,
      /** Callers of an account may omit the owner. */
      account_sid: SidOrNull.optional(),
      service_provider_sid: SidOrNull.optional(),
      types: common.types.default([]),
      is_active: common.is_active.default(1),
    }),
    status: 201,
    response: Created.extend(SigningSecret.shape),
  },
  update: {
    ...one,
    ...updates,
    own: true,
    summary: 'Update a webhook for events',
    /** Omitted fields keep their stored values. */
    body: z.object(common).partial(),
  },
  rotate: {
    ...one,
    path: '/EventSubscriptions/:event_subscription_sid/Secret',
    method: 'POST',
    own: true,
    summary: 'Create a new signing secret, and return it once; the old one also signs for a time',
    body: z.object({ overlap_hours: Int(0, OVERLAP_HOURS_MAX).default(24) }),
    response: SigningSecret.extend({ rotating_until: StringOrNull }),
  },
  test: {
    ...one,
    path: '/EventSubscriptions/:event_subscription_sid/Test',
    method: 'POST',
    own: true,
    summary: 'Send a test event and return the answer',
    response: DestinationTest,
  },
  deliveries: {
    ...one,
    path: '/EventSubscriptions/:event_subscription_sid/Deliveries',
    method: 'GET',
    own: true,
    summary: 'List deliveries of a webhook for events, newest first',
    query: z.object({
      page: Int(1, 10_000_000).default(1),
      page_size: Int(1, 500).default(50),
      state: z.enum(DELIVERY_STATES, t('Enter waiting, delivered or failed')).optional(),
    }),
    response: pageOf(EventDelivery),
  },
  replay: {
    ...one,
    path: '/EventSubscriptions/:event_subscription_sid/Replay',
    method: 'POST',
    own: true,
    summary: 'Send one event again, or those of a period',
    body: EventReplay,
    response: z.object({ events: Integer }),
  },
  remove: { ...one, ...removes, own: true, summary: 'Delete a webhook for events' },
})
