import Fastify from 'fastify'
import { sql } from 'kysely'
import { openDb } from '../../packages/server/src/db/open.ts'

/** The upper bound of this framework on this database: one query, its rows as JSON, nothing else. */
const db = openDb(JSON.parse(process.env.BENCH_DATABASE!))
const app = Fastify()
app.get('/health', async () => 'OK')
app.get<{ Querystring: { sql: string } }>('/bare', async ({ query }) => {
  const { rows } = await sql.raw(query.sql).execute(db)
  return rows
})
await app.listen({ port: Number(process.env.HTTP_PORT), host: '127.0.0.1' })
