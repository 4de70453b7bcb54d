import { z } from 'zod'
import { TOP_SCORE } from '../calls/score-results.ts'
import { Int, NoContent, versioned } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'
import { hidden } from '../wire/hidden.ts'
import { t } from '../wire/text.ts'
import { Expectation } from './run-expectations.ts'
import { Criterion, MAX_CRITERIA } from './run-simulation.ts'
import { applicationParams } from './runs.ts'

/** Limit per score card. */
export const MAX_SCORE_RULES = 20

/** Kinds of expectations that a trace can tell of. */
const Rule = Expectation.superRefine((rule, ctx) => {
  if (rule.kind === 'returns')
    ctx.addIssue({
      code: 'custom',
      path: ['kind'],
      message: t('Results of tools are not in the traces of calls'),
    })
  if ('within_ms' in rule && rule.within_ms !== undefined)
    ctx.addIssue({
      code: 'custom',
      path: ['within_ms'],
      message: t('Calls are not scored by time. Voice insights have response times'),
    })
})

const NO_RULES = t('Add a rule or a criterion')

const ScoreCardBody = z.object({
  is_active: z.boolean(),
  /** Percent of the calls, chosen by their call_sid. */
  share: Int(1, 100),
  /** Calls that are scored per day, in UTC. */
  calls_a_day: Int(1, 10_000),
  /** Tokens of the account's language model per day, in UTC. */
  tokens_a_day: Int(1_000, 100_000_000),
  /** Each for itself and in any order. */
  rules: z.array(Rule).max(MAX_SCORE_RULES),
  criteria: z
    .array(Criterion)
    .max(MAX_CRITERIA)
    .superRefine((criteria, ctx) => {
      const names = criteria.map(({ name }) => name.toLowerCase())
      names.forEach((name, i) => {
        if (names.indexOf(name) < i)
          ctx.addIssue({
            code: 'custom',
            path: [i, 'name'],
            message: t('Another criterion has this name'),
          })
      })
    }),
  /** The callers’ goal in words, for the language model. */
  goal: hidden(z.string().trim().max(1_000), 'text'),
  /** A call passes if it meets all rules, and each score is at least this. */
  pass_score: Int(1, TOP_SCORE),
})

/** By what the calls of an application are scored, and how many of them. Nothing is scored while it is not active. */
export const ScoreCard = ScoreCardBody.extend({
  application_sid: z.string(),
  account_sid: z.string().nullable(),
})
export type ScoreCard = z.infer<typeof ScoreCard>
export const ScoreCardView = ScoreCard.extend(versioned)
export type ScoreCardView = z.infer<typeof ScoreCardView>

/**
 * State of scoring the calls of an application:
 * - `on`: they are scored
 * - `off`: the score card is not active
 * - `no_words`: the account keeps no words of its calls
 * - `no_model`: only criteria are to be judged, and the account has no language model
 * - `paused`: the language model failed several times in a row
 * - `spent`: the budget of the day is used up
 */
export const SCORING_STATES = ['on', 'off', 'no_words', 'no_model', 'paused', 'spent'] as const
export const ScoringState = z.object({
  state: z.enum(SCORING_STATES),
  has_model: z.boolean(),
  /** Used today, in UTC. */
  calls_today: z.number().int(),
  tokens_today: z.number().int(),
  /** Calls that wait to be scored. */
  waiting: z.number().int(),
})
export type ScoringState = z.infer<typeof ScoringState>

const card = {
  path: '/Applications/:application_sid/ScoreCard',
  params: applicationParams,
  access: 'account',
  own: true,
} as const

export const scoreCards = endpoints({
  view: {
    ...card,
    method: 'GET',
    versioned: true,
    summary: 'Get the score card of an application',
    response: ScoreCardView,
  },
  update: {
    ...card,
    method: 'PUT',
    versioned: true,
    summary: 'Set by what the calls of an application are scored',
    body: ScoreCardBody.superRefine(({ is_active, rules, criteria }, ctx) => {
      if (is_active && rules.length === 0 && criteria.length === 0)
        ctx.addIssue({ code: 'custom', path: ['rules'], message: NO_RULES })
    }),
    status: 204,
    response: NoContent,
  },
  state: {
    ...card,
    path: `${card.path}/State`,
    method: 'GET',
    summary: 'Tell whether the calls of an application are scored, and what was used today',
    response: ScoringState,
  },
})
