/** The source or destination of a message. */
export type End = { address: string; port: number }

/** A message as a capture agent saw it. */
export type Captured = {
  /** Microseconds since 1970, by the agent's clock. */
  time: number
  kind: 'sip' | 'rtcp'
  source: End
  destination: End
  transport: string
  /** The agent that captured it. */
  node: string
  call_id: string
  /** The Call-ID of the leg that caused this one, from the X-CID header. */
  parent: string | null
  /** SIP as on the wire; RTCP as the agent's JSON. */
  bytes: Uint8Array
}

/** A call as its first INVITE announces it. */
export type Invite = {
  call_id: string
  /** Milliseconds since 1970, when it came in here: agents' clocks may differ. */
  at: number
  /** User parts of the From header and of the request URI. */
  from: string | null
  to: string | null
}

/**
 * The messages to find: of a Call-ID and the legs made for it, or of a registration. Milliseconds since 1970, both
 * inclusive, so that other uses of the same Call-ID are left out.
 */
export type Wanted = {
  call_id: string
  kind: 'call' | 'registration'
  from: number
  to: number
}

/** `cut` is set if messages were left out. */
export type Capture = { messages: Captured[]; cut: boolean }

/** The most messages that are returned. A call of an hour has some tens. */
export const MAX_MESSAGES = 2_000
export const MAX_CAPTURE_BYTES = 16_000_000
/** The most messages per Call-ID, so that one call cannot fill the disk. */
export const MAX_PER_LEG = 20_000
/** The most legs of a call, and how deep legs of legs are followed. */
export const MAX_LEGS = 50
export const MAX_DEPTH = 3

/** Homer's response, which platform clients read. Only `total` is guaranteed. */
export type Transaction = { total: number } & Record<string, unknown>

/**
 * A store of SIP captures. It does not check tenants: look up the call or gateway in scope first. All throw
 * `StoreUnavailable`.
 */
export type CaptureStore = {
  /** In order of time. */
  find: (wanted: Wanted) => Promise<Capture>
  /**
   * Calls whose INVITE has come in since a time in milliseconds, newest first, without those long past. Undefined where
   * the store cannot tell.
   */
  invitesSince?: (at: number) => Promise<Invite[]>
  /** In Homer's format; undefined without messages. */
  transaction: (wanted: Wanted) => Promise<Transaction | undefined>
  /** As a pcap file; undefined without messages. */
  pcap: (wanted: Wanted) => Promise<AsyncIterable<Uint8Array> | undefined>
}
