import { expect, it } from 'vitest'
import { shownBody } from './shown-body'

const bad = (line: number | null, path: (string | number)[] | null = null) => ({
  ok: false,
  message: 'x',
  line,
  column: 1,
  path,
})

it('prints JSON of one line in many, and marks the line there', () => {
  const { lines, marked } = shownBody(
    '[{"verb":"say","text":"a"},{"verb":"say","txt":"b"}]',
    bad(1, [1, 'txt']),
  )
  expect(lines[marked! - 1]).toBe('    "txt": "b"')
})

it('leaves other text as it is', () => {
  const text = '[\n{"verb":"say",,}\n]'
  expect(shownBody(text, bad(2))).toEqual({ lines: text.split('\n'), marked: 2 })
  expect(shownBody('<b>no</b>', bad(null))).toEqual({ lines: ['<b>no</b>'], marked: undefined })
})

it('shows characters that terminals and browsers obey', () => {
  expect(shownBody('a\x1b[31m\u202eb\0', null).lines).toEqual(['a␛[31m�b␀'])
})
