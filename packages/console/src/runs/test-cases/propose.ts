import type { Expectation, RunStep, RunView } from '@switchroom/contract'
import { valuesOf } from './values'

/** Most that a test case takes. */
const MAX = { text: 2_000, address: 1_000, expectations: 50, answers: 100 }

type Proposed = { expected: Expectation; took_ms: number }

/** Expectations that a run would meet, with how long each took as `within_ms` is reckoned. */
export function proposedExpectations(steps: readonly RunStep[]): Proposed[] {
  let answered_at = 0
  const all = steps.flatMap((step, i) => {
    const at = step.at - (step.idle ?? 0)
    if (step.kind === 'answered') answered_at = at
    const expected = expectedOf(step, steps[i + 1])
    return expected ? [{ expected, took_ms: Math.max(0, at - answered_at) }] : []
  })
  return all.slice(0, MAX.expectations)
}

function expectedOf(step: RunStep, next: RunStep | undefined): Expectation | undefined {
  switch (step.kind) {
    case 'said': {
      const text = part(withoutTags(step.text ?? ''), MAX.text)
      return text ? { kind: 'says', text } : undefined
    }
    case 'played': {
      const url = part(step.url, MAX.address)
      return url ? { kind: 'plays', url } : undefined
    }
    case 'asked':
      return asked(step, next)
    case 'ended':
      return step.by === 'application' ? { kind: 'hangs_up' } : undefined
    default:
      return undefined
  }
}

function asked(
  { question }: Extract<RunStep, { kind: 'asked' }>,
  next: RunStep | undefined,
): Expectation | undefined {
  const { verb, answers, targets } = question
  const to = part(targets[0]?.to ?? '', MAX.address)
  if (verb === 'dial') return to ? { kind: 'dials', number: to } : undefined
  if (verb === 'sip:refer') return to ? { kind: 'transfers', to } : undefined
  const inputs = (['speech', 'digits'] as const).filter((input) => answers.includes(input))
  const given = next?.kind === 'answered' ? next.answer.kind : undefined
  const input = inputs.length === 1 ? inputs[0] : inputs.find((one) => one === given)
  if (inputs.length === 0) return undefined
  return { kind: 'asks', ...(input && { input }) }
}

/** Text for comparison, without SSML tags and with single spaces. */
const withoutTags = (text: string) => text.replace(/<[^<>]*>/g, ' ').replace(/\s+/g, ' ')
const part = (text: string, max: number) => text.trim().slice(0, max).trim()

/** A new test case that plays a run again. */
export function valuesOfRun({ start, steps }: Pick<RunView, 'start' | 'steps'>) {
  const proposed = proposedExpectations(steps)
  return valuesOf(
    {
      name: '',
      start,
      answers: steps
        .flatMap((step) => (step.kind === 'answered' ? [step.answer] : []))
        .slice(0, MAX.answers),
      expectations: proposed.map(({ expected }) => expected),
    },
    proposed.map(({ took_ms }) => ({ took_ms })),
  )
}
