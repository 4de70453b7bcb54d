/** Where a message came from or went to. */
export type End = { address: string; port: number }

/** A message as a capture agent saw it. */
export type Captured = {
  /** Microseconds since 1970, by the agent's clock. */
  time: number
  kind: 'sip' | 'rtcp'
  source: End
  destination: End
  transport: string
  /** Which agent saw it. */
  node: string
  call_id: string
  /** The Call-ID of the leg that this one was made for, where it says so (X-CID). */
  parent: string | null
  /** SIP as it was on the wire; of RTCP what the agent says of it, in JSON. */
  bytes: Uint8Array
}

/**
 * Which messages: of a Call-ID and the legs made for it, or of a registration. Milliseconds since 1970, both
 * included: whoever once used the same Call-ID is not seen.
 */
export type Wanted = {
  call_id: string
  kind: 'call' | 'registration'
  from: number
  to: number
}

/** `cut`: there are more than are told. */
export type Capture = { messages: Captured[]; cut: boolean }

/** Most of a capture that is told. A call of an hour has some tens; a registration is told by its newest. */
export const MAX_MESSAGES = 2_000
export const MAX_CAPTURE_BYTES = 16_000_000

/** What clients of the platform read: a Homer's answer, of which only `total` is sure. */
export type Transaction = { total: number } & Record<string, unknown>

/**
 * Where SIP is kept. It knows nothing of tenants: ask only for a call or gateway one may see. Each throws
 * `StoreUnavailable`.
 */
export type CaptureStore = {
  /** In the order they were seen. Empty where there are none. */
  find: (wanted: Wanted) => Promise<Capture>
  /** As a Homer tells it; undefined where there is nothing. */
  transaction: (wanted: Wanted) => Promise<Transaction | undefined>
  /** The same as a capture file; undefined where there is nothing. */
  pcap: (wanted: Wanted) => Promise<AsyncIterable<Uint8Array> | undefined>
}
