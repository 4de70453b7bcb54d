import type { RunStep, RunView } from '@switchroom/contract'
import { expect, it } from 'vitest'
import { mergeRun } from './merge-run'

const step = (at: number): RunStep => ({ kind: 'paused', at, ms: 1 })
const run = (steps: RunStep[], more: Partial<RunView> = {}): RunView => ({
  run_sid: 'r',
  application_sid: 'a',
  account_sid: null,
  repeats: null,
  test_case_sid: null,
  simulation: null,
  begun_at: '2026-11-28T13:00:00.000Z',
  state: 'running',
  start: { direction: 'inbound', from: '1', to: '2' },
  problems: 0,
  ended: null,
  is_passed: null,
  is_withheld: false,
  step_count: steps.length,
  steps,
  question: null,
  expectations: null,
  outcomes: null,
  ...more,
})

it('appends what came, and takes the rest of it', () => {
  const merged = mergeRun(run([step(1), step(2)]), 2, run([step(3)], { question: 2 }))
  expect(merged.steps.map(({ at }) => at)).toEqual([1, 2, 3])
  expect(merged.question).toBe(2)
})

it('counts no step twice that came by another request meanwhile', () => {
  const merged = mergeRun(run([step(1), step(2)]), 1, run([step(2), step(3)]))
  expect(merged.steps.map(({ at }) => at)).toEqual([1, 2, 3])
})

it('is the same object if nothing is new', () => {
  const known = run([step(1)])
  expect(mergeRun(known, 1, run([]))).toBe(known)
  expect(mergeRun(known, 1, run([], { state: 'ended' }))).not.toBe(known)
  expect(mergeRun(known, 1, run([], { question: 0 }))).not.toBe(known)
})

it('begins with what came', () => {
  const came = run([step(1)])
  expect(mergeRun(undefined, 0, came)).toBe(came)
})
