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
import { logIn, PASSWORD } from './harness.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // no page lives long enough to be worth it
  '--js-flags=--no-opt --no-maglev',
]

let browser: Promise<Browser> | undefined
/** One for all the stories of a worker: it ends with the worker. */
const launched = () => {
  browser ??= chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
    args: ARGUMENTS,
  })
  return browser
}

const troubles = new WeakMap<Page, string[]>()
/** The requests of a page that are not answered yet. */
const underWay = new WeakMap<Page, Set<Request>>()
const contexts = new Set<BrowserContext>()

/** A page of its own, which remembers what went wrong in it. It is closed when its story is over. */
export async function openPage(options: BrowserContextOptions = {}) {
  const context = await (await launched()).newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  })
  contexts.add(context)
  context.once('close', () => contexts.delete(context))
  const page = await context.newPage()
  lookOften(page)
  page.setDefaultTimeout(20_000)
  const calls = new Set<Request>()
  underWay.set(page, calls)
  page.on('request', (r) => calls.add(r))
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (r) => calls.delete(r))
  // the body of a refusal may never be asked for
  page.on('response', (r) => r.ok() || calls.delete(r.request()))
  const list: string[] = []
  troubles.set(page, list)
  page.on('pageerror', (e) => list.push(String(e)))
  page.on('console', (m) => {
    // a refused call is the story's own business; the browser logs it all the same
    if (m.type() === 'error' && !/Failed to load resource/.test(m.text())) list.push(m.text())
  })
  return page
}

export const closePages = () => Promise.all([...contexts].map((context) => context.close()))

/** No script failed, nothing broke the page's security policy, nothing was logged as an error. */
export const expectNoTrouble = (page: Page) => expect(troubles.get(page)).toEqual([])

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
let looksOften = false

/**
 * Playwright looks for an element that is not there yet after 20, 70, 170, 270 ms, and then every half a
 * second, which is most of the time of a story. With less time to wait it looks more often: so every wait
 * begins with two short ones.
 */
function lookOften(page: Page) {
  if (looksOften) return
  looksOften = true
  const locators: Locator = Object.getPrototypeOf(page.locator('html'))
  const { waitFor } = locators
  async function shortly(this: Locator, state: 'attached' | 'detached' | 'hidden' | 'visible') {
    for (const timeout of [400, 2_400])
      try {
        return await waitFor.call(this, { state, timeout })
      } catch (e) {
        if (!(e instanceof errors.TimeoutError)) throw e
      }
  }
  locators.waitFor = async function (options = {}) {
    if (options.timeout === undefined || options.timeout > 2_800)
      await shortly.call(this, options.state ?? 'visible')
    return waitFor.call(this, options)
  }
  // each takes and gives something else, which passes through here unseen
  const all = locators as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
  for (const name of ACTIONS) {
    const act = all[name]!
    all[name] = async function (this: Locator, ...args) {
      await shortly.call(this, 'attached')
      return act.apply(this, args)
    }
  }
}

/** Logged in, past the log-in page, on the page where one arrives. */
export async function signIn(page: Page, url: string, name = 'admin', password = PASSWORD) {
  await enter(page, url, await logIn(url, name, password))
}

/** The same with a token. */
export async function enter(page: Page, url: string, token: string) {
  // the lightest page there is of this origin
  await page.goto(`${url}/config.js`)
  await page.evaluate((token) => localStorage.setItem('token', token), token)
  await page.goto(`${url}/`)
  await page.waitForURL(/\/internal\//)
}

/** Logs in as people do. */
export async function fillLogIn(page: Page, url: string, name = 'admin', password = PASSWORD) {
  await page.goto(`${url}/`)
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.waitForURL(/\/internal\//)
}

/** What has arrived is on screen: the browser has drawn twice since. */
export const drawn = (page: Page) =>
  page.evaluate(async () => {
    for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame)
  })

/** Nothing is on its way any more, and nothing says that it loads. */
export async function loaded(page: Page) {
  await page.waitForFunction(
    () => !document.querySelector('[aria-busy="true"], [aria-label="Loading"]'),
  )
  const calls = underWay.get(page)!
  do {
    await expect
      .poll(() => [...calls].map((r) => `${r.method()} ${r.url()}`), { interval: 10 })
      .toEqual([])
    await drawn(page)
  } while (calls.size > 0)
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
