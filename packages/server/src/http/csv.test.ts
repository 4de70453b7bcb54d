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
  for await (const chunk of csv(['text', 'next'], batches)) file += chunk
  return parse(file).slice(1) as string[][]
}

it('exports no cell that a spreadsheet evaluates', async () => {
  for (const [cell] of await exported(TEXTS)) expect(cell).not.toMatch(/^[=+\-@\t\r]/)
})

it('reads back every text as it was exported', async () => {
  const cells = await exported(TEXTS)
  expect(cells.map(([cell]) => fromCell(cell!))).toEqual(TEXTS)
})

it('reads a number that was marked as text', () => {
  for (const text of ['0123', '+49 30 1234', '4930']) expect(fromCell(`'${text}`)).toBe(text)
  expect(fromCell("'90s")).toBe("'90s")
})
