import type { Connection, RowDataPacket } from 'mysql2'

/** A server's thread for one of our connections. Thread numbers start again after a restart, so the client's address counts too. */
export type Thread = { server: string; id: number; client: string }
/** The server's list of our connections. */
export type Threads = {
  server: string
  self: number
  running: Map<number, { client: string; isIdle: boolean }>
}
export type Probe = { alive: true; threads: Threads | undefined } | { alive: false; cause: unknown }

const THREADS = `select @@hostname as server, connection_id() as self, id, host as client, command
  from information_schema.processlist`

export type Query = (sql: string) => Promise<RowDataPacket[]>
export const queryOn =
  (connection: Connection): Query =>
  (sql) =>
    new Promise((resolve, reject) => {
      connection.query<RowDataPacket[]>(sql, (e, rows) => (e ? reject(e) : resolve(rows)))
    })

export async function threadsOf(query: Query): Promise<Threads> {
  const rows = await query(THREADS)
  const running = rows.map(
    ({ id, client, command }) =>
      [Number(id), { client: String(client), isIdle: command === 'Sleep' }] as const,
  )
  const { server, self } = rows[0]!
  return { server: String(server), self: Number(self), running: new Map(running) }
}

/** True if the server certainly runs no statement on this thread. Behind a proxy this cannot be told. */
export function isNotRunning(thread: Thread | undefined, threads: Threads | undefined) {
  if (!thread || !threads || thread.server !== threads.server) return false
  if (!threads.running.has(threads.self)) return false
  const found = threads.running.get(thread.id)
  return found === undefined || found.client !== thread.client || found.isIdle
}
