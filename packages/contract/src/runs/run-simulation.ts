import { z } from 'zod'
import { TOP_SCORE } from '../calls/score-results.ts'
import { Text } from '../wire/common.ts'
import { Integer } from '../wire/fields.ts'
import { hidden } from '../wire/hidden.ts'
import { t } from '../wire/text.ts'

const Words = hidden(z.string(), 'text')

/** Criteria of a simulated caller. */
export const MAX_CRITERIA = 10

/**
 * How a conversation of a simulated caller ended:
 * - `goal`: the caller hung up, having reached its goal; `gave_up`: without
 * - `application`: the application hung up; `platform`: the platform ended or refused the call
 * - `turns`, `time`, `tokens`: a limit of the caller was reached
 * - `model`: the language model failed, or its answers could not be used
 * - `limit`: a limit of runs was reached; `stopped`: somebody stopped it
 */
export const RUN_OUTCOMES = [
  'goal',
  'gave_up',
  'application',
  'platform',
  'turns',
  'time',
  'tokens',
  'model',
  'limit',
  'stopped',
] as const
export type RunOutcome = (typeof RUN_OUTCOMES)[number]

/** A criterion that conversations are graded by. */
export const Criterion = z.object({
  name: Text(100, t('Enter a name')),
  /** Describes a good and a bad conversation. */
  description: z.string().trim().max(1_000),
})
export type Criterion = z.infer<typeof Criterion>

/** A score of a language model. It has a reason and a quote from the conversation, or there is none. */
export const Score = z.object({
  criterion: z.string(),
  /** From 1 to 5; null if it was refused. */
  score: z.number().int().min(1).max(TOP_SCORE).nullable(),
  reason: Words.nullable(),
  /** Stands in the conversation. */
  quote: Words.nullable(),
  /** Why there is no score. */
  refused: Words.nullable(),
})
export type Score = z.infer<typeof Score>

/** Result of a run whose caller a language model played. */
export const RunSimulation = z.object({
  simulated_caller_sid: z.string(),
  /** Name of the caller when the run began. */
  caller_name: z.string(),
  goal: Words,
  /** Number of this conversation among those begun together. */
  number: Integer,
  of: Integer,
  /** Answers of the model. */
  turns: Integer,
  /** Tokens used, scoring included. */
  tokens: Integer,
  max_tokens: Integer,
  /** Null until it has ended. */
  outcome: z.enum(RUN_OUTCOMES).nullable(),
  /** The caller's for hanging up, or the model's failure; null without one. */
  reason: Words.nullable(),
  /** True if the caller says that it reached its goal; null until the run has ended. */
  is_reached: z.boolean().nullable(),
  /** One for each criterion; null without any, and until they have been graded. */
  scores: z.array(Score).nullable(),
})
export type RunSimulation = z.infer<typeof RunSimulation>
