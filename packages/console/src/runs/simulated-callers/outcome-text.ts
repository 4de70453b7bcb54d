import { numberText, type Run, type RunOutcome, type RunSimulation, t } from '@switchroom/contract'
import type { Status } from '../../ui/status'

type Tone = Parameters<typeof Status>[0]['tone']

/** How a conversation ended. */
export const OUTCOMES: Record<RunOutcome, { tone: Tone; text: string }> = {
  goal: { tone: 'ok', text: t('Goal reached') },
  gave_up: { tone: 'bad', text: t('Caller gave up') },
  application: { tone: 'info', text: t('Application hung up') },
  platform: { tone: 'warn', text: t('Platform ended the call') },
  turns: { tone: 'warn', text: t('No turns left') },
  time: { tone: 'warn', text: t('No time left') },
  tokens: { tone: 'warn', text: t('No tokens left') },
  model: { tone: 'bad', text: t('Language model failed') },
  limit: { tone: 'warn', text: t('Limit of runs reached') },
  stopped: { tone: 'off', text: t('Stopped') },
}

export type Simulated = Run & { simulation: RunSimulation }
export const isSimulated = (run: Run): run is Simulated => run.simulation !== null

/** `3 of 8 reached their goal`, and what all of them cost. */
export function sumsOf(runs: readonly Simulated[]) {
  const over = runs.filter(({ simulation }) => simulation.outcome !== null)
  return {
    count: runs.length,
    running: runs.filter(({ state }) => state === 'running').length,
    over: over.length,
    reached: over.filter(({ simulation }) => simulation.is_reached).length,
    tokens: runs.reduce((sum, { simulation }) => sum + simulation.tokens, 0),
  }
}

export type CriterionFigures = {
  criterion: string
  /** Null without any score. */
  mean: number | null
  scored: number
  refused: number
}

/** The mean score of each criterion, with how many scores it is made of and how many were refused. */
export function figuresOf(runs: readonly Simulated[]): CriterionFigures[] {
  const scores = runs.flatMap(({ simulation }) => simulation.scores ?? [])
  return [...new Set(scores.map(({ criterion }) => criterion))].map((criterion) => {
    const own = scores.filter((score) => score.criterion === criterion)
    const given = own.flatMap(({ score }) => score ?? [])
    return {
      criterion,
      mean: given.length === 0 ? null : given.reduce((a, b) => a + b, 0) / given.length,
      scored: given.length,
      refused: own.length - given.length,
    }
  })
}

/** Upper limit of the tokens that a number of conversations may use, as text. */
export const budgetText = (conversations: number, max_tokens: number) =>
  conversations === 1
    ? t('At most {tokens} tokens.', { tokens: numberText(max_tokens) })
    : t('At most {each} tokens each, {tokens} in all.', {
        ...{ each: numberText(max_tokens), tokens: numberText(conversations * max_tokens) },
      })
