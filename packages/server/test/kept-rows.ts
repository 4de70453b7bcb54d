import { sql } from 'kysely'
import { createConnection } from 'mysql2/promise'
import { type Db, kindOf } from '../src/db/open.ts'
import type { TestApp } from './app.ts'
import { mysqlAt } from './database.ts'

type Row = Record<string, string | number | Buffer | null>
type Kept = { putBack: () => Promise<void>; close: () => Promise<void> }

/** A copy in another database in memory: reading and writing rows from here would convert times. */
async function keptBySqlite(db: Db, names: string[]): Promise<Kept> {
  const copy = (name: string) => sql.table(`kept.${name}`)
  await sql`attach ':memory:' as kept`.execute(db)
  for (const name of names)
    await sql`create table ${copy(name)} as select * from ${sql.table(name)}`.execute(db)
  return {
    async putBack() {
      await sql`pragma foreign_keys = off`.execute(db)
      for (const name of names) {
        await sql`delete from ${sql.table(name)}`.execute(db)
        await sql`insert into ${sql.table(name)} select * from ${copy(name)}`.execute(db)
      }
      await sql`pragma foreign_keys = on`.execute(db)
    },
    close: async () => undefined,
  }
}

/** Through a connection that converts no times. Most tables are empty, and most others unchanged. */
async function keptByMysql(names: string[]): Promise<Kept> {
  const { kind: _, connectionLimit: __, ...config } = mysqlAt('test')
  const connection = await createConnection({
    ...{ ...config, dateStrings: true, charset: 'utf8mb4', multipleStatements: true },
  })
  const readAll = async () => {
    const all = names.map((name) => `select * from \`${name}\``).join(';')
    const [rows] = await connection.query(all)
    return rows as Row[][]
  }
  const kept = await readAll()
  return {
    async putBack() {
      const now = await readAll()
      await connection.query('set foreign_key_checks = 0')
      // a commit for all of them
      await connection.beginTransaction()
      for (const [i, name] of names.entries()) {
        if (JSON.stringify(now[i]) === JSON.stringify(kept[i])) continue
        await connection.query(`delete from \`${name}\``)
        for (const row of kept[i]!) await connection.query(`insert into \`${name}\` set ?`, row)
      }
      await connection.commit()
      await connection.query('set foreign_key_checks = 1')
    },
    close: () => connection.end(),
  }
}

/**
 * Keeps the rows of every table, and restores them after a destructive test: far cheaper than another server with
 * resources of its own.
 */
export async function keptRows({ db, ctx }: TestApp) {
  const names = (await db.introspection.getTables()).map(({ name }) => name)
  const { putBack, close } = await (kindOf(db) === 'sqlite'
    ? keptBySqlite(db, names)
    : keptByMysql(names))
  return {
    async restore() {
      await putBack()
      ctx.memory.listings.forget()
      ctx.memory.callers.forget()
    },
    close,
  }
}
