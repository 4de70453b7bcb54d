import { z } from 'zod'
import { IntegerOrNull, NumberOrNull } from '../wire/fields.ts'
import { hidden } from '../wire/hidden.ts'
import { MASK } from '../wire/mask.ts'
import { t } from '../wire/text.ts'

const Words = hidden(z.string().min(1).max(2_000), 'text')
const Name = hidden(z.string().min(1).max(500), 'text')
const Seconds = z.number().min(0).max(3_600)
const Confidence = z.number().min(0).max(1)
const Status = z.number().int().min(100).max(699)
/** Or the mask that view-only callers read. */
const Keys = hidden(
  z
    .string()
    .max(100)
    .regex(new RegExp(`^(?:[\\dA-D*#]+|${MASK})$`), t('Enter phone keys: 0 to 9, A to D, * or #')),
)

/** Time that the caller takes to answer. It passes on the run's clock, not in real time. */
const after = { after_ms: z.number().int().min(0).max(600_000).optional() }

/**
 * An answer of the tester, who stands in for the telephone:
 * - `speech`, `digits`, `nothing` until the timeout, `low_confidence`, and an `error` of the recognizer
 * - `answered`, `busy`, `no_answer`, `failed`: the result of dialing
 * - `status`: how the other side answers a SIP request; `final_status` is the result of a transfer
 * - `bridged`, `wait`: somebody takes the caller out of a queue, or the caller waits on
 * - `ended`: a conference, a stream or an agent ends after so many seconds
 * - `tool_call`: a language model calls a function of the application
 * - `hang_up`: fits every question
 */
export const Answer = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('speech'),
    text: Words,
    confidence: Confidence.optional(),
    ...after,
  }),
  z.object({
    kind: z.literal('low_confidence'),
    text: Words,
    confidence: Confidence.optional(),
    ...after,
  }),
  z.object({ kind: z.literal('digits'), digits: Keys, ...after }),
  z.object({ kind: z.literal('nothing') }),
  z.object({ kind: z.literal('error'), details: Words.optional(), ...after }),
  z.object({
    kind: z.literal('answered'),
    /** Length of the conversation. */
    seconds: Seconds.optional(),
    /** Index of the dialed target that answers, from 0. */
    target: z.number().int().min(0).max(9).optional(),
    by: z.enum(['person', 'machine']).optional(),
    /** Side that hangs up first; the called party if omitted. */
    ended_by: z.enum(['caller', 'called']).optional(),
    /** Keys that the called party presses. */
    digits: Keys.optional(),
    /** True if the called party puts the caller on hold. */
    on_hold: z.boolean().optional(),
    /** Destination to which the called party transfers the caller. */
    transfer_to: Name.optional(),
    ...after,
  }),
  z.object({ kind: z.literal('busy'), ...after }),
  z.object({ kind: z.literal('no_answer') }),
  z.object({ kind: z.literal('failed'), status: Status.optional(), ...after }),
  z.object({
    kind: z.literal('status'),
    status: Status.optional(),
    final_status: Status.optional(),
    ...after,
  }),
  z.object({ kind: z.literal('bridged'), seconds: Seconds.optional(), ...after }),
  z.object({ kind: z.literal('wait'), seconds: Seconds.optional() }),
  z.object({ kind: z.literal('ended'), seconds: Seconds.optional(), reason: Name.optional() }),
  z.object({
    kind: z.literal('tool_call'),
    name: Name,
    args: hidden(z.record(z.string().max(200), z.unknown()), 'values'),
    ...after,
  }),
  z.object({ kind: z.literal('hang_up'), ...after }),
])
export type Answer = z.infer<typeof Answer>
export type AnswerKind = Answer['kind']

export const ANSWER_KINDS = Answer.options.map((option) => option.shape.kind.value)

/** A question to the tester of a run, with the kinds of answers that fit. */
export const Question = z.object({
  /** The verb that asks; `silence` when a WebSocket application has sent nothing for a while. */
  verb: z.string().max(50),
  /** Party that is asked: the caller, or the party that was dialed. */
  side: z.enum(['caller', 'called']),
  answers: z.array(z.enum(ANSWER_KINDS)).max(ANSWER_KINDS.length),
  /** Party that is dialed or transferred to, or the queue, conference, stream or agent. */
  targets: z
    .array(z.object({ type: z.string().max(50), to: hidden(z.string().max(1_000), 'url') }))
    .max(10),
  /** Timeout after which `nothing` or `no_answer` follows; null if there is none. */
  timeout_ms: IntegerOrNull,
  /** Rule by which pressed keys are complete; null if none are expected. */
  digits: z
    .object({
      min: NumberOrNull,
      max: NumberOrNull,
      finish_keys: z.string().max(50),
    })
    .nullable(),
})
export type Question = z.infer<typeof Question>
