import type { Score } from '@switchroom/contract'
import { expect, it } from 'vitest'
import { budgetText, figuresOf, type Simulated, sumsOf } from './outcome-text'

const run = (simulation: object, state = 'ended') =>
  ({
    state,
    simulation: { tokens: 100, outcome: 'goal', is_reached: true, ...simulation },
  }) as Simulated
const score = (criterion: string, given: number | null): Score => ({
  ...{ criterion, score: given, reason: null, quote: null },
  refused: given === null ? 'why' : null,
})

it('adds up conversations and what they cost', () => {
  const running = run({ outcome: null, is_reached: null }, 'running')
  expect(sumsOf([run({}), run({ is_reached: false }), running])).toEqual({
    ...{ count: 3, running: 1, over: 2, reached: 1, tokens: 300 },
  })
})

it('has the mean of scores that were given, and counts those that were refused', () => {
  const runs = [
    run({ scores: [score('A', 5), score('B', null)] }),
    run({ scores: [score('A', 2), score('B', null)] }),
    run({ scores: [score('A', null)] }),
    run({ scores: null }),
  ]
  expect(figuresOf(runs)).toEqual([
    { criterion: 'A', mean: 3.5, scored: 2, refused: 1 },
    { criterion: 'B', mean: null, scored: 0, refused: 2 },
  ])
})

it('tells what conversations may cost', () => {
  expect(budgetText(1, 20_000)).toBe('At most 20,000 tokens.')
  expect(budgetText(5, 20_000)).toBe('At most 20,000 tokens each, 100,000 in all.')
})
