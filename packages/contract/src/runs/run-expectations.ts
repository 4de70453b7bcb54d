import { z } from 'zod'
import { IntegerOrNull, NumberOrNull, StringOrNull } from '../wire/fields.ts'
import { hidden } from '../wire/hidden.ts'
import { t } from '../wire/text.ts'

/** Answers of a run, and of a test case. */
export const MAX_RUN_ANSWERS = 100

const Text = (max: number) => hidden(z.string().trim().min(1).max(max), 'text')
const Place = z.number().int().min(1).max(MAX_RUN_ANSWERS)
const when = {
  /** After the caller's answer with this number, counted from 1. */
  after_answer: Place.optional(),
  /** Before it. */
  before_answer: Place.optional(),
}
const timed = {
  /**
   * Milliseconds in which the caller waited for the application since the tester's latest answer, or from the start of the
   * run if there was none yet. Requests count, and what a WebSocket application lets pass before it acts by itself. Speech,
   * sounds, pauses, timeouts and conversations do not.
   */
  within_ms: z.number().int().min(0).max(3_600_000).optional(),
  ...when,
}

function compiles(text: string) {
  try {
    return !!new RegExp(text)
  } catch {
    return false
  }
}
/** A part of a text in any case, or a regular expression. */
const words = { text: Text(2_000), is_pattern: z.boolean().optional() }
const isRegular = ({ text, is_pattern }: { text: string; is_pattern?: boolean | undefined }) =>
  !is_pattern || compiles(text)
const IRREGULAR = { path: ['text'], message: t('This is not a valid regular expression') }

/** An expectation of a run. Texts may be parts, in any case. */
export const Expectation = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('says'), ...words, ...timed }).refine(isRegular, IRREGULAR),
  /** Between what is expected before and after it in the list. */
  z.object({ kind: z.literal('does_not_say'), ...words, ...when }).refine(isRegular, IRREGULAR),
  z.object({ kind: z.literal('plays'), url: Text(1_000), ...timed }),
  z.object({
    kind: z.literal('asks'),
    /** Any question to the caller if not given. */
    input: z.enum(['speech', 'digits']).optional(),
    ...timed,
  }),
  z.object({ kind: z.literal('dials'), number: Text(1_000), ...timed }),
  z.object({ kind: z.literal('transfers'), to: Text(1_000), ...timed }),
  /** The application answers the call of a tool, with this in its result. */
  z.object({ kind: z.literal('returns'), ...words, ...timed }).refine(isRegular, IRREGULAR),
  /** The application ends the call. */
  z.object({ kind: z.literal('hangs_up'), ...timed }),
])
export type Expectation = z.infer<typeof Expectation>

export const ExpectationOutcome = z.object({
  is_met: z.boolean(),
  /** The index of the step that met it, came too late, or should not have been; null without one. */
  step: IntegerOrNull,
  /** Time it took, measured like `within_ms`; null without a step. */
  ms: NumberOrNull,
  /** The closest thing the application said instead; null if nothing is similar. */
  nearest: hidden(StringOrNull, 'text').optional(),
  text: hidden(z.string(), 'text'),
})
export type ExpectationOutcome = z.infer<typeof ExpectationOutcome>
