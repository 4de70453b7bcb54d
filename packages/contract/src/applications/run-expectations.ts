import { z } from 'zod'
import { hidden } from '../wire/hidden.ts'

const Text = (max: number) => hidden(z.string().trim().min(1).max(max), 'text')
/**
 * Milliseconds in which the caller waited for the application since the tester's latest answer, or from the start of the
 * run if there was none yet. Requests count, and what a WebSocket application lets pass before it acts by itself. Speech,
 * sounds, pauses, timeouts and conversations do not.
 */
const within = { within_ms: z.number().int().min(0).max(3_600_000).optional() }

/** What a run must do. Texts may be parts, in any case. */
export const Expectation = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('says'), text: Text(2_000), ...within }),
  z.object({ kind: z.literal('plays'), url: Text(1_000), ...within }),
  z.object({
    kind: z.literal('asks'),
    /** Any question to the caller if not given. */
    input: z.enum(['speech', 'digits']).optional(),
    ...within,
  }),
  z.object({ kind: z.literal('dials'), number: Text(1_000), ...within }),
  z.object({ kind: z.literal('transfers'), to: Text(1_000), ...within }),
  /** The application ends the call. */
  z.object({ kind: z.literal('hangs_up'), ...within }),
])
export type Expectation = z.infer<typeof Expectation>

export const ExpectationOutcome = z.object({
  is_met: z.boolean(),
  /** The index of the step that met it, or came too late; null without one. */
  step: z.number().int().nullable(),
  /** How long it took, as `within_ms` is reckoned; null without a step. */
  ms: z.number().nullable(),
  text: hidden(z.string(), 'text'),
})
export type ExpectationOutcome = z.infer<typeof ExpectationOutcome>
