import type { TestCaseItem } from '@switchroom/contract'
import { describe, expect, it } from 'vitest'
import { countResults, countTexts, endText, resultOf } from './results'

type Latest = Pick<TestCaseItem, 'latest_run'>
const run = (
  state: 'running' | 'ended' | 'interrupted',
  is_passed: boolean | null = null,
): Latest => ({
  latest_run: { run_sid: 'r', begun_at: '2026-01-01T00:00:00Z', state, is_passed },
})
const passed = run('ended', true)
const failed = run('ended', false)
const never: Latest = { latest_run: null }

describe('the results of test cases', () => {
  it('are those of their latest runs', () => {
    expect([passed, failed, run('running'), run('interrupted'), never].map(resultOf)).toEqual([
      'passed',
      'failed',
      'running',
      'interrupted',
      'never',
    ])
  })

  it('are counted, without what there is none of', () => {
    const texts = (...cases: Latest[]) => countTexts(countResults(cases)).map(({ text }) => text)
    expect(texts(passed, passed, failed, run('running'))).toEqual([
      '2 of 4 passed',
      '1 failed',
      '1 running',
    ])
    expect(texts(run('interrupted'), never, never)).toEqual(['1 interrupted', '2 never run'])
  })

  it('are announced at the end', () => {
    const end = (...cases: Latest[]) => endText(countResults(cases))
    expect(end(passed)).toBe('The test case passed.')
    expect(end(passed, passed)).toBe('All 2 test cases passed.')
    expect(end(passed, never)).toBe('1 of 2 test cases passed, none failed.')
    expect(end(passed, failed)).toBe('1 of 2 test cases did not pass.')
    expect(end(passed, failed, run('interrupted'))).toBe('2 of 3 test cases did not pass.')
  })
})
