import { plural, type TestCaseItem, t } from '@switchroom/contract'
import type { Status } from '../../ui/status'

type Result = 'passed' | 'failed' | 'running' | 'interrupted' | 'never'
type Tone = Parameters<typeof Status>[0]['tone']

export const RESULTS: Record<Result, { tone: Tone; text: string }> = {
  passed: { tone: 'ok', text: t('Passed') },
  failed: { tone: 'bad', text: t('Failed') },
  running: { tone: 'info', text: t('Running') },
  interrupted: { tone: 'warn', text: t('Interrupted') },
  never: { tone: 'off', text: t('Never run') },
}

/** Outcome of a test case's latest run. */
export function resultOf({ latest_run: run }: Pick<TestCaseItem, 'latest_run'>): Result {
  if (!run) return 'never'
  if (run.state !== 'ended') return run.state
  return run.is_passed ? 'passed' : 'failed'
}

type Count = { total: number } & Record<Result, number>

export function countResults(cases: readonly Pick<TestCaseItem, 'latest_run'>[]): Count {
  const count = { total: cases.length, passed: 0, failed: 0, running: 0, interrupted: 0, never: 0 }
  for (const one of cases) count[resultOf(one)]++
  return count
}

/** `3 of 8 passed`, `1 failed`, `4 running`: what there is to say, in this order. */
export function countTexts({ total, passed, failed, running, interrupted, never }: Count) {
  const all: { result: Result; n: number; text: string }[] = [
    { result: 'passed', n: passed, text: t('{passed} of {total} passed', { passed, total }) },
    { result: 'failed', n: failed, text: plural(failed, '1 failed|{n} failed') },
    { result: 'running', n: running, text: plural(running, '1 running|{n} running') },
    {
      result: 'interrupted',
      n: interrupted,
      text: plural(interrupted, '1 interrupted|{n} interrupted'),
    },
    { result: 'never', n: never, text: plural(never, '1 never run|{n} never run') },
  ]
  return all.filter(({ n }) => n > 0)
}

/** Announcement once the last test case has ended. */
export function endText({ total, passed, failed, interrupted }: Count) {
  if (passed === total) return plural(total, 'The test case passed.|All {n} test cases passed.')
  return failed + interrupted === 0
    ? t('{passed} of {total} test cases passed, none failed.', { passed, total })
    : plural(
        failed + interrupted,
        '1 of {total} test cases did not pass.|{n} of {total} test cases did not pass.',
        { total },
      )
}
