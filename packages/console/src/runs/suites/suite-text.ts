import {
  type CallCaseStep,
  expectationText,
  plural,
  type RunView,
  type Suite,
  type SuiteResult,
  t,
} from '@switchroom/contract'
import type { Status } from '../../ui/status'
import { answerText } from '../runs/run-text'

type Tone = Parameters<typeof Status>[0]['tone']

export const RESULTS: Record<SuiteResult, { tone: Tone; text: string }> = {
  running: { tone: 'info', text: t('Running') },
  same: { tone: 'ok', text: t('Same') },
  differs: { tone: 'bad', text: t('Differs') },
  interrupted: { tone: 'warn', text: t('Interrupted') },
  gone: { tone: 'off', text: t('Run not kept any more') },
}

/** `8 same`, `1 differs`: what there is of its calls. */
export const countTexts = ({ running, same, differs, interrupted, gone }: Suite['results']) => {
  const all: { result: SuiteResult; n: number; text: string }[] = [
    { result: 'differs', n: differs, text: plural(differs, '1 differs|{n} differ') },
    { result: 'same', n: same, text: plural(same, '1 the same|{n} the same') },
    { result: 'running', n: running, text: plural(running, '1 running|{n} running') },
    {
      result: 'interrupted',
      n: interrupted,
      text: plural(interrupted, '1 interrupted|{n} interrupted'),
    },
    { result: 'gone', n: gone, text: plural(gone, '1 not kept any more|{n} not kept any more') },
  ]
  return all.filter(({ n }) => n > 0)
}

export type Pair = { before: string; now: string; differs: boolean }

/** Steps of a call, each beside the step of its run. */
export function pairsOf(
  steps: readonly CallCaseStep[],
  { steps: played, outcomes }: Pick<RunView, 'steps' | 'outcomes'>,
): Pair[] {
  const given = played.flatMap((step) => (step.kind === 'answered' ? [step.answer] : []))
  let [expected, answers] = [0, 0]
  return steps.map((step): Pair => {
    if (step.kind === 'caller') {
      const now = given[answers++]
      return {
        before: step.answer ? t('Caller: {answer}', { answer: answerText(step.answer) }) : '',
        now: now ? t('Caller: {answer}', { answer: answerText(now) }) : t('Not asked'),
        differs: false,
      }
    }
    const outcome = outcomes?.[expected++]
    const before = expectationText(step.expected)
    if (!outcome) return { before, now: '', differs: false }
    const at = outcome.step === null ? undefined : played[outcome.step]
    const says = (text: string) => t('Says {text}', { text: t('“{text}”', { text }) })
    if (outcome.is_met)
      return {
        before,
        now: at?.kind === 'said' && at.text ? says(at.text) : before,
        differs: false,
      }
    return { before, now: outcome.nearest ? says(outcome.nearest) : t('Not done'), differs: true }
  })
}
