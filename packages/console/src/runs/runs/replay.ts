import { type Answer, MAX_RUN_ANSWERS, type RunView } from '@switchroom/contract'

/** Answers of a run, to repeat it with. */
export const answersOf = ({ steps }: Pick<RunView, 'steps'>): Answer[] =>
  steps.flatMap((step) => (step.kind === 'answered' ? [step.answer] : [])).slice(0, MAX_RUN_ANSWERS)
