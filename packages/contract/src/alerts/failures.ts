import { z } from 'zod'
import { TimeText } from '../calls/recent-calls.ts'
import { listQuery, pageOf, resource, Sid, sidOrNull, versioned } from '../wire/common.ts'
import { endpoints, lists, updates, views } from '../wire/endpoint.ts'
import { Integer, StringOrNull } from '../wire/fields.ts'
import { t } from '../wire/text.ts'

/**
 * State of a failure. A resolved failure returns by itself when it occurs again. It is `watched` until calls show
 * whether another carrier completes them.
 */
const State = z.enum(['open', 'returned', 'watched', 'muted', 'resolved'])
export type FailureState = z.infer<typeof State>

const NamedCarrier = z.object({ voip_carrier_sid: z.string(), name: z.string() })

const Hit = z.object({ calls: Integer })
const NamedHit = Hit.extend({
  sid: z.string(),
  /** Null if the reader may not see it, or it was deleted. */
  name: StringOrNull,
})

export const FailureFigures = z.object({
  calls: Integer,
  first_at: z.string(),
  last_at: z.string(),
  /** Failed calls per clock hour of the last 24, oldest first. */
  hours: z.array(Integer),
  /** Accounts affected, the most first; so are `applications`. `others` counts all beyond. */
  accounts: z.array(NamedHit),
  applications: z.array(NamedHit),
  /** Counts by the prefix of the calling number; empty if it is not a number. */
  callers: z.array(Hit.extend({ prefix: z.string() })),
  others: z.object({
    accounts: Integer,
    applications: Integer,
    callers: Integer,
  }),
  /** The latest calls. */
  samples: z.array(
    z.object({
      at: z.string(),
      call_sid: StringOrNull,
      sip_callid: StringOrNull,
      from: StringOrNull,
      to: StringOrNull,
    }),
  ),
})

/** The calls to the same numbers since they were routed to another carrier. */
const Rerouted = z.object({
  /** Name of the other carrier. */
  to: z.string(),
  since: z.string(),
  /** Calls over it, those of them that were answered, and those that failed with the same status. */
  calls: Integer,
  answered: Integer,
  refused: Integer,
  /** Calls that failed as before. */
  still: Integer,
  /** Null until there are enough calls to tell. */
  worked: z.boolean().nullable(),
})
export type Rerouted = z.infer<typeof Rerouted>

/** Failed calls of one cause, gathered for an account, or for a provider over all of its accounts. */
export const Failure = z.object({
  failure_sid: z.string(),
  /** Null for a provider's. */
  account_sid: StringOrNull,
  service_provider_sid: StringOrNull,
  direction: z.enum(['inbound', 'outbound']),
  /** The carrier's name, or a word for another peer. */
  trunk: StringOrNull,
  sip_status: Integer,
  /** Why the platform ended the call; null if it did not say, or if reasons are too many to tell apart. */
  reason: StringOrNull,
  /** Prefix of the called number; empty if it is not a number, null if there are too many prefixes to tell apart. */
  prefix: StringOrNull,
  state: State,
  /** Null while muted for good. */
  muted_until: StringOrNull,
  resolved_at: StringOrNull,
  assigned_to: StringOrNull,
  assignee: StringOrNull,
  carrier: NamedCarrier.nullable(),
  rerouted: Rerouted.nullable(),
  figures: FailureFigures,
})
export type Failure = z.infer<typeof Failure>
export const FailureView = Failure.extend(versioned)

export const NOT_A_STATE = t('Enter open, muted or resolved')

/** A change to a failure. Omitted members keep their values. */
export const FailureUpdate = z
  .object({
    /** `returned` and `watched` only where they were read: nobody sets them. */
    state: z.enum(State.options, NOT_A_STATE),
    /** End of the muting, with `muted` only. Null mutes for good. */
    muted_until: TimeText.nullable(),
    assigned_to: sidOrNull(t('Choose a user')),
    /** The carrier that these calls are routed to from now on: the failure is watched. Null ends that. */
    rerouted_to: sidOrNull(t('Choose a carrier')),
  })
  .partial()
  .superRefine(({ state, muted_until }, ctx) => {
    if (muted_until && state !== 'muted')
      ctx.addIssue({
        code: 'custom',
        path: ['muted_until'],
        message: t('Only allowed with state muted'),
      })
  })

export const FailureFix = z.object({
  /** A change of a routing table by which these calls would leave by a carrier that completes them. Null if none is known. */
  reroute: z
    .object({
      lcr_sid: z.string(),
      lcr_name: StringOrNull,
      /** Version of the table that this change was made from, for the update that applies it. */
      version: z.string(),
      pattern: z.string(),
      /** The route that changes; null for a new one. */
      lcr_route_sid: StringOrNull,
      /** The route that a new one goes before; null if it goes last. */
      before: StringOrNull,
      carrier: NamedCarrier,
      /** The carrier that has these calls now. */
      replaces: NamedCarrier,
      /** The prefix that the numbers of these calls begin with. */
      prefix: z.string(),
      /** Ended calls of that carrier to these numbers in the last seven days, and how many were answered. */
      completed: Hit.extend({ answered: Integer }),
      /** Calls of the failing carrier in the last hours. `refused` are those that failed with the status of the failure. */
      failing: Hit.extend({ hours: Integer, refused: Integer }),
    })
    .nullable(),
  /** Why no change is suggested, and what is known instead, in a sentence. */
  reason: StringOrNull,
})
export type FailureFix = z.infer<typeof FailureFix>

const owner = { account_sid: Sid.optional(), service_provider_sid: Sid.optional() }
const { one, all } = resource('/Failures', { failure_sid: Sid })

export const failures = endpoints({
  list: {
    ...all,
    ...lists,
    own: true,
    summary: 'List failed calls, gathered by carrier, cause and prefix',
    query: listQuery('last_at', 'calls', 'first_at').extend({
      /** An account's own failures; without it those of providers, over all of their accounts. */
      ...owner,
      /** `open` includes those that returned. */
      state: z.enum(['open', 'muted', 'resolved'], NOT_A_STATE).optional(),
      /** The carrier's name, exactly. */
      trunk: z.string().trim().max(128).optional(),
    }),
    response: pageOf(Failure),
  },
  view: { ...one, ...views, own: true, summary: 'Get a failure', response: FailureView },
  fix: {
    ...one,
    path: '/Failures/:failure_sid/Fix',
    method: 'GET',
    own: true,
    costs: 'figures',
    summary: 'Get the change of a routing table that would end a failure, if calls show one',
    response: FailureFix,
  },
  update: {
    ...one,
    ...updates,
    own: true,
    summary: 'Assign, mute, resolve or reopen a failure',
    body: FailureUpdate,
  },
})
