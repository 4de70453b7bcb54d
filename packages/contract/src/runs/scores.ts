import { z } from 'zod'
import { ApplicationPeriod } from '../calls/recent-calls.ts'
import { SCORE_RESULTS } from '../calls/score-results.ts'
import { accountParams, serviceProviderParams } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'
import { hidden } from '../wire/hidden.ts'
import { Score } from './run-simulation.ts'

const Words = hidden(z.string(), 'text')

/** The result of a rule. It always has a reason. */
export const RuleScore = z.object({
  /** The rule as a sentence. */
  rule: Words,
  /** Null if the trace does not tell. */
  is_met: z.boolean().nullable(),
  reason: Words,
  /** The closest thing that was said instead; null if nothing is similar. */
  nearest: Words.nullable(),
})
export type RuleScore = z.infer<typeof RuleScore>

/** Scores of a call. */
export const CallScore = z.object({
  application_sid: z.string(),
  scored_at: z.string(),
  /** `unsure`: nothing failed, but something could not be judged. */
  result: z.enum(SCORE_RESULTS),
  /** The lowest score with which each criterion passed. */
  pass_score: z.number().int(),
  /** Tokens used. */
  tokens: z.number().int(),
  rules: z.array(RuleScore),
  criteria: z.array(Score),
})
export type CallScore = z.infer<typeof CallScore>

const Count = z.number().int()
const counts = {
  /** Calls that were scored: the sum of those below. */
  scored: Count,
  passed: Count,
  failed: Count,
  unsure: Count,
}
export const ScoreCounts = z.object(counts)
export type ScoreCounts = z.infer<typeof ScoreCounts>

/** Figures of the calls that were scored, by when they began. */
export const ScoreFigures = ScoreCounts.extend({
  from: z.string(),
  /** Exclusive. */
  until: z.string(),
  /** Tokens used. */
  tokens: Count,
  /** Per hour or day, oldest first, without empty ones. `until` is exclusive. Days consist of full UTC hours, within the period. */
  times: z.array(z.object({ time: z.string(), until: z.string(), ...counts })),
  /** The most scored calls first; at most 500. */
  applications: z.array(z.object({ application_sid: z.string(), ...counts })),
  /** By version, of accounts that split figures by one: see the transcript settings. At most 500. */
  versions: z.array(
    z.object({
      application_sid: z.string(),
      /** Null if the call has none; `*` stands for all beyond the first 50 of a day. */
      version: z.string().nullable(),
      ...counts,
    }),
  ),
  /** Rules as sentences, and criteria by name; at most 500. */
  items: z.array(
    z.object({
      kind: z.enum(['rule', 'criterion']),
      name: hidden(z.string(), 'text'),
      /** Calls in which it was judged, and those in which it passed. */
      judged: Count,
      passed: Count,
      /** Calls in which it could not be judged. */
      unsure: Count,
      /** Mean score of a criterion; null for rules, and if none was given. */
      mean: z.number().nullable(),
    }),
  ),
})
export type ScoreFigures = z.infer<typeof ScoreFigures>

const figures = {
  method: 'GET',
  own: true,
  costs: 'figures',
  query: ApplicationPeriod,
  response: ScoreFigures,
} as const

export const accountScores = endpoints({
  figures: {
    ...figures,
    path: '/Accounts/:account_sid/ScoreFigures',
    params: accountParams,
    access: 'account',
    summary: 'Get figures of the scored calls of an account',
  },
  view: {
    method: 'GET',
    own: true,
    path: '/Accounts/:account_sid/CallScores/:call_sid',
    params: accountParams.extend({ call_sid: z.string().trim().min(1).max(128) }),
    access: 'account',
    summary: 'Get the scores of a call',
    /** Null if the call was not scored, or its words are no longer kept. */
    response: z.object({ score: CallScore.nullable() }),
  },
})

export const providerScores = endpoints({
  figures: {
    ...figures,
    path: '/ServiceProviders/:service_provider_sid/ScoreFigures',
    params: serviceProviderParams,
    access: 'service_provider',
    summary: 'Get figures of the scored calls of a service provider’s accounts',
  },
})
