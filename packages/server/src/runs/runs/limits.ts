/**
 * Limits of a run. The platform itself has none of these: an application that redirects to itself, or asks again
 * forever, never ends there.
 */
export type Limits = {
  /** Verbs that are run, including those of hooks that are played to a waiting caller. */
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
  /** Real duration of a pause or conversation in which an application may speak. The rest passes at once. */
  lapse_ms: number
  /** Real time of all lapses together. */
  lapses_ms: number
  /** For a whole response. The platform waits as long for its headers, and longer for its body. */
  request_ms: number
  ack_ms: number
  handshake_ms: number
  /** Silence of a WebSocket application before the tester is asked. */
  silence_ms: number
  /** Time to wait for commands of a WebSocket application before a verb, which would pass in a call as well. */
  settle_ms: number
  /** The largest response of a webhook. */
  answer_bytes: number
  /** The largest message of a WebSocket application, as on the platform. */
  message_bytes: number
  /** Bytes kept of all bodies together. */
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
