import type { Answer } from '@switchroom/contract'

// biome-ignore lint/suspicious/noExplicitAny: an application reads what it expects
type Data = any
export type Verbs = Record<string, unknown>[]

/** An application as its developer writes it: verbs by hook, over HTTP as well as over a WebSocket. */
export type Example = {
  /** `/call` has the first verbs. Without verbs, the answer is empty. */
  hooks: Record<string, (data: Data) => Verbs | undefined>
  /** The tester's part of a call. */
  answers: Answer[]
  /** What is heard, by either party. */
  said: string[]
  /** The hooks in the order in which they are called, but that of the call. */
  heard: string[]
  env_vars?: Record<string, string>
}
