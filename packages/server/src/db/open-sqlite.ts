import { DatabaseSync } from 'node:sqlite'
import { plainLetters } from '@switchroom/contract'

export function openSqlite(file: string) {
  const database = new DatabaseSync(file)
  database.exec(
    'pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma cache_size = -32000',
  )
  const ofText =
    (change: (text: string, ...more: unknown[]) => string) =>
    (text: unknown, ...more: unknown[]) =>
      typeof text === 'string' ? change(text, ...more) : null
  const always = { deterministic: true, varargs: true }
  database.function('plain_letters', always, ofText(plainLetters))
  database.function('substring_index', always, ofText(substringIndex as never))
  return database
}

/** MySQL's `substring_index`: the text before the n-th separator, or after the n-th from the end. */
function substringIndex(text: string, separator: string, n: number): string {
  const parts = text.split(separator)
  return (n < 0 ? parts.slice(n) : parts.slice(0, n)).join(separator)
}
