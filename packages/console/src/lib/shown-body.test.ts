import { expect, it } from 'vitest'
import { shownBody } from './shown-body'

const bad = (line: number | null, path: (string | number)[] | null = null) => [
  { message: 'x', line, path },
]

it('prints JSON of one line in many, and marks the line there', () => {
  const { lines, marked } = shownBody(
    '[{"verb":"say","text":"a"},{"verb":"say","txt":"b"}]',
    bad(1, [1, 'txt']),
  )
  const [[line, messages]] = [...marked] as [[number, string[]]]
  expect(lines[line - 1]).toBe('    "txt": "b"')
  expect(messages).toEqual(['x'])
})

it('leaves other text as it is', () => {
  const text = '[\n{"verb":"say",,}\n]'
  expect(shownBody(text, bad(2))).toEqual({
    lines: text.split('\n'),
    marked: new Map([[2, ['x']]]),
  })
  expect(shownBody('<b>no</b>', bad(null))).toEqual({ lines: ['<b>no</b>'], marked: new Map() })
})

it('marks all that is wrong, also in JSON that has lines of its own', () => {
  const { marked } = shownBody('[\n{"verb":"say"},\n{"verb":"sing"}]', [
    { message: 'a', path: [1] },
    { message: 'b', path: [1, 'verb'] },
    { message: 'whole', path: [] },
    { message: 'gone', path: [7, 'verb'] },
  ])
  expect([...marked]).toEqual([[3, ['a', 'b']]])
})

it('shows characters that terminals and browsers obey', () => {
  expect(shownBody('a\x1b[31m\u202eb\0', []).lines).toEqual(['a␛[31m�b␀'])
})
