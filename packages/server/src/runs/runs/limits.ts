/**
 * What a run may use. The platform itself has no such limits: an application that redirects to itself, or asks again
 * for ever, never ends there.
 */
export type Limits = {
  /** Verbs that are walked, with those of hooks that are played while somebody waits. */
  verbs: number
  /** Requests and messages to the application. */
  requests: number
  /** Messages from a WebSocket application. */
  messages: number
  steps: number
  /** On the run's clock: with pauses, timeouts and conversations, which pass at once. */
  clock_ms: number
  /** In fact, for requests. */
  real_ms: number
  /** How long a pause or conversation really lasts, for an application that may speak meanwhile. The rest passes at once. */
  lapse_ms: number
  /** Of all of them together. */
  lapses_ms: number
  /** For a whole response. The platform waits as long for its headers, and longer for its body. */
  request_ms: number
  ack_ms: number
  handshake_ms: number
  /** How long a WebSocket application may be silent before the tester is asked. */
  silence_ms: number
  /** How long commands of a WebSocket application are waited for before a verb, which would take time in a call. */
  settle_ms: number
  /** The largest response of a webhook. */
  answer_bytes: number
  /** The largest message of a WebSocket application, as on the platform. */
  message_bytes: number
  /** What is kept of all bodies together. */
  kept_bytes: number
}

export const LIMITS: Limits = {
  verbs: 200,
  requests: 100,
  messages: 500,
  steps: 1_500,
  clock_ms: 3_600_000,
  real_ms: 600_000,
  lapse_ms: 60_000,
  lapses_ms: 600_000,
  request_ms: 10_000,
  ack_ms: 5_000,
  handshake_ms: 1_500,
  silence_ms: 10_000,
  settle_ms: 100,
  answer_bytes: 1_048_576,
  message_bytes: 24 * 1_024,
  kept_bytes: 1_048_576,
}

/** Ends a run without anybody having hung up. Its message is for the tester. */
export class RunOver extends Error {
  override name = 'RunOver'
}
