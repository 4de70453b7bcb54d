import { type RunStep, t } from '@switchroom/contract'
import { type RefObject, useMemo } from 'react'
import { Step } from './step'

type Side = 'caller' | 'called'

/** On which side each step is: an answer is where its question was. */
function sidesOf(steps: readonly RunStep[]): Side[] {
  let asked: Side = 'caller'
  return steps.map((step) => {
    if (step.kind === 'asked') asked = step.question.side
    return 'side' in step ? step.side : asked
  })
}

/** Steps of a run, in order. */
export function Steps({
  steps,
  list,
}: {
  steps: readonly RunStep[]
  list: RefObject<HTMLOListElement | null>
}) {
  const sides = useMemo(() => sidesOf(steps), [steps])
  return (
    <ol ref={list} className="turns run-steps" data-steps aria-label={t('Steps of the run')}>
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other name, and problems name them by it
        <Step key={index} index={index} step={step} side={sides[index]!} />
      ))}
    </ol>
  )
}
