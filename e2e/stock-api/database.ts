import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createPool, type Pool, type ResultSetHeader, type RowDataPacket } from 'mysql2/promise'

export type Row = Record<string, unknown>

/** A field of a body that is not a column. Ends the process. */
export class UnknownColumn extends Error {}

/** The platform's tables, written without validation. */
export class Database {
  #pool: Pool
  #columns = new Map<string, Set<string>>()

  constructor(url: string, name: string) {
    const { hostname, port, username, password } = new URL(url)
    this.#pool = createPool({
      host: hostname,
      port: Number(port),
      user: username,
      password,
      database: name,
      timezone: 'Z',
      multipleStatements: true,
      connectionLimit: 4,
    })
  }

  /** Creates the tables if there are none. Resolves to whether it did. */
  async prepare() {
    const [there] = await this.rows('SHOW TABLES')
    if (!there) await this.rows(readFileSync(new URL('schema.sql', import.meta.url), 'utf8'))
    const columns = await this.rows(
      'SELECT table_name AS t, column_name AS c FROM information_schema.columns WHERE table_schema = database()',
    )
    for (const { t, c } of columns as { t: string; c: string }[]) {
      if (!this.#columns.has(t)) this.#columns.set(t, new Set())
      this.#columns.get(t)!.add(c)
    }
    return !there
  }

  async rows(sql: string, values: unknown[] = []): Promise<Row[]> {
    const [rows] = await this.#pool.query<RowDataPacket[]>(sql, values)
    return rows
  }

  async row(table: string, column: string, value: unknown): Promise<Row | undefined> {
    const [row] = await this.rows('SELECT * FROM ?? WHERE ?? = ? LIMIT 1', [table, column, value])
    return row
  }

  /** Writes every field of the body to its column. Resolves to the new row's sid. */
  async insert(table: string, primary: string, body: Row): Promise<string> {
    const sid = randomUUID()
    await this.#write(table, 'INSERT INTO ?? SET ?', [{ ...body, [primary]: sid }])
    return sid
  }

  /** Resolves to false if there is no such row. */
  async update(table: string, primary: string, sid: unknown, body: Row): Promise<boolean> {
    const sql = 'UPDATE ?? SET ? WHERE ?? = ?'
    return (await this.#write(table, sql, [body, primary, sid])) > 0
  }

  async remove(table: string, column: string, value: unknown): Promise<boolean> {
    const sql = 'DELETE FROM ?? WHERE ?? = ?'
    const [result] = await this.#pool.query<ResultSetHeader>(sql, [table, column, value])
    return result.affectedRows > 0
  }

  checkColumns(table: string, body: Row) {
    // checked here, because an empty array as a value is a SQL syntax error before the column is resolved
    const unknown = Object.keys(body).find((key) => !this.#columns.get(table)!.has(key))
    if (unknown !== undefined) throw new UnknownColumn(`Unknown column '${unknown}' in ${table}`)
  }

  async #write(table: string, sql: string, values: [Row, ...unknown[]]) {
    this.checkColumns(table, values[0])
    const [result] = await this.#pool.query<ResultSetHeader>(sql, [table, ...values])
    return result.affectedRows
  }
}
