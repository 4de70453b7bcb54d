import type { FileOptions } from '@switchroom/contract'
import { parse } from 'csv-parse/sync'
import { expect, it } from 'vitest'
import { csv, fromCell } from './csv.ts'

const TEXTS = [
  '=1+1',
  "'=1+1",
  "''@a",
  "'plain",
  '+44',
  '-',
  '\tx',
  'a,"b"\nc',
  "'",
  '',
  "'0123",
  "''0123 4",
  "'90s",
]

async function exported(texts: string[]) {
  const rows = texts.map((text) => ({ text, next: '|' }))
  let file = ''
  const batches = (async function* () {
    yield rows
  })()
  for await (const chunk of csv(['text', 'next'], batches, {})) file += chunk
  return parse(file).slice(1) as string[][]
}

it('exports no cell that a spreadsheet evaluates', async () => {
  for (const [cell] of await exported(TEXTS)) expect(cell).not.toMatch(/^[=+\-@\t\r]/)
})

it('reads back every text as it was exported', async () => {
  const cells = await exported(TEXTS)
  expect(cells.map(([cell]) => fromCell(cell!))).toEqual(TEXTS)
})

it.each(['comma', 'semicolon', 'tab'] as const)(
  'writes any text between %ss',
  async (separator) => {
    const parts = ['"', '""', ',', ';', '\t', '\r', '\n', '\r\n', ' ', 'a', 'ü', '\u2028', '']
    const texts = parts.flatMap((one) =>
      parts.flatMap((two) => [`x${one}${two}`, `x${one}${two}y`]),
    )
    const batches = (async function* () {
      yield texts.map((text) => ({ text, next: text }))
    })()
    const file = (await Array.fromAsync(csv(['text', 'next'], batches, { separator }))).join('')
    const delimiter = { comma: ',', semicolon: ';', tab: '\t' }[separator]
    expect(parse(file, { delimiter })).toEqual([['text', 'next'], ...texts.map((t) => [t, t])])
  },
)

it('reads a number that was marked as text', () => {
  for (const text of ['0123', '+49 30 1234', '4930']) expect(fromCell(`'${text}`)).toBe(text)
  expect(fromCell("'90s")).toBe("'90s")
})

async function* rows() {
  yield [
    { name: 'a;b', at: '2026-07-01T12:00:00.123Z', ended_at: null },
    { name: '2026-07-01T12:00:00Z', at: null, ended_at: null },
  ]
}
const written = async (options: FileOptions) =>
  (await Array.fromAsync(csv(['name', 'at'], rows(), options))).join('').split('\r\n')

it('separates cells as it is asked, and quotes those that hold the separator', async () => {
  expect(await written({ separator: 'semicolon' })).toEqual([
    'name;at',
    '"a;b";2026-07-01T12:00:00.123Z',
    '2026-07-01T12:00:00Z;',
    '',
  ])
  expect((await written({ separator: 'tab' }))[0]).toBe('name\tat')
  expect((await written({}))[1]).toBe('a;b,2026-07-01T12:00:00.123Z')
})

it('writes times by the clock of a zone, which a column more names', async () => {
  expect(await written({ time_zone: 'Asia/Kolkata' })).toEqual([
    'name,at,time_zone',
    'a;b,2026-07-01 17:30:00,Asia/Kolkata',
    // a text that looks like a time stays text
    '2026-07-01T12:00:00Z,,Asia/Kolkata',
    '',
  ])
  const names = csv(['name'], rows(), { time_zone: 'Asia/Kolkata' })
  expect((await Array.fromAsync(names))[0]).toBe('name\r\n')
})
