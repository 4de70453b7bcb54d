import { expect, it } from 'vitest'
import { formatVerbs, verbsProblem } from './verbs'

it.each([
  ['', 'Enter a JSON array of verbs'],
  ['[\n  {"verb": "say",}\n]', 'Line 2, column 18: not valid JSON'],
  ['[] // all', 'Line 1, column 4: not valid JSON'],
  ['{}', 'Line 1, column 1: malformed jambonz payload: must be array'],
  ['[\n  {"verb": "sing"}\n]', 'Line 2, column 4: invalid instruction: sing'],
  ['[{"verb": "hangup"},\n {"verb": "play"}]', 'Line 2, column 2: play: missing value for url'],
  ['[{"say": {\n  "tex": 1}}]', 'Line 2, column 3: say: unknown property tex'],
])('locates the error in %j', (text, problem) => {
  expect(verbsProblem(text)).toBe(problem)
})

it('formats without changing values', () => {
  const text = '[{"verb":"pause","length":1.50}]'
  expect(verbsProblem(text)).toBeUndefined()
  expect(formatVerbs(text)).toBe('[\n  {\n    "verb": "pause",\n    "length": 1.50\n  }\n]')
})
