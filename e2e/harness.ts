import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createConnection } from 'mysql2/promise'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { SMTPServer } from 'smtp-server'
import { expect } from 'vitest'
import { freePort } from '../scripts/services.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
export const PASSWORD = 'correct horse 1'

/** The databases there are here. The embedded one always is. */
export const databases = (process.env.TEST_MYSQL_URL ? ['sqlite', 'mysql'] : ['sqlite']) as (
  | 'sqlite'
  | 'mysql'
)[]

/** A fresh database on the test server, and how the platform's components are told of it. */
export async function freshMysql() {
  const url = new URL(process.env.TEST_MYSQL_URL ?? 'TEST_MYSQL_URL is not set')
  const database = `switchroom_${randomUUID().slice(0, 8)}_test`
  const where = { host: url.hostname, port: Number(url.port), user: url.username, password: '' }
  const server = await createConnection(where)
  await server.query(`create database \`${database}\``)
  await server.end()
  return { ...where, database }
}
export type Mysql = Awaited<ReturnType<typeof freshMysql>>

const mysqlEnvironment = (m: Mysql) => ({
  JAMBONES_MYSQL_HOST: m.host,
  JAMBONES_MYSQL_PORT: String(m.port),
  JAMBONES_MYSQL_USER: m.user,
  JAMBONES_MYSQL_PASSWORD: m.password,
  JAMBONES_MYSQL_DATABASE: m.database,
})

function redisEnvironment(): Record<string, string> {
  if (!process.env.TEST_REDIS_URL) return {}
  const { hostname, port } = new URL(process.env.TEST_REDIS_URL)
  return { JAMBONES_REDIS_HOST: hostname, JAMBONES_REDIS_PORT: port }
}

/** The real server as an operator starts it, on a port of its own, until it is ready. */
export async function startSwitchroom(
  database: 'sqlite' | 'mysql' = 'sqlite',
  environment: Record<string, string> = {},
) {
  const port = Number(environment.HTTP_PORT) || (await freePort())
  const data = mkdtempSync(join(tmpdir(), 'switchroom-e2e-'))
  const mysql = database === 'mysql' ? await freshMysql() : undefined
  const env = {
    PATH: process.env.PATH,
    HTTP_PORT: String(port),
    SWITCHROOM_DATA: data,
    SWITCHROOM_ADMIN_PASSWORD: PASSWORD,
    DISABLE_RATE_LIMITS: '1',
    JWT_SECRET: 'e2e-secret-of-tests',
    ...(mysql && { ...mysqlEnvironment(mysql), ...redisEnvironment() }),
    ...environment,
  }
  const url = `http://127.0.0.1:${port}`
  let log = ''
  let child: ChildProcess

  async function start() {
    child = spawn(process.execPath, ['packages/server/src/main.ts'], { cwd: root, env })
    const note = (chunk: Buffer) => {
      log += chunk
    }
    child.stdout?.on('data', note)
    child.stderr?.on('data', note)
    for (let tries = 0; tries < 300; tries++) {
      if (child.exitCode !== null) throw new Error(`The server ended:\n${log}`)
      const ready = await fetch(`${url}/ready`).catch(() => undefined)
      if (ready?.ok) return
      await new Promise((r) => setTimeout(r, 100))
    }
    throw new Error(`The server is not ready:\n${log}`)
  }
  const kill = (signal: 'SIGKILL' | 'SIGTERM') =>
    new Promise<number | null>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode)
      child.once('exit', resolve)
      child.kill(signal)
    })
  await start()
  return {
    url,
    mysql,
    log: () => log,
    /** Starts it again on the same data and port. */
    start,
    kill,
    stop: async () => {
      await kill('SIGKILL')
      rmSync(data, { recursive: true, force: true })
    },
  }
}
export type Switchroom = Awaited<ReturnType<typeof startSwitchroom>>

/** One call of the API as this bearer. Throws for anything but a success. */
export async function api<T = unknown>(
  url: string,
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return (text ? JSON.parse(text) : undefined) as T
}

export const logIn = async (url: string, username = 'admin', password = PASSWORD) =>
  (await api<{ token: string }>(url, '', 'POST', '/login', { username, password })).token

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ARGUMENTS,
  })

const troubles = new WeakMap<Page, string[]>()

/** A page of its own, which remembers what went wrong in it. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  const list: string[] = []
  troubles.set(page, list)
  page.on('pageerror', (e) => list.push(String(e)))
  page.on('console', (m) => {
    // a refused call is the story's own business; the browser logs it all the same
    if (m.type() === 'error' && !/Failed to load resource/.test(m.text())) list.push(m.text())
  })
  return page
}

/** No script failed, nothing broke the page's security policy, nothing was logged as an error. */
export const expectNoTrouble = (page: Page) => expect(troubles.get(page)).toEqual([])

export async function signIn(page: Page, url: string, name = 'admin', password = PASSWORD) {
  await page.goto(`${url}/`)
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL(/\/internal\//)
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
type Violation = { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }

/** WCAG 2.2 AA as far as a machine can tell, in both themes. */
export async function expectAccessible(page: Page, what: string) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // the browser works out inherited colours anew only when it has to: make it, and let them settle
    await page.evaluate(async () => {
      document.body.style.display = 'none'
      document.body.getBoundingClientRect()
      document.body.style.display = ''
      await new Promise((r) => setTimeout(r, 200))
    })
    // runs through the debugger, so the page's own security policy stays in force
    await page.evaluate(axe)
    const violations = await page.evaluate(async () => {
      const { axe } = window as unknown as {
        axe: { run: (o: object) => Promise<{ violations: Violation[] }> }
      }
      const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
      return (await axe.run({ runOnly: { type: 'tag', values: tags } })).violations
    })
    const found = violations.map(
      (v) => `${v.id}: ${v.help}\n${v.nodes.map((n) => `  ${n.html.slice(0, 200)}`).join('\n')}`,
    )
    expect(found, `${what}, ${colorScheme}`).toEqual([])
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: 'reduce' })
}

/** At 320 px nothing reaches beyond the right edge. */
export async function expectNoSidewaysScroll(page: Page, what: string) {
  const before = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 800 })
  await page.waitForTimeout(150)
  const width = await page.evaluate(() => document.scrollingElement?.scrollWidth ?? 0)
  expect(width, `${what} at 320 px`).toBeLessThanOrEqual(320)
  if (before) await page.setViewportSize(before)
}

/** A mail server that keeps what it is given, as one text for each mail. */
export async function startMailbox() {
  const mails: string[] = []
  const port = await freePort()
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _, done) => {
      let mail = ''
      stream.on('data', (chunk) => {
        mail += chunk
      })
      stream.on('end', () => {
        // lines that were too long for a mail are whole again
        mails.push(mail.replace(/=\r?\n/g, ''))
        done()
      })
    },
  })
  await new Promise<void>((r) => smtp.listen(port, '127.0.0.1', r))
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    /** The next mail, once it is there. */
    async next() {
      for (let tries = 0; tries < 200 && mails.length === 0; tries++)
        await new Promise((r) => setTimeout(r, 50))
      const mail = mails.shift()
      if (mail === undefined) throw new Error('No mail came')
      return mail
    },
    stop: () => new Promise<void>((r) => smtp.close(() => r())),
  }
}

/** Waits for a message of success, and sends it away: the next one may say the same. */
export async function toast(page: Page, text: string) {
  const all = page.getByRole('status').filter({ hasText: text })
  const said = all.getByText(text, { exact: true }).first()
  await said.waitFor()
  // it leaves by itself as well, unless somebody points at it
  const dismiss = all.getByRole('button', { name: 'Dismiss' }).first()
  await dismiss.click({ timeout: 4_000 }).catch(() => undefined)
  await page.mouse.move(0, 0)
  await said.waitFor({ state: 'hidden' })
}

/** What was on screen when a story failed. */
export async function told<T>(page: Page, name: string, story: () => Promise<T>): Promise<T> {
  try {
    return await story()
  } catch (e) {
    mkdirSync(join(root, 'test-results'), { recursive: true })
    await page.screenshot({ path: join(root, 'test-results', `${name}.png`), fullPage: true })
    console.error(`On screen:\n${await page.locator('body').ariaSnapshot()}`)
    throw e
  }
}
