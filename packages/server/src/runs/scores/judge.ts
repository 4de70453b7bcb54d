import {
  type CallScore,
  type Expectation,
  type ExpectationOutcome,
  expectationText,
  type RuleScore,
  type ScoreCard,
  type ScoreResult,
  t,
} from '@switchroom/contract'
import { checkEach } from '../runs/expectations.ts'
import type { Ask } from '../simulated-callers/play-caller.ts'
import { scoresOf } from '../simulated-callers/score.ts'
import type { Course } from './steps.ts'

const TEXT_CHARS = 2_000

export type Judged = Omit<CallScore, 'application_sid' | 'scored_at'>

/**
 * Judges a call by its score card: rules by its course, criteria by a model within a budget of tokens. Without a model,
 * criteria are refused.
 */
export async function judge(
  { steps, isPartial }: Course,
  card: Pick<ScoreCard, 'rules' | 'criteria' | 'goal' | 'pass_score'>,
  ask: Ask | undefined,
  budget: number,
): Promise<Judged> {
  const { rules, criteria, pass_score } = card
  const outcomes = checkEach(steps, rules)
  const judged = rules.map((rule, i) => ruleScore(rule, outcomes[i]!, isPartial))
  const graded =
    criteria.length === 0
      ? { scores: [], tokens: 0 }
      : ask
        ? await scoresOf(steps, card, ask, budget)
        : {
            scores: criteria.map(({ name }) => ({
              ...{ criterion: name, score: null, reason: null, quote: null },
              refused: t('The account has no language model.'),
            })),
            tokens: 0,
          }
  const passes = [
    ...judged.map(({ is_met }) => is_met),
    ...graded.scores.map(({ score }) => isPassed(score, pass_score)),
  ]
  return {
    result: resultOf(passes),
    pass_score,
    tokens: graded.tokens,
    rules: judged,
    criteria: graded.scores,
  }
}

/** Null without a score. */
export const isPassed = (score: number | null, pass_score: number) =>
  score === null ? null : score >= pass_score

function resultOf(passes: readonly (boolean | null)[]): ScoreResult {
  if (passes.includes(false)) return 'failed'
  return passes.includes(null) ? 'unsure' : 'passed'
}

/** A rule on words is met or broken by what the trace has of them, but not by what it lacks. */
function ruleScore(
  rule: Expectation,
  { is_met, text, nearest = null }: ExpectationOutcome,
  isPartial: boolean,
): RuleScore {
  const told = { rule: expectationText(rule).slice(0, TEXT_CHARS), nearest }
  const isUntold =
    isPartial && ((rule.kind === 'says' && !is_met) || (rule.kind === 'does_not_say' && is_met))
  if (!isUntold) return { ...told, is_met, reason: reasonOf(rule, is_met, text) }
  return {
    ...told,
    is_met: null,
    reason: t(
      'The trace has only a part of what the application said. A transcription of the recording has all of it.',
    ),
  }
}

/** The reason without a time, by which calls are not scored. */
function reasonOf({ kind }: Expectation, is_met: boolean, text: string) {
  if (!is_met || kind === 'does_not_say') return text
  return t('The conversation has it.')
}
