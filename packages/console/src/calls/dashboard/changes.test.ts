import { expect, it } from 'vitest'
import { countChange, durationChange, ratioChange, secondsChange } from './changes'

it('says how a count differs from the one before', () => {
  expect(countChange(112, 100)).toEqual({ way: 'up', text: '12 % more' })
  expect(countChange(50, 100)).toEqual({ way: 'down', text: '50 % fewer' })
  expect(countChange(0, 100)).toEqual({ way: 'down', text: '100 % fewer' })
  expect(countChange(5, 0)).toEqual({ way: 'up', text: 'None before' })
  expect(countChange(0, 0).way).toBe('same')
  expect(countChange(10_001, 10_000).way).toBe('same')
})

const counts = (answered: number, not_answered: number) => ({
  calls: answered + not_answered,
  answered,
  not_answered,
  seconds: 0,
  timed: 0,
})

it('says how ratios and times differ, unless one is unknown', () => {
  expect(ratioChange(counts(56, 44), counts(84, 16))).toEqual({
    way: 'down',
    text: '28.0 points lower',
  })
  expect(ratioChange(counts(1, 0), counts(0, 0))).toBeUndefined()
  expect(durationChange(95, 60)).toEqual({ way: 'up', text: '0:35 longer' })
  expect(durationChange(null, 60)).toBeUndefined()
  expect(secondsChange(4.1, 6.3)).toEqual({ way: 'down', text: '2.2 s shorter' })
  expect(secondsChange(4, 4)?.way).toBe('same')
})
