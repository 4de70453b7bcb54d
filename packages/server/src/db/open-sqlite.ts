import { DatabaseSync } from 'node:sqlite'

export function openSqlite(file: string) {
  const database = new DatabaseSync(file)
  database.exec(
    'pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma cache_size = -32000',
  )
  return database
}
