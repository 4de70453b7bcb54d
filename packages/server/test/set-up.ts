import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DoctorCheckName, DoctorOutcome, DoctorReport } from '@switchroom/contract'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { openDb } from '../src/db/open.ts'
import { prepareDatabase } from '../src/db/prepare.ts'
import { runDoctor } from '../src/health/doctor/run.ts'
import { siteOf } from '../src/health/doctor/site.ts'

export const HOST = '127.0.0.1'
/** Part of every secret: no report may contain it. */
export const CANARY = 'canary-of-enough-characters-for-a-secret'

export type Environment = Record<string, string>
type Expected = [check: DoctorCheckName, outcome: DoctorOutcome, sentence: RegExp, fix: RegExp]

/** Collects what must be closed at the end of a test. */
export function closer() {
  const closing: (() => unknown)[] = []
  return {
    add: (close: () => unknown) => closing.push(close),
    async all() {
      for (const close of closing.splice(0).reverse()) await close()
    },
  }
}
export type Closer = Pick<ReturnType<typeof closer>, 'add'>

/** Data folders for the tests of a file, and what each test closes. */
export function setUp() {
  let opened: Awaited<ReturnType<typeof dataFolders>>
  const close = closer()
  beforeAll(async () => {
    opened = await dataFolders()
  })
  afterEach(close.all)
  afterAll(() => opened.close())
  return {
    close,
    folders: {
      get root() {
        return opened.root
      },
      healthy: (parent?: string) => opened.healthy(parent),
    },
  }
}

/** A folder with data folders like those of servers that have run. */
export async function dataFolders() {
  const root = mkdtempSync(join(tmpdir(), 'switchroom-doctor-'))
  const template = join(root, 'template.db')
  const db = openDb({ kind: 'sqlite', file: template })
  await prepareDatabase(db)
  await db.destroy()
  return {
    root,
    /** The variables of a healthy set-up, with a data folder of its own. */
    healthy(parent = root): Environment {
      const data = mkdtempSync(join(parent, 'data-'))
      copyFileSync(template, join(data, 'switchroom.db'))
      chmodSync(join(data, 'switchroom.db'), 0o600)
      writeFileSync(join(data, 'jwt-secret'), `${CANARY}-generated`, { mode: 0o600 })
      mkdirSync(join(data, 'telemetry'), { mode: 0o700 })
      return {
        HTTP_PORT: '0',
        SWITCHROOM_DATA: data,
        SWITCHROOM_BACKUP_TO: join(root, 'backups'),
        SWITCHROOM_BACKUP_PASSPHRASE: CANARY,
      }
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  }
}

export async function diagnose(environment: Environment, dns?: string[]): Promise<DoctorReport> {
  const report = await runDoctor(siteOf({ environment, ...(dns && { dns }) }))
  expect(JSON.stringify(report)).not.toContain('canary')
  return report
}

/** Expects exactly these findings: each broken thing is named, and nothing else. */
export async function expectFindings(
  environment: Environment,
  expected: Expected[],
  dns?: string[],
) {
  const { results } = await diagnose(environment, dns)
  const found = results.filter(({ outcome }) => outcome === 'problem' || outcome === 'warning')
  expect(found).toEqual(
    expected.map(([check, outcome, sentence, fix]) => ({
      check,
      outcome,
      sentence: expect.stringMatching(sentence),
      fix: expect.stringMatching(fix),
    })),
  )
}

type Answer = { status?: number; body: unknown; headers?: Record<string, string> }
/** By the path that a request begins with. */
export type Answers = Record<string, (request: IncomingMessage) => Answer>

const NAMED = (names: string[]) => ({
  results: [{ series: [{ values: names.map((name) => [name]) }] }],
})

/** Answers of InfluxDB, Jaeger, Homer and Switchroom to the checks, each below its own path. */
export const HEALTHY: Answers = {
  '/query': () => ({
    body: NAMED(['_internal', 'cdrs', 'alerts']),
    headers: { 'x-influxdb-version': '1.8.10' },
  }),
  '/api/v3/traces/': () => ({ status: 404, body: { error: { httpCode: 404 } } }),
  '/api/v3/auth': () => ({ status: 201, body: { token: CANARY } }),
  '/api/v3/call/transaction': () => ({ body: { total: 0, data: {} } }),
  '/api/v1/Capabilities': () => ({ body: { product: 'switchroom' } }),
  '/': () => ({ body: {} }),
}

/** An HTTP server that answers so, with its clock ahead by `clock_s`. Resolves to `host:port`. */
export async function standIn(close: Closer, answers: Answers = {}, clock_s = 0) {
  const all = { ...answers, ...HEALTHY, ...answers }
  const server = createServer((request, response) => {
    const path = Object.keys(all).find((prefix) => request.url?.startsWith(prefix)) ?? '/'
    const { status = 200, body, headers } = all[path]!(request)
    const date = new Date(Date.now() + clock_s * 1_000).toUTCString()
    response.writeHead(status, { date, 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((done) => server.listen(0, HOST, done))
  close.add(() => {
    server.closeAllConnections()
    server.close()
  })
  return `${HOST}:${(server.address() as AddressInfo).port}`
}

/** A self-signed certificate that is valid for this many days; with -1 it expired a day ago. */
export function certificate(folder: string, days: number) {
  const [key, request, cert] = ['key', 'csr', 'pem'].map((end) => join(folder, `${days}.${end}`))
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' })
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const subject = [...curve, '-subj', `/CN=${HOST}`]
  openssl('req', '-new', ...subject, '-keyout', key!, '-out', request!)
  openssl('x509', '-req', '-in', request!, '-signkey', key!, '-days', `${days}`, '-out', cert!)
  return { key: key!, cert: cert! }
}

/** A mail server. Resolves to `host:port`. */
export async function startSmtp(close: Closer, options: SMTPServerOptions) {
  const server = new SMTPServer({ authOptional: true, logger: false, ...options })
  // clients that do not trust it break off
  server.on('error', () => undefined)
  await new Promise<void>((done) => server.listen(0, HOST, done))
  close.add(() => new Promise<void>((done) => server.close(done)))
  return `${HOST}:${(server.server.address() as AddressInfo).port}`
}
