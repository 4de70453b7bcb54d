import { z } from 'zod'
import { newCallProblem, withCheck } from '../applications/new-calls.ts'
import { accountParams, ofAccount, PageQuery, pageOf, Sid } from '../wire/common.ts'
import { endpoints, Relayed, removes } from '../wire/endpoint.ts'
import { Integer, IntegerOrNull, StringOrNull } from '../wire/fields.ts'
import { commandProblem } from './call-commands.ts'

export const ACTIVE_STATUSES = [
  'trying',
  'ringing',
  'early-media',
  'in-progress',
  'queued',
] as const
export const ENDED_STATUSES = ['completed', 'failed', 'busy', 'no-answer'] as const
const CALL_STATUSES = [...ACTIVE_STATUSES, ...ENDED_STATUSES] as const

/** A live call as the platform stores it. Missing values are omitted; all but numbers are text. */
export const PlatformCall = z.looseObject({
  call_sid: z.string().optional(),
  account_sid: z.string().optional(),
  call_status: z.string().optional(),
  duration: z.number().optional(),
  sip_status: z.number().optional(),
})
export type PlatformCall = z.infer<typeof PlatformCall>

export const LiveCall = z.object({
  call_sid: z.string(),
  account_sid: z.string(),
  account_name: z.string(),
  /** Null if the reader may not see the application. */
  application_sid: StringOrNull,
  application_name: StringOrNull,
  from: StringOrNull,
  to: StringOrNull,
  direction: StringOrNull,
  call_status: z.string(),
  /** The carrier of an inbound call. */
  carrier: StringOrNull,
  started_at: z.string(),
})
export type LiveCall = z.infer<typeof LiveCall>

/** An account's use of its capacity. */
export const AccountLoad = z.object({
  account_sid: z.string(),
  name: z.string(),
  /** Live calls as listed here. */
  calls: Integer,
  /** The SBCs' own count; null if they do not count. */
  inbound: IntegerOrNull,
  outbound: IntegerOrNull,
  /** Both 0 and null mean unlimited. */
  limit: IntegerOrNull,
})
export type AccountLoad = z.infer<typeof AccountLoad>

/** The owner, and the state the client has already: the request waits until it changes. */
export const LiveQuery = PageQuery.omit({ sort: true }).extend({
  account_sid: Sid.optional(),
  service_provider_sid: Sid.optional(),
  seen: z.string().max(64).optional(),
})
export type LiveQuery = z.output<typeof LiveQuery>
/** Part of every live response. */
export const liveResponse = {
  version: z.string(),
  /** The server's time, to compute durations: the browser's clock may be wrong. */
  now: z.string(),
  /** True if the server read all; false if there is more than it reads. */
  complete: z.boolean(),
}

/** The most accounts whose load is listed, busiest first. */
export const LOADS = 20

/** The same for a provider, whose limit covers the calls of all its accounts. */
export const ProviderLoad = AccountLoad.pick({ calls: true, limit: true })
export type ProviderLoad = z.infer<typeof ProviderLoad>

export const LiveCalls = pageOf(LiveCall).extend({
  ...liveResponse,
  accounts: z.array(AccountLoad),
  /** Set when all calls of one provider are requested by a caller who may see them. */
  provider: ProviderLoad.nullable(),
})
export type LiveCalls = z.infer<typeof LiveCalls>

const all = ofAccount('/Calls')
const one = {
  path: '/Accounts/:account_sid/Calls/:call_sid',
  params: accountParams.extend({ call_sid: Sid }),
  access: 'account',
} as const
const change = {
  ...one,
  body: withCheck(z.looseObject({}), commandProblem),
  relayed: true,
  response: Relayed,
} as const

export const liveCalls = endpoints({
  list: {
    path: '/LiveCalls',
    access: 'account',
    method: 'GET',
    summary: 'List live calls and how much of the limits they use',
    query: LiveQuery,
    response: LiveCalls.optional(),
    own: true,
  },
  create: {
    ...all,
    method: 'POST',
    summary: 'Create a call',
    body: withCheck(z.looseObject({}), newCallProblem),
    relayed: true,
    response: Relayed,
  },
  ofAccount: {
    ...all,
    method: 'GET',
    summary: 'List calls of an account, including those that ended in the last hour',
    query: z.object({
      direction: z.string().max(32).optional(),
      from: z.string().max(256).optional(),
      to: z.string().max(256).optional(),
      callStatus: z.enum(CALL_STATUSES).optional(),
    }),
    response: z.array(PlatformCall),
  },
  view: { ...one, method: 'GET', summary: 'Get a call', response: PlatformCall },
  update: { ...change, method: 'PUT', summary: 'Update a call' },
  updateByPost: { ...change, method: 'POST', summary: 'Update a call (older clients)' },
  forget: { ...one, ...removes, summary: 'Remove a call from the list without hanging up' },
  count: {
    ...ofAccount('/CallCount'),
    method: 'GET',
    summary: 'Get the SBCs’ call counts of an account',
    response: z.object({ inbound: z.number(), outbound: z.number() }),
  },
})
