import { EventEmitter, once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  errors,
  type Locator,
  type Page,
  type Request,
} from 'playwright-core'
import { expect } from 'vitest'
import { fetchToken, PASSWORD } from './harness.ts'
import { hearPage } from './hear.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // a process per frame of another site costs more than the frame; origins are kept apart all the same
  '--disable-site-isolation-trials',
  // pages are too short-lived for optimized code to pay off
  '--js-flags=--no-opt --no-maglev',
]

let browser: Promise<Browser> | undefined
/** One browser for all stories of a worker. It exits with the worker. */
const launchBrowser = () => {
  browser ??= chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
    args: CHROMIUM_ARGS,
  })
  return browser
}

const pageErrors = new WeakMap<Page, string[]>()
/** Requests of a page that have no response yet. Tells when one has ended. */
class PendingRequests extends EventEmitter<{ ended: [] }> {
  readonly all = new Set<Request>()
  end(request: Request) {
    if (this.all.delete(request)) this.emit('ended')
  }
}
const pendingRequests = new WeakMap<Page, PendingRequests>()
/** Milliseconds until what has not come is taken to never come, also on a busy machine. */
const GIVE_UP = 60_000
const contexts = new Set<BrowserContext>()

/** Opens a page in its own context and records its errors. Closed after the test. */
export async function openPage(options: BrowserContextOptions = {}) {
  const context = await (await launchBrowser()).newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  })
  contexts.add(context)
  context.once('close', () => contexts.delete(context))
  const page = await context.newPage()
  pollOften(page)
  await hearPage(page)
  page.setDefaultTimeout(GIVE_UP)
  const pending = new PendingRequests()
  pendingRequests.set(page, pending)
  page.on('request', (r) => pending.all.add(r))
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (r) => pending.end(r))
  // the page may never read the body of a failed response
  page.on('response', (r) => r.ok() || pending.end(r.request()))
  const list: string[] = []
  pageErrors.set(page, list)
  page.on('pageerror', (e) => list.push(String(e)))
  page.on('console', (m) => {
    // the browser logs every failed request; stories check those themselves
    if (m.type() === 'error' && !/Failed to load resource/.test(m.text())) list.push(m.text())
  })
  return page
}

export const closePages = () => Promise.all([...contexts].map((context) => context.close()))

/** Expects no script errors, no CSP violations and nothing logged as an error. */
export const expectNoErrors = (page: Page) => expect(pageErrors.get(page)).toEqual([])

const ACTIONS = [
  'boundingBox',
  'check',
  'click',
  'dblclick',
  'evaluate',
  'fill',
  'focus',
  'getAttribute',
  'innerText',
  'inputValue',
  'isChecked',
  'isDisabled',
  'press',
  'pressSequentially',
  'scrollIntoViewIfNeeded',
  'selectOption',
  'setInputFiles',
  'textContent',
  'uncheck',
] as const
let pollsOften = false

/**
 * Playwright polls for a missing element after 20, 70, 170 and 270 ms, and then every half
 * second, which is most of the time of a story. With a short timeout it polls more often, so every wait
 * starts with two short ones.
 */
function pollOften(page: Page) {
  if (pollsOften) return
  pollsOften = true
  const locators: Locator = Object.getPrototypeOf(page.locator('html'))
  const { waitFor } = locators
  async function waitBriefly(this: Locator, state: 'attached' | 'detached' | 'hidden' | 'visible') {
    for (const timeout of [400, 2_400])
      try {
        return await waitFor.call(this, { state, timeout })
      } catch (e) {
        if (!(e instanceof errors.TimeoutError)) throw e
      }
  }
  locators.waitFor = async function (options = {}) {
    if (options.timeout === undefined || options.timeout > 2_800)
      await waitBriefly.call(this, options.state ?? 'visible')
    return waitFor.call(this, options)
  }
  // every action has its own arguments and result, which are passed through unchanged
  const all = locators as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
  for (const name of ACTIONS) {
    const act = all[name]!
    all[name] = async function (this: Locator, ...args) {
      await waitBriefly.call(this, 'attached')
      return act.apply(this, args)
    }
  }
}

/** Logs in without the log-in page and opens the start page. */
export async function logIn(page: Page, url: string, name = 'admin', password = PASSWORD) {
  await logInWithToken(page, url, await fetchToken(url, name, password))
}

/** Logs in with a token and opens the start page. */
export async function logInWithToken(page: Page, url: string, token: string) {
  // the smallest response of this origin
  await page.goto(`${url}/config.js`)
  await page.evaluate((token) => localStorage.setItem('token', token), token)
  await page.goto(`${url}/`)
  await page.waitForURL(/\/internal\//)
}

/** Logs in through the log-in page. */
export async function logInByForm(page: Page, url: string, name = 'admin', password = PASSWORD) {
  await page.goto(`${url}/`)
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.waitForURL(/\/internal\//)
}

/** Opens the form of a list's row by its overview. */
export async function openForm(page: Page, name: string | RegExp) {
  const links = page.getByRole('main')
  await links.getByRole('link', { name, exact: true }).first().click()
  await links.getByRole('link', { name: 'Edit', exact: true }).click()
  // the same name leads to other things on the overview
  await page.waitForURL(/\/edit(?:\?|$)/)
}

/** Waits for two frames, so that everything received is on screen. */
export const waitForPaint = (page: Page) =>
  page.evaluate(async () => {
    for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame)
  })

const isSettled = () => !document.querySelector('[aria-busy="true"], [aria-label="Loading"]')

/** Waits until no request is pending and nothing shows a loading state. */
export async function waitUntilLoaded(page: Page) {
  do {
    await page.waitForFunction(isSettled)
    await waitForRequests(page)
    // what the last request brought may wait for code
  } while (!(await page.evaluate(isSettled)))
}

/** Waits until at most this many requests are pending, and what the others brought is on screen. */
export async function waitForRequests(page: Page, most = 0) {
  const pending = pendingRequests.get(page)!
  const isBusy = () => pending.all.size > most
  do {
    while (isBusy())
      await once(pending, 'ended', { signal: AbortSignal.timeout(GIVE_UP) }).catch(() => {
        const left = [...pending.all].map((r) => `${r.method()} ${r.url()}`)
        throw new Error(`Not answered: ${left.join(', ')}`)
      })
    await waitForPaint(page)
  } while (isBusy())
}

/** Waits for a success toast and dismisses it, since the next one may have the same text. */
export async function expectToast(page: Page, text: string) {
  const all = page.getByRole('status').filter({ hasText: text })
  const message = all.getByText(text, { exact: true }).first()
  await message.waitFor()
  // it also closes by itself, unless the pointer is over it
  const dismiss = all.getByRole('button', { name: 'Dismiss' }).first()
  await dismiss.click({ timeout: 4_000 }).catch(() => undefined)
  await page.mouse.move(0, 0)
  await message.waitFor({ state: 'hidden' })
}

async function showPage(page: Page, name: string) {
  mkdirSync(join(root, 'test-results'), { recursive: true })
  await page.screenshot({ path: join(root, 'test-results', `${name}.png`), fullPage: true })
  console.error(`On screen:\n${await page.locator('body').ariaSnapshot()}`)
}

/** Runs a story. If it fails, saves a screenshot and prints the accessibility tree. */
export async function reportFailures<T>(
  page: Page,
  name: string,
  story: () => Promise<T>,
): Promise<T> {
  try {
    return await story()
  } catch (e) {
    // a page of thousands of rows may take too long to show: what failed is told all the same
    await showPage(page, name).catch((failure) => console.error('What is on screen:', failure))
    throw e
  }
}

/** Opens a screen by the menu, or the tab of one. */
export async function openScreen(page: Page, item: string, tab?: string) {
  const link = (menu: string, name: string) =>
    page.getByRole('navigation', { name: menu }).getByRole('link', { name, exact: true })
  await link('Main', item).click()
  if (tab) await link(item, tab).click()
}

/** Shows the filters that are behind a button, if it does not yet. */
export async function openFilters(page: Page) {
  const button = page.getByRole('main').getByRole('button', { name: 'Filter', exact: true })
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click()
}
