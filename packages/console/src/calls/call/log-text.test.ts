import { expect, it } from 'vitest'
import { logText } from './log-text'

it('indents JSON and formats its time as UTC', () => {
  const at = Date.UTC(2026, 10, 21, 9, 5, 1, 999)
  expect(logText(JSON.stringify({ level: 30, time: at, msg: 'x' }))).toBe(
    '{\n  "level": 30,\n  "time": "2026-11-21 09:05:01Z",\n  "msg": "x"\n}',
  )
})

it.each(['no json', '7', 'null', '{"a":'])('leaves %s unchanged', (line) =>
  expect(logText(line)).toBe(line),
)

it('leaves an invalid time unchanged', () => {
  expect(logText('{"time":1e300}')).toContain('1e+300')
  expect(logText('{"time":"now"}')).toContain('"now"')
})
