import type { RunProblem, RunStep } from '@switchroom/contract'

/** A problem and the index of the step that has it. */
export type Problem = { step: number; text: string }

/** `0.say.text`, or nothing for the whole. */
export const pathText = ({ path }: Pick<RunProblem, 'path'>) =>
  path
    .map((part, i) => (typeof part === 'number' ? `[${part}]` : i > 0 ? `.${part}` : part))
    .join('')

const textOf = (problem: RunProblem) =>
  problem.path.length > 0 ? `${pathText(problem)}: ${problem.text}` : problem.text

/** Everything the platform would refuse or ignore, and other failures, in order. */
export const problemsOf = (steps: readonly RunStep[]): Problem[] =>
  steps.flatMap((step, index): Problem[] => {
    if (step.kind === 'event') return step.tone === 'bad' ? [{ step: index, text: step.text }] : []
    if (step.kind === 'request' || step.kind === 'command')
      return step.problems.map((problem) => ({ step: index, text: textOf(problem) }))
    return []
  })
