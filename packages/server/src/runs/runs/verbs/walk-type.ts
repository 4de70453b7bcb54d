import type { Call } from '../call.ts'
import type { Verb } from '../run-application.ts'

/** Plays one verb until it is over. */
export type Walk = (call: Call, verb: Verb) => void | Promise<void>
