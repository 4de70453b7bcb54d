import { DatabaseSync } from 'node:sqlite'
import { type ConnectionOptions, createConnection, type RowDataPacket } from 'mysql2/promise'
import { hash } from '../packages/server/test/argon2.ts'
import { NEIGHBOUR } from './neighbour.ts'

/**
 * Completes what a started server has made, the template of all worlds: with a second service provider, and with a cheap
 * hash of the administrator's password, since each log-in verifies at the hash's own cost. Written as the platform's own
 * programs would: a request would be in the audit log, and needs a session.
 */
async function statements(password: string): Promise<[string, string[]][]> {
  return [
    [
      'insert into service_providers (service_provider_sid, name) values (?, ?)',
      [NEIGHBOUR.service_provider_sid, NEIGHBOUR.name],
    ],
    ['update users set hashed_password = ?', [await hash(password)]],
  ]
}

export async function completeFile(file: string, password: string) {
  const database = new DatabaseSync(file)
  for (const [sql, values] of await statements(password)) database.prepare(sql).run(...values)
  database.close()
}

export async function completeMysql(mysql: ConnectionOptions, password: string) {
  const connection = await createConnection(mysql)
  for (const [sql, values] of await statements(password)) await connection.execute(sql, values)
  await connection.end()
}

/**
 * Copies a database into an empty one of the same server, for half of what a first start costs. The administrator
 * gets another sid, as after a first start: what stories share, such as Redis, must not know the one of another story.
 */
export async function copyMysql(from: string, to: ConnectionOptions) {
  const connection = await createConnection({ ...to, multipleStatements: true })
  const [tables] = await connection.query<RowDataPacket[]>(
    'select table_name as name from information_schema.tables where table_schema = ?',
    [from],
  )
  const names = tables.map(({ name }) => String(name))
  const [made] = await connection.query<RowDataPacket[][]>(
    names.map((name) => connection.format('show create table ??.??', [from, name])).join('; '),
  )
  await connection.query(
    [
      'set foreign_key_checks = 0',
      ...made.map(([row]) => String(row!['Create Table'])),
      'begin',
      ...names.map((name) =>
        connection.format('insert into ?? select * from ??.??', [name, from, name]),
      ),
      'set @sid = uuid()',
      'update users set user_sid = @sid',
      'update user_permissions set user_sid = @sid',
      'commit',
    ].join('; '),
  )
  await connection.end()
}
