import { type RequestBody, type RunStep, t } from '@switchroom/contract'
import type { Clock } from './clock.ts'
import { type Limits, RunOver } from './limits.ts'
import type { runMasks } from './masks.ts'

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
export type NewStep = Without<RunStep, 'at' | 'idle'>
type Tone = Extract<RunStep, { kind: 'event' }>['tone']

export type Recorder = {
  steps: RunStep[]
  add: (step: NewStep, at?: number) => void
  event: (tone: Tone, text: string) => void
  body: (text: string, bytes?: number) => RequestBody
}

/** Longer texts of an application are cut in a step; the body they come from has more of them. */
const TEXT_CHARS = 4_000

/** Keeps the steps of a run, without secrets, and tells of each as it is made. */
export function recorder(
  clock: Clock,
  masks: ReturnType<typeof runMasks>,
  limits: Limits,
  onStep: (step: RunStep) => void = () => {},
): Recorder {
  const steps: RunStep[] = []
  const add = (step: NewStep, at = clock.now()) => {
    const idle = clock.idle()
    const made = masks.step(cut({ ...step, at, ...(idle > 0 && { idle }) }))
    // the end must always find room
    if (steps.length >= limits.steps && step.kind !== 'ended')
      throw new RunOver(
        t('Limit reached: {limit} steps. The run ends here.', { limit: limits.steps }),
      )
    steps.push(made)
    onStep(made)
  }
  return {
    steps,
    add,
    event: (tone, text) => add({ kind: 'event', tone, text }),
    body: masks.body,
  }
}

/** What an application wrote, short enough for a sentence. */
export const clip = (text: string, chars = 100) =>
  text.length > chars ? `${text.slice(0, chars - 1)}…` : text

const cut = (step: RunStep): RunStep =>
  step.kind === 'said' && step.text !== null
    ? { ...step, text: clip(step.text, TEXT_CHARS) }
    : step.kind === 'played'
      ? { ...step, url: clip(step.url, TEXT_CHARS) }
      : step
