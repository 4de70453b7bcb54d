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
  /** The Call-ID of the leg that caused this one, from the X-CID header or the agent's correlation. */
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
  /** Other legs of the call, as its records tell. */
  also?: readonly string[]
  /** Legs that are somebody else's, although messages claim that they were made for this call. */
  except?: readonly string[]
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

/** The legs that a leg was made for, the nearest first, from how to find that of one. */
export async function ancestors(
  call_id: string,
  parentOf: (call_id: string) => Promise<string | undefined>,
): Promise<string[]> {
  const found = [call_id]
  while (found.length <= MAX_DEPTH) {
    const parent = await parentOf(found.at(-1)!)
    if (parent === undefined || found.includes(parent)) break
    found.push(parent)
  }
  return found.slice(1)
}

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
   * The Call-IDs that a leg was made for, the nearest first. Callers may name any call as the one theirs was made for,
   * so show a call that is found this way only to those who may see its record.
   */
  parentsOf: (call_id: string) => Promise<string[]>
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
