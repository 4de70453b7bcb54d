import { mkdirSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/**
 * ClickHouse's own engine (the library chdb) behind its HTTP interface, as far as the maker's client speaks it:
 * `node clickhouse-server.ts <library> <folder> <port>`. Rows in RowBinary go through a file, since the library takes
 * only text.
 */
const [library, folder, port] = process.argv.slice(2) as [string, string, string]
type Answer = { text: () => string; bytes: () => Uint8Array }
type Session = {
  queryAsync: (sql: string, options?: object) => Promise<Answer>
  /** The last statement of each kind that prepares a request: what is the same need not be said again. */
  said?: { use?: string | undefined; set?: string | undefined }
}
const { Session } = createRequire(import.meta.url)(library) as {
  Session: new (path: string) => Session
}
const CONNECTIONS = 4
const NOT_SETTINGS = new Set([
  'query',
  'query_id',
  'database',
  'session_id',
  'role',
  'user',
  'password',
])

mkdirSync(folder, { recursive: true })
const all: Session[] = Array.from({ length: CONNECTIONS }, () => new Session(join(folder, 'data')))
const free = [...all]
const waiting: ((session: Session) => void)[] = []

async function onSession<T>(work: (session: Session) => Promise<T>): Promise<T> {
  const session = free.pop() ?? (await new Promise<Session>((resolve) => waiting.push(resolve)))
  try {
    return await work(session)
  } finally {
    const next = waiting.shift()
    if (next) next(session)
    else free.push(session)
  }
}

const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`
const unescaped = (text: string) =>
  text.replace(/\\(.)/gs, (_, c: string) => ({ t: '\t', n: '\n', r: '\r', 0: '\0' })[c] ?? c)

/** Values in the place of their names. The server does so with values that it has parsed. */
function bound(sql: string, params: URLSearchParams) {
  return sql.replace(/\{(\w+):([\w() ]+)\}/g, (whole, name: string, type: string) => {
    const value = params.get(`param_${name}`)
    if (value === null) return whole
    if (type === 'String') return quoted(unescaped(value))
    if (type === 'Identifier') return `\`${unescaped(value)}\``
    return type.startsWith('Array') ? value : `CAST(${quoted(unescaped(value))}, ${quoted(type)})`
  })
}

async function bodyOf(request: IncomingMessage) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  return request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
}

async function prepare(session: Session, kind: 'use' | 'set', sql: string) {
  session.said ??= {}
  if (session.said[kind] === sql) return
  session.said[kind] = undefined
  await session.queryAsync(sql)
  session.said[kind] = sql
}

let files = 0
async function run(session: Session, params: URLSearchParams, body: Buffer): Promise<Uint8Array> {
  const inUrl = params.get('query') ?? ''
  const sql = bound(inUrl || body.toString(), params)
  const settings = [...params]
    .filter(([name]) => !NOT_SETTINGS.has(name) && !name.startsWith('param_'))
    .map(([name, value]) => `${name} = ${quoted(value)}`)
  // of the request before
  const before = ['final = 0']
  await prepare(session, 'use', `USE ${params.get('database') ?? 'default'}`)
  await prepare(session, 'set', `SET ${[...before, ...settings].join(', ')}`)
  if (/^DROP DATABASE/.test(sql)) for (const one of all) one.said = {}
  const [, table, names, format] = /^INSERT INTO (\S+) \(([^)]*)\) FORMAT (\w+)$/.exec(sql) ?? []
  if (!table || !names || !inUrl) return (await session.queryAsync(sql)).bytes()
  const columns = await session.queryAsync(`DESCRIBE TABLE ${table} FORMAT JSONEachRow`)
  const types = new Map(
    columns
      .text()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { name: string; type: string })
      .map(({ name, type }) => [`\`${name}\``, type]),
  )
  // a column that is not there is the engine's to refuse
  const structure = names
    .split(', ')
    .map((name) => `${name} ${types.get(name) ?? 'String'}`)
    .join(', ')
  const file = join(folder, `insert-${files++}`)
  await writeFile(file, body)
  try {
    const from = `file(${quoted(file)}, ${quoted(format!)}, ${quoted(structure)})`
    return (
      await session.queryAsync(`INSERT INTO ${table} (${names}) SELECT * FROM ${from}`)
    ).bytes()
  } finally {
    await rm(file, { force: true })
  }
}

// parameters are in the URL: the server takes a megabyte
createServer({ maxHeaderSize: 1 << 20 }, async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://clickhouse')
  if (url.pathname === '/ping') return void response.end('Ok.\n')
  try {
    const body = await bodyOf(request)
    const answer = await onSession((session) => run(session, url.searchParams, body))
    response.writeHead(200, { 'content-type': 'text/plain; charset=UTF-8' }).end(answer)
  } catch (e) {
    const message = e instanceof Error ? e.message : String(e)
    const [, code = '1'] = /Code: (\d+)/.exec(message) ?? []
    const text = /^Code: /.test(message)
      ? message
      : `Code: ${code}. DB::Exception: ${message} (UNKNOWN)`
    response.writeHead(500, { 'X-ClickHouse-Exception-Code': code }).end(text)
  }
}).listen(Number(port), '127.0.0.1')
