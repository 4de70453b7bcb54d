import { expect, it } from 'vitest'
import { answersOf } from './replay'

it('takes the answers of a run, as many as a run may begin with', () => {
  const answer = { kind: 'digits', digits: '1' } as const
  expect(
    answersOf({
      steps: [
        { kind: 'paused', at: 0, ms: 1 },
        { kind: 'answered', at: 1, answer },
      ],
    }),
  ).toEqual([answer])
  const many = Array.from({ length: 120 }, () => ({ kind: 'answered', at: 0, answer }) as const)
  expect(answersOf({ steps: many })).toHaveLength(100)
})
