import { type Answer, MAX_RUN_ANSWERS, type RunView } from '@switchroom/contract'

/** What was answered in a run, as it is given to one that repeats it. */
export const answersOf = ({ steps }: Pick<RunView, 'steps'>): Answer[] =>
  steps.flatMap((step) => (step.kind === 'answered' ? [step.answer] : [])).slice(0, MAX_RUN_ANSWERS)
