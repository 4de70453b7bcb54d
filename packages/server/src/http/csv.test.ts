import { parse } from 'csv-parse/sync'
import { expect, it } from 'vitest'
import { csv, fromCell } from './csv.ts'

const TEXTS = ['=1+1', "'=1+1", "''@a", "'plain", '+44', '-', '\tx', 'a,"b"\nc', "'", '']

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
