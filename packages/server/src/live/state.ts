/** A call as the feature server writes it: all texts, in its own spelling. */
export type CallRecord = Record<string, string>

/** A call that has not ended, of whatever account. */
export type ActiveCall = {
  account_sid: string
  call_sid: string
  /** When it began, in milliseconds. */
  since: number
  record: CallRecord
}

/** A queue where callers wait, or a conference and how many wait for it to begin. */
export type Gathering = {
  kind: 'queue' | 'conference'
  account_sid: string
  name: string
  length: number
}

/** A name under which a device has registered, `user@realm`, and until when. */
export type Registration = { user: string; realm: string; expires: number }

/** What a device said of itself. */
export type Device = {
  contact: string | null
  sbcAddress: string | null
  protocol: string | null
  proxy: string | null
  expiryTime: number
}

/** There was more than is read at a time. */
export type Excerpt<T> = { items: T[]; complete: boolean }

/**
 * What the platform's components keep in Redis about calls and devices. It knows nothing of who may see
 * what: whoever asks looks up the account first. Throws `StateUnreachable`.
 */
export type PlatformState = {
  /** Everything of one account that is remembered, ended calls too. */
  calls: (account_sid: string) => Promise<CallRecord[]>
  call: (account_sid: string, call_sid: string) => Promise<CallRecord | undefined>
  /** Whether there was one. It hangs up nothing. */
  forgetCall: (account_sid: string, call_sid: string) => Promise<boolean>
  /** Of all accounts, the newest first, as it was at most a moment ago. */
  activeCalls: () => Promise<Excerpt<ActiveCall>>
  /** As the SBCs count them; undefined where they do not. */
  callCounts: (
    account_sids: string[],
  ) => Promise<{ inbound: number | undefined; outbound: number | undefined }[]>
  /** Of one account; `glob` is Redis' pattern of names. */
  queues: (account_sid: string, glob?: string) => Promise<Gathering[]>
  conferences: (account_sid: string) => Promise<Gathering[]>
  /** Queues and conferences of all accounts, as they were at most a moment ago. */
  gatherings: () => Promise<Excerpt<Gathering>>
  /** Of one realm and no other that ends like it. */
  registrations: (realm: string) => Promise<Registration[]>
  /** Of all realms, as they were at most a moment ago. */
  allRegistrations: () => Promise<Excerpt<Registration>>
  /** In the order asked for; undefined for who is not registered. */
  devices: (users: string[]) => Promise<(Device | undefined)[]>
  /** Addresses of servers that take calls. */
  featureServers: () => Promise<string[]>
  close: () => Promise<void>
}

/** Redis does not answer. */
export class StateUnreachable extends Error {
  override name = 'StateUnreachable'
}

/** Without Redis there is no platform to look at. */
export const noState: PlatformState = {
  calls: async () => [],
  call: async () => undefined,
  forgetCall: async () => false,
  activeCalls: async () => ({ items: [], complete: true }),
  callCounts: async (sids) => sids.map(() => ({ inbound: undefined, outbound: undefined })),
  queues: async () => [],
  conferences: async () => [],
  gatherings: async () => ({ items: [], complete: true }),
  registrations: async () => [],
  allRegistrations: async () => ({ items: [], complete: true }),
  devices: async (users) => users.map(() => undefined),
  featureServers: async () => [],
  close: async () => undefined,
}
