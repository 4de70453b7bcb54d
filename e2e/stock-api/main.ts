/**
 * A stand-in for the platform's stock API server, to test the console against. It imports nothing from our
 * server or contract and does not normalize input: bodies are stored field by field, foreign key violations
 * return the database's message, and a field that is not a column ends the process on every route, which
 * is slightly stricter than the real server.
 *
 * By hand: `TEST_MYSQL_URL=mysql://root@127.0.0.1:3306/ node e2e/stock-api/main.ts`. It creates and seeds a
 * database (`admin`, `correct horse 1`) and prints its URL, to be used as `API_BASE_URL`.
 * Set `STOCK_DATABASE` and `STOCK_PORT` to restart it on the same database and port.
 *
 * Not implemented: the hosted variant (registration, billing), live calls, mail, rate limits.
 */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createConnection } from 'mysql2/promise'
import { accounts } from './accounts.ts'
import { applications } from './applications.ts'
import { carriers, gateways } from './carriers.ts'
import { Database, type Row, UnknownColumn } from './database.ts'
import { providers } from './providers.ts'
import { routing } from './routing.ts'
import { seed } from './seed.ts'
import { callerOf, session } from './session.ts'
import { settings } from './settings.ts'
import { speech } from './speech.ts'
import { telemetry } from './telemetry.ts'
import { users } from './users.ts'
import { type Answer, type Caller, Refused, type Routes } from './wire.ts'

// the first match wins, so fixed segments come before sids
const all: Routes = {
  ...session,
  ...users,
  ...accounts,
  ...providers,
  ...applications,
  ...carriers,
  ...gateways,
  ...routing,
  ...speech,
  ...settings,
  ...telemetry,
}
const routes = Object.entries(all).map(([route, handler]) => {
  const [method, path] = route.split(' ') as [string, string]
  const pattern = new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`, 'i')
  return { method, pattern, handler }
})
const PUBLIC = /^\/(login|PredefinedCarriers)/

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  return text ? (JSON.parse(text) as unknown) : {}
}

async function answer(db: Database, request: IncomingMessage): Promise<Answer> {
  const url = new URL(request.url!.replace(/\/{2,}/g, '/'), 'http://stock')
  const path = url.pathname.replace(/^\/(api\/)?v1/, '')
  const method = request.method === 'HEAD' ? 'GET' : request.method!
  let body: unknown
  try {
    body = await readBody(request)
  } catch (e) {
    return { status: 400, json: { msg: (e as Error).message } }
  }
  let caller: Caller = { scope: 'account', account_sid: null, service_provider_sid: null }
  if (!PUBLIC.test(path)) {
    const [, token] = /^bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? []
    const authenticated = token && (await callerOf(db, token))
    if (!authenticated) return { status: 401, text: 'Unauthorized' }
    caller = authenticated
  }
  const sent = body as Row
  const ownPassword = sent.old_password && sent.new_password
  if (caller.is_view_only && method !== 'GET' && path !== '/logout' && !ownPassword)
    return { status: 403, json: { msg: 'User has view-only access' } }
  for (const route of routes) {
    const match = route.method === method && route.pattern.exec(path)
    if (!match) continue
    const decoded = Object.entries(match.groups ?? {}).map(([k, v]) => [k, decodeURIComponent(v)])
    return route.handler({
      db,
      caller,
      params: Object.fromEntries(decoded),
      query: Object.fromEntries(url.searchParams),
      body: Array.isArray(body) ? {} : sent,
      ...(Array.isArray(body) && { items: body as Row[] }),
    })
  }
  return { status: 404, text: `Cannot ${request.method} ${url.pathname}` }
}

function answerForError(e: Error & { errno?: number; sqlMessage?: string }): Answer {
  if (e instanceof Refused) return e.answer
  if (e instanceof UnknownColumn) {
    // the real server has an unhandled rejection here
    console.error(e)
    process.exit(1)
  }
  const DUPLICATE = 1062
  return { status: e.errno === DUPLICATE ? 422 : 500, json: { msg: e.sqlMessage ?? e.message } }
}

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*, authorization, content-type',
  'access-control-allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE',
  'cache-control': 'no-store, no-cache, must-revalidate, proxy-revalidate',
}

const server = process.env.TEST_MYSQL_URL
if (!server) throw new Error('TEST_MYSQL_URL is not set')
const database = process.env.STOCK_DATABASE ?? `stock_${randomUUID().slice(0, 8)}_test`
const { hostname, port, username, password } = new URL(server)
const admin = await createConnection({
  host: hostname,
  port: Number(port),
  user: username,
  password,
})
await admin.query('CREATE DATABASE IF NOT EXISTS ??', [database])
await admin.end()
const db = new Database(server, database)
if (await db.prepare()) await seed(db, process.env.STOCK_ADMIN_PASSWORD ?? 'correct horse 1')

const http = createServer(async (request, reply) => {
  if (request.method === 'OPTIONS') return reply.writeHead(204, CORS).end()
  const { status, json, text, audio } = await answer(db, request).catch(answerForError)
  // one line per request, which stories read
  console.log(`${request.method} ${request.url} ${status}`)
  const type = json !== undefined ? 'application/json' : audio ? 'audio/mpeg' : 'text/plain'
  const head = { ...CORS, ...(status !== 204 && { 'content-type': `${type}; charset=utf-8` }) }
  reply.writeHead(status, head).end(json === undefined ? (audio ?? text) : JSON.stringify(json))
})
http.listen(Number(process.env.STOCK_PORT ?? 0), '127.0.0.1', () => {
  const at = `http://127.0.0.1:${(http.address() as AddressInfo).port}/api/v1`
  console.log(`A stock API server at ${at} on ${database}`)
})
