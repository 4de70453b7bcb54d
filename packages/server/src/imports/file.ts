import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import {
  type CsvFile,
  type FileRead,
  IMPORT_MAX_ROWS,
  isSecretName,
  MASK,
  plural,
  type RowProblem,
  t,
  UNSEEN,
} from '@switchroom/contract'
import { type Options, parse } from 'csv-parse'
import { parse as parseSync } from 'csv-parse/sync'
import { z } from 'zod'
import { errorCode, errorNumber } from '../errors/members.ts'
import { headingsOf } from './headings.ts'

export type File = {
  lines: { line: number; cells: Record<string, string> }[]
  problem?: RowProblem
  /** Missing if nothing of it could be read. */
  read?: FileRead
}

type Expected = { columns: readonly string[]; row?: z.ZodType; most?: number | undefined }

const CHUNK = 32_768
const MAX_RECORD = 200_000
/** Most characters of the heading line, which are read to find the separator. */
const MAX_HEADINGS = 65_536
const SHOWN_ROWS = 3
const SHOWN_TEXT = 100

const NOT_UTF8 = t('This file is not in UTF-8. Save it as “CSV UTF-8”')

/**
 * Parses the cells of a file by column. An invalid file, or one that lacks a column, has one problem for
 * the whole file. `named`: the columns that it has, whatever its headings; empty for one to leave out.
 */
export async function readFile(
  file: CsvFile,
  { columns, row, most = IMPORT_MAX_ROWS }: Expected,
  named?: string[],
): Promise<File> {
  if (isWorkbook(file.bytes))
    return wrong(1, t('This is an Excel workbook. Save it as “CSV UTF-8” first'))
  const { encoding, guessed } = encodingOf(file)
  const lines: File['lines'] = []
  const columnOf = headingsOf(columns)
  const flags = flagsOf(row)
  const shape = shapeOf(await firstText(file, encoding), columnOf)
  const read: FileRead = {
    encoding,
    guessed,
    separator: shape.delimiter,
    headings: [],
    rows: [],
  }
  let problem: RowProblem | undefined
  const options = { ...shape, ...OPTIONS, info: true }
  try {
    const parsed: AsyncIterable<Parsed> = Readable.from(textOf(file, encoding)).compose(
      parse(options),
    )
    for await (const { info, record } of parsed) {
      const line = info.lines
      const cells = record.map(tidy)
      if (!guessed && cells.some(isUndecoded)) return wrong(line, NOT_UTF8)
      // the file may be in any encoding of one byte: its person says whether the letters are right
      const isForeign = guessed && cells.some((cell) => NOT_ASCII.test(cell))
      if (isForeign) problem ??= { line, message: NOT_UTF8 }
      if (read.headings.length === 0) {
        if (guessed && cells.some((cell) => cell.includes('\0'))) return wrong(line, NOT_UTF8)
        read.headings = cells.map((heading, i) => ({
          heading: heading.slice(0, SHOWN_TEXT),
          column: (named ? named[i] : columnOf(heading)) || null,
        }))
        const message = headerProblem(read.headings, columns, named)
        if (message && !guessed) problem = { line, message }
        continue
      }
      if (read.rows.length < SHOWN_ROWS && (!guessed || isForeign))
        read.rows.push(shown(cells, read.headings))
      if (problem) {
        if (read.rows.length === SHOWN_ROWS) break
        continue
      }
      if (lines.length === most)
        return wrong(line, plural(most, 'At most 1 row in one file|At most {n} rows in one file'))
      lines.push({ line, cells: byColumn(cells, read.headings, flags) })
    }
  } catch (e) {
    const code = errorCode(e)
    if (code === undefined) throw e
    problem ??= {
      line: errorNumber(e, 'lines') ?? 1,
      message: CSV_PROBLEMS[code] ?? t('This file is not valid CSV'),
    }
  }
  return { read, ...(problem ? { lines: [], problem } : { lines }) }
}

type ColumnOf = ReturnType<typeof headingsOf>

/** A line as the parser yields it with `info` set. */
type Parsed = { info: { lines: number }; record: string[] }

const OPTIONS = {
  skip_empty_lines: true,
  skip_records_with_empty_values: true,
  trim: true,
  max_record_size: MAX_RECORD,
} satisfies Options

const wrong = (line: number, message: string): File => ({ lines: [], problem: { line, message } })

const ZIP = 'PK\u0003\u0004'
const isWorkbook = (bytes: Uint8Array) =>
  ZIP === String.fromCharCode(...bytes.subarray(0, ZIP.length))

/** Decodes the bytes: as the file says, as the request says, or else as UTF-8 if possible. */
function encodingOf({ bytes, charset }: CsvFile): Pick<FileRead, 'encoding' | 'guessed'> {
  const known = (encoding: string) => ({ encoding, guessed: false })
  const mark = bytes[0]! * 256 + bytes[1]!
  if (mark === 0xfffe) return known('utf-16le')
  if (mark === 0xfeff) return known('utf-16be')
  if (charset !== undefined && charset !== 'utf-8') return known(charset)
  return isUtf8(bytes) ? known('utf-8') : { encoding: 'windows-1252', guessed: true }
}

/** The text in parts, with other requests in between. */
async function* textOf({ bytes }: CsvFile, encoding: string) {
  const decoder = new TextDecoder(encoding)
  for (let at = 0; at < bytes.length; at += CHUNK) {
    const stream = at + CHUNK < bytes.length
    yield decoder.decode(bytes.subarray(at, at + CHUNK), { stream })
    await setImmediate()
  }
}

async function firstText(file: CsvFile, encoding: string) {
  let first = ''
  for await (const text of textOf(file, encoding)) {
    first += text
    if (first.length > MAX_HEADINGS) break
  }
  return first
}

const SEPARATORS = [',', ';', '\t']
/** The line that Excel writes and reads, which names the separator. */
const SEPARATOR_LINE = /^"?sep=([^\r\n])"?[,;\t]*\r?\n/i

/** Separator of a file's cells: as it says, else the one with the most known headings. */
function shapeOf(text: string, columnOf: ColumnOf) {
  const said = SEPARATOR_LINE.exec(text)?.[1]
  if (said) return { delimiter: said, from_line: 2 }
  const headings = (delimiter: string): string[] => {
    try {
      return parseSync(text, { ...OPTIONS, delimiter, to: 1 })[0] ?? []
    } catch (e) {
      if (errorCode(e) === undefined) throw e
      return []
    }
  }
  const rank = (delimiter: string) => {
    const cells = headings(delimiter)
    const known = cells.filter((cell) => columnOf(tidy(cell))).length
    return { delimiter, known, size: cells.length }
  }
  const [best] = SEPARATORS.map(rank).sort((a, b) => b.known - a.known || b.size - a.size)
  return { delimiter: best!.delimiter }
}

const ODD = `[\\s${UNSEEN}]+`
const AROUND = new RegExp(`^${ODD}|${ODD}$`, 'g')
const tidy = (cell: string) => cell.replace(AROUND, '')

const NOT_ASCII = /[^\0-\x7f]/

/** True if bytes could not be decoded: the decoder replaces them by this character. */
const isUndecoded = (text: string) => text.includes('\ufffd')

function headerProblem(
  headings: FileRead['headings'],
  columns: readonly string[],
  named: string[] | undefined,
): string | undefined {
  if (named && named.length !== headings.length)
    return plural(headings.length, 'The file has 1 column|The file has {n} columns')
  const names = headings.map(({ heading, column }) => column ?? (named ? '' : heading))
  const short = (name: string) => name.slice(0, 64)
  const unknown = names.find((name) => !columns.includes(name) && !(named && name === ''))
  if (unknown !== undefined)
    return t('Unknown column "{short}". The columns are {columns}', {
      short: short(unknown),
      columns: columns.join(', '),
    })
  const twice = names.find((name, i) => name !== '' && names.indexOf(name) < i)
  return twice && t('The column "{short}" is there twice', { short: short(twice) })
}

const byColumn = (cells: string[], headings: FileRead['headings'], flags: Set<string>) =>
  Object.fromEntries(
    headings.flatMap(({ column }, i) => {
      const cell = cells[i]!
      if (column === null) return []
      return [[column, (flags.has(column) && FLAGS[cell.toLowerCase()]) || cell]]
    }),
  )

/** Spellings of true and false in spreadsheets. */
const FLAGS: Record<string, string> = {
  true: '1',
  yes: '1',
  wahr: '1',
  ja: '1',
  false: '0',
  no: '0',
  falsch: '0',
  nein: '0',
}

/** The columns that are true or false. */
function flagsOf(row: z.ZodType | undefined) {
  const shape = row instanceof z.ZodObject ? row.shape : {}
  const takesTrue = ([, schema]: [string, unknown]) =>
    schema instanceof z.ZodType && schema.safeParse('true').data === 1
  return new Set(
    Object.entries(shape)
      .filter(takesTrue)
      .map(([column]) => column),
  )
}

/** A row as it may be shown: without passwords. */
const shown = (cells: string[], headings: FileRead['headings']) =>
  cells.map((cell, i) => {
    const { heading = '', column = null } = headings[i] ?? {}
    return cell !== '' && isSecretName(column ?? heading) ? MASK : cell.slice(0, SHOWN_TEXT)
  })

const CSV_PROBLEMS: Record<string, string> = {
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: t('This row does not have one cell per column'),
  CSV_QUOTE_NOT_CLOSED: t('A quote is not closed'),
  CSV_INVALID_CLOSING_QUOTE: t('A quote closes in the middle of a cell'),
  INVALID_OPENING_QUOTE: t('A quote opens in the middle of a cell'),
  CSV_MAX_RECORD_SIZE: t('This row is too long'),
}
