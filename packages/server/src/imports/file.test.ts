import { readFile as read } from 'node:fs/promises'
import {
  ACCOUNT_COLUMNS,
  APPLICATION_COLUMNS,
  CARRIER_COLUMNS,
  CLIENT_COLUMNS,
  labelOf,
  MASK,
  PHONE_NUMBER_COLUMNS,
  ROUTE_COLUMNS,
  USER_COLUMNS,
} from '@switchroom/contract'
import { describe, expect, it } from 'vitest'
import { readFile } from './file.ts'
import { headingsOf } from './headings.ts'

const IMPORTS = {
  accounts: ACCOUNT_COLUMNS,
  applications: APPLICATION_COLUMNS,
  carriers: CARRIER_COLUMNS,
  clients: CLIENT_COLUMNS,
  numbers: PHONE_NUMBER_COLUMNS,
  routes: ROUTE_COLUMNS,
  users: USER_COLUMNS,
}

const bytesOf = (file: string | Uint8Array) => (typeof file === 'string' ? Buffer.from(file) : file)
const numbersIn = (file: string | Uint8Array, charset?: string, named?: string[]) =>
  readFile({ bytes: bytesOf(file), charset }, { columns: PHONE_NUMBER_COLUMNS }, named)
const utf16 = (text: string, big = false) => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
  return big ? bytes.swap16() : bytes
}

const ROWS = [
  { number: '4930111', description: 'Zürich, „Mitte“' },
  { number: '4930112', description: '' },
]
const cellsOf = ({ lines }: Awaited<ReturnType<typeof readFile>>) => lines.map((l) => l.cells)

const COMMA = 'number,description\r\n4930111,"Zürich, „Mitte“"\r\n4930112,\r\n'
const SEMICOLON = 'number;description\r\n4930111;Zürich, „Mitte“\r\n4930112;\r\n'
const TAB = 'number\tdescription\r\n4930111\tZürich, „Mitte“\r\n4930112\t\r\n'

describe('A file as a spreadsheet writes it', () => {
  it.each([
    ['with commas', COMMA],
    ['with semicolons', SEMICOLON],
    ['with tabs', TAB],
    ['with a line that names the separator', `sep=;\r\n${SEMICOLON}`],
    ['with another separator that it names', `sep=|\r\n${SEMICOLON.replaceAll(';', '|')}`],
    ['in UTF-8 with its mark', `\ufeff${SEMICOLON}`],
    ['in UTF-8 with its mark and a separator', `\ufeffsep=;\r\n${SEMICOLON}`],
    ['in UTF-16', utf16(TAB)],
    ['in UTF-16, the other byte first', utf16(TAB, true)],
    ['in UTF-16 with a separator', utf16(`sep=;\r\n${SEMICOLON}`)],
    ['with spaces that are no plain ones', COMMA.replace('4930111', '\u200b4930111\u00a0\u202c')],
    ['with odd spaces in headings', COMMA.replace('number', '\u00a0Number\u200b')],
    ['with German headings', SEMICOLON.replace('number;description', 'Rufnummer;BESCHREIBUNG')],
    ['with rows of empty cells', `${SEMICOLON};\r\n;\r\n`],
  ])('%s is read', async (_, file) => {
    const read = await numbersIn(file)
    expect(read.problem).toBeUndefined()
    expect(cellsOf(read)).toEqual(ROWS)
  })

  it('tells lines as an editor counts them, below a line that names the separator', async () => {
    expect((await numbersIn(`sep=;\r\n${SEMICOLON}`)).lines.map((l) => l.line)).toEqual([3, 4])
    expect(await numbersIn('sep=;\r\nnumber;what\r\n1;2\r\n')).toMatchObject({
      problem: { line: 2, message: expect.stringContaining('Unknown column "what"') },
    })
  })

  it('keeps what is within a cell', async () => {
    const { lines } = await numbersIn('number,description\n1,"a\u200db; c\td"\n')
    expect(lines[0]?.cells.description).toBe('a\u200db; c\td')
  })

  it('in Windows-1252 is refused, with its foreign rows to look at, until that is said', async () => {
    const bytes = Buffer.from(SEMICOLON.replace(/[„“]/g, ''), 'latin1')
    const asked = await numbersIn(
      Buffer.concat([Buffer.from('number;description\r\n1;plain\r\n'), bytes.subarray(20)]),
    )
    expect(asked).toMatchObject({
      lines: [],
      problem: { line: 3, message: 'This file is not in UTF-8. Save it as “CSV UTF-8”' },
      read: { encoding: 'windows-1252', guessed: true },
    })
    expect(asked.read?.rows).toEqual([['4930111', 'Zürich, Mitte']])
    const said = await numbersIn(bytes, 'windows-1252')
    expect(said).toMatchObject({ read: { encoding: 'windows-1252', guessed: false } })
    expect(cellsOf(said)[0]).toEqual({ number: '4930111', description: 'Zürich, Mitte' })
    // a declaration of UTF-8 is checked as well
    expect((await numbersIn(bytes, 'utf-8')).read?.guessed).toBe(true)
  })

  it('that is no text is refused without a guess', async () => {
    const workbook = Buffer.from('PK\u0003\u0004\u0000\u00ff', 'latin1')
    expect(await numbersIn(workbook)).toEqual({
      lines: [],
      problem: {
        line: 1,
        message: 'This is an Excel workbook. Save it as “CSV UTF-8” first',
      },
    })
    const marks = await numbersIn(utf16(SEMICOLON).subarray(2))
    expect(marks).toMatchObject({ problem: { line: 1 } })
    expect(marks.read).toBeUndefined()
  })
})

describe('Columns under other words', () => {
  const foreign = 'Numéro;Kunde;Info\r\n4930111;a1;one\r\n4930112;a1;\r\n4930113;;\r\n4930114;;\r\n'

  it('are shown with their first rows', async () => {
    const { problem, read } = await numbersIn(foreign)
    expect(problem?.message).toMatch(/^Unknown column "Numéro"\. The columns are number, /)
    expect(read).toEqual({
      encoding: 'utf-8',
      guessed: false,
      separator: ';',
      headings: [
        { heading: 'Numéro', column: null },
        { heading: 'Kunde', column: null },
        { heading: 'Info', column: null },
      ],
      rows: [
        ['4930111', 'a1', 'one'],
        ['4930112', 'a1', ''],
        ['4930113', '', ''],
      ],
    })
  })

  it('are those that are named, and none that is left out', async () => {
    const read = await numbersIn(foreign, undefined, ['number', '', 'description'])
    expect(cellsOf(read)[0]).toEqual({ number: '4930111', description: 'one' })
    expect(read.lines).toHaveLength(4)
  })

  it.each([
    [['number', ''], 'The file has 3 columns'],
    [['number', 'number', ''], 'The column "number" is there twice'],
    [['number', 'tariff', ''], /^Unknown column "tariff"/],
    [['__proto__', '', ''], /^Unknown column "__proto__"/],
  ])('are not %j', async (named, message) => {
    const { lines, problem } = await numbersIn(foreign, undefined, named)
    expect(lines).toEqual([])
    expect(problem?.message).toMatch(message)
  })

  it('never show passwords', async () => {
    const file = 'Benutzername,Kennwort,api_token\njane,CANARY-1,CANARY-2\nbob,,\n'
    const bytes = Buffer.from(file)
    const { read } = await readFile({ bytes }, { columns: CLIENT_COLUMNS })
    expect(read?.rows).toEqual([
      ['jane', MASK, MASK],
      ['bob', '', ''],
    ])
  })
})

describe.each(Object.entries(IMPORTS))('Headings of %s', (_, columns) => {
  const columnOf = headingsOf(columns)

  it('stand for one column each, in any case', () => {
    for (const column of columns)
      for (const name of [column, column.toUpperCase(), column.replaceAll('_', ' ')])
        expect(columnOf(name), name).toBe(column)
  })

  it('may be the German labels of the console', async () => {
    const german: Record<string, string> = Object.fromEntries(
      Object.entries<string>(
        JSON.parse(
          await read(new URL('../../../console/languages/de.json', import.meta.url), 'utf8'),
        ),
      ).map(([english, text]) => [english.toLowerCase(), text]),
    )
    for (const column of columns) {
      const label = german[labelOf([column]).toLowerCase()]
      // two columns of carriers have one label
      if (label && label !== 'SIP-Realm') expect(columnOf(label), label).toBe(column)
    }
  })
})
