import type { RunStep } from '@switchroom/contract'
import { expect, it } from 'vitest'
import { pathText, problemsOf } from './problems'

it('writes a path as code does', () => {
  expect(pathText({ path: [1, 'say', 'text', 0] })).toBe('[1].say.text[0]')
  expect(pathText({ path: ['verb'] })).toBe('verb')
  expect(pathText({ path: [] })).toBe('')
})

it('gathers what is wrong, with the step that has it', () => {
  const body = { text: '{}', bytes: 2, is_cut: false }
  const steps: RunStep[] = [
    { kind: 'event', at: 0, tone: 'warn', text: 'a warning' },
    {
      kind: 'request',
      at: 0,
      name: 'session:new',
      verb: null,
      method: 'POST',
      url: 'https://app.example',
      data: body,
      answer: null,
      ms: 1,
      attempts: 1,
      problems: [
        { path: [0, 'verb'], text: 'unknown' },
        { path: [], text: 'no response' },
      ],
    },
    { kind: 'event', at: 0, tone: 'bad', text: 'dropped' },
    {
      kind: 'command',
      at: 0,
      command: 'redirect',
      is_queued: false,
      data: body,
      problems: [{ path: ['data'], text: 'missing' }],
    },
  ]
  expect(problemsOf(steps)).toEqual([
    { step: 1, text: '[0].verb: unknown' },
    { step: 1, text: 'no response' },
    { step: 2, text: 'dropped' },
    { step: 3, text: 'data: missing' },
  ])
})
