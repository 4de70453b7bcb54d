/** A call as the feature server writes it: all values are text. */
export type CallRecord = Record<string, string>

/** A call that has not ended. */
export type ActiveCall = {
  account_sid: string
  call_sid: string
  /** Start time in milliseconds. */
  since: number
  record: CallRecord
}

/** A queue with its waiting callers, or a conference with those who wait for its start. */
export type QueueOrConference = {
  kind: 'queue' | 'conference'
  account_sid: string
  name: string
  length: number
}

/** A registered address `user@realm` with its expiry time. */
export type Registration = { user: string; realm: string; expires: number }

/** Details of a device's registration. */
export type Device = {
  contact: string | null
  sbcAddress: string | null
  protocol: string | null
  proxy: string | null
  expiryTime: number
}

/** At most a limited number of items; `complete` tells whether these are all. */
export type Excerpt<T> = { items: T[]; complete: boolean }

/**
 * Calls and devices as the platform's components keep them in Redis. Has no scopes: look up the account
 * first. Throws `StateUnreachable`.
 */
export type PlatformState = {
  /** All remembered calls of an account, ended ones too. */
  calls: (account_sid: string) => Promise<CallRecord[]>
  call: (account_sid: string, call_sid: string) => Promise<CallRecord | undefined>
  /** Deletes a call's record without hanging up. Resolves to whether there was one. */
  forgetCall: (account_sid: string, call_sid: string) => Promise<boolean>
  /** Active calls of all accounts, newest first, cached for a moment. */
  activeCalls: () => Promise<Excerpt<ActiveCall>>
  /** Call counts of the SBCs; undefined where they do not count. */
  callCounts: (
    account_sids: string[],
  ) => Promise<{ inbound: number | undefined; outbound: number | undefined }[]>
  /** Queues of one account; `glob` is a Redis pattern of names. */
  queues: (account_sid: string, glob?: string) => Promise<QueueOrConference[]>
  conferences: (account_sid: string) => Promise<QueueOrConference[]>
  /** Queues and conferences of all accounts, cached for a moment. */
  queuesAndConferences: () => Promise<Excerpt<QueueOrConference>>
  /** Registrations of exactly this realm. */
  registrations: (realm: string) => Promise<Registration[]>
  /** Registrations of all realms, cached for a moment. */
  allRegistrations: () => Promise<Excerpt<Registration>>
  /** In the order of `users`; undefined for unregistered ones. */
  devices: (users: string[]) => Promise<(Device | undefined)[]>
  /** Addresses of available feature servers. */
  featureServers: () => Promise<string[]>
  /** The gateways among these that did not answer OPTIONS, which the SBCs avoid for some minutes. */
  avoidedGateways: (sids: string[]) => Promise<Set<string>>
  close: () => Promise<void>
}

/** Thrown when Redis does not answer. */
export class StateUnreachable extends Error {
  override name = 'StateUnreachable'
}

/** Used without Redis: everything is empty. */
export const noState: PlatformState = {
  calls: async () => [],
  call: async () => undefined,
  forgetCall: async () => false,
  activeCalls: async () => ({ items: [], complete: true }),
  callCounts: async (sids) => sids.map(() => ({ inbound: undefined, outbound: undefined })),
  queues: async () => [],
  conferences: async () => [],
  queuesAndConferences: async () => ({ items: [], complete: true }),
  registrations: async () => [],
  allRegistrations: async () => ({ items: [], complete: true }),
  devices: async (users) => users.map(() => undefined),
  featureServers: async () => [],
  avoidedGateways: async () => new Set(),
  close: async () => undefined,
}
