import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { countedBy, type Screen } from '../scripts/bench/visits.ts'
import { openPage, waitForRequests } from './browser.ts'
import { fetchToken, type Switchroom } from './harness.ts'
import { ACCOUNT, startSeeded, stopTime } from './screens.ts'

// Requests and bytes that a screen costs a browser with an empty cache. `npm run bench:console`
// measures the time.

let server: Switchroom & { sids: Awaited<ReturnType<typeof startSeeded>>['sids'] }
let token: string
beforeAll(async () => {
  // each further one makes every screen's list of providers longer
  server = await startSeeded({}, { providers: 1 })
  token = await fetchToken(server.url)
})
afterAll(() => server.stop())

async function openLoggedIn() {
  const page = await openPage()
  await page.addInitScript((token) => localStorage.setItem('token', token), token)
  return page
}

/** Waits for what the person came for, and for all that comes with it. */
async function waitFor(page: Page, { shows, filled }: Screen) {
  const all = page.locator(shows)
  await all.first().waitFor()
  if (filled)
    await expect
      .poll(() => all.evaluateAll((found) => found.some((e) => (e as HTMLInputElement).value)))
      .toBe(true)
  await waitForRequests(page)
}

/** Opens a screen by its address, with nothing in the browser's cache. Resolves to what came over the line. */
async function visit(page: Page, screen: Screen) {
  await page.addInitScript(stopTime)
  const line = await page.context().newCDPSession(page)
  await line.send('Network.enable')
  const cost = await countedBy(line)
  await page.goto(server.url + screen.path)
  await waitFor(page, screen)
  return { line, ...cost() }
}

/** Goes on from one screen to another by its link, once the first is idle. */
async function goOn(page: Page, from: Screen, to: Screen) {
  const { line } = await visit(page, from)
  await page.evaluate(() =>
    (window as unknown as { passTime: (ms: number) => void }).passTime(10_000),
  )
  await page.waitForFunction(() => {
    const later = [...document.querySelectorAll<HTMLLinkElement>('link[rel=prefetch]')]
    return later.length > 0 && later.every(({ href }) => performance.getEntriesByName(href)[0])
  })
  await waitForRequests(page)
  const cost = await countedBy(line)
  await page.locator(`a[href="${to.path}"]`).first().click()
  await page.waitForURL(`**${to.path}`)
  await waitFor(page, to)
  return cost()
}

const ROW = 'main tbody tr:not([aria-hidden]) td:not(:empty)'
const list = (name: string, path = `/internal/${name}`): Screen => ({ name, path, shows: ROW })

it('shows the log-in form for 7 requests and 90 kB of script', async () => {
  const logIn = { name: 'log-in form', path: '/', shows: 'input[name=password]' }
  const { requests, scriptkB, calls } = await visit(await openPage(), logIn)
  // the page and something of each kind were counted
  expect(requests).toBeGreaterThan(3)
  expect(scriptkB).toBeGreaterThan(50)
  expect(requests).toBeLessThanOrEqual(7)
  expect(scriptkB).toBeLessThanOrEqual(90)
  expect(calls).toBe(0)
})

it.each([
  list('accounts'),
  list('users'),
  list('applications'),
  list('carriers'),
  list('phone-numbers'),
  list('clients'),
  list('speech-services'),
  list('ms-teams-tenants'),
  list('least-cost-routing'),
  list('alert destinations', '/internal/alerts/destinations'),
  list('audit-log'),
  list('webhook-log'),
  // nothing is wrong there
  { name: 'inbox', path: '/internal/inbox', shows: 'main .table-box a' },
])('shows the list $name for 12 requests and 180 kB', async (screen) => {
  const visited = await visit(await openLoggedIn(), screen)
  const { requests, calls, repeated, scripts, kB } = visited
  // of carriers also how many have no provider, and their health beside the list, which does not wait for it
  expect(requests).toBeLessThanOrEqual(screen.name === 'carriers' ? 13 : 12)
  // the list, the providers, unread alerts, failing parts, and one more for a few
  expect(calls).toBeLessThanOrEqual(6)
  // what `first.ts` asks for is what the screen then uses
  expect(repeated).toBe(0)
  // with the words of failures
  expect(scripts).toBeLessThanOrEqual(screen.name === 'inbox' ? 6 : 5)
  expect(kB).toBeLessThanOrEqual(180)
})

it.each([
  { name: 'dashboard', path: '/internal/dashboard', shows: 'main h2' },
  // there are no calls, which it says once it has the figures
  { name: 'Voice insights', path: '/internal/voice', shows: 'main .voice-needs' },
])('shows $name for 235 kB, without the schemas, which are 75', async (screen) => {
  const { repeated, scripts, kB } = await visit(await openLoggedIn(), screen)
  // what `first.ts` asks for is what the screen then uses
  expect(repeated).toBe(0)
  expect(scripts).toBeGreaterThan(5)
  expect(scripts).toBeLessThanOrEqual(10)
  expect(kB).toBeLessThanOrEqual(235)
})

it('names the styles and scripts of figures and of a call in their page', async () => {
  const named = async (path: string, pattern: RegExp) =>
    (await (await fetch(server.url + path)).text()).match(pattern)
  const SHEET = /rel="stylesheet"/g
  for (const path of ['/internal/dashboard', '/internal/voice']) {
    const page = await openLoggedIn()
    await page.goto(server.url + path)
    await page.locator('main h2, main .voice-needs').first().waitFor()
    // React shows a screen 300 ms after it began to wait for a style sheet
    const sheets = await page.locator('link[rel=stylesheet]').count()
    expect(await named(path, SHEET), path).toHaveLength(sheets)
  }
  const call = `/internal/recent-calls/${ACCOUNT}`
  expect(await named(call, /"\/assets\/conversation-[\w-]+\.(?:js|css)"/g)).toHaveLength(2)
})

it('formats nothing before a list’s first row, which has 36 elements', async () => {
  const page = await openLoggedIn()
  await page.addInitScript((row) => {
    const used: string[] = []
    Object.assign(window, { used })
    const use = (what: string) => {
      if (!document.querySelector(row)) used.push(what)
    }
    for (const name of ['DateTimeFormat', 'NumberFormat', 'RelativeTimeFormat'] as const) {
      const make = (of: object, args: unknown[]) => {
        use(name)
        return Reflect.construct(of as typeof Intl.DateTimeFormat, args)
      }
      const construct = (of: object, args: unknown[]) => make(of, args)
      const apply = (of: object, _: unknown, args: unknown[]) => make(of, args)
      Object.assign(Intl, { [name]: new Proxy(Intl[name], { construct, apply }) })
    }
    for (const { prototype } of [Number, Date]) {
      const original = prototype.toLocaleString
      prototype.toLocaleString = function (this: number & Date, ...args: []) {
        use('toLocaleString')
        return original.apply(this, args)
      }
    }
  }, ROW)
  for (const path of ['accounts', 'carriers', 'phone-numbers', 'users']) {
    await page.goto(`${server.url}/internal/${path}`)
    await page.locator(ROW).first().waitFor()
    expect(await page.evaluate(() => (window as unknown as { used: string[] }).used), path).toEqual(
      [],
    )
    const elements = await page.locator(`main tbody tr:first-child *`).count()
    expect(elements, path).toBeGreaterThan(10)
    expect(elements, path).toBeLessThanOrEqual(36)
  }
})

it('shows a further screen for 3 scripts and 60 kB', async () => {
  const { sids } = server
  const form = (name: string, path: string): Screen => ({
    name,
    path: `/internal/${path}/edit`,
    shows: 'main form input',
    filled: true,
  })
  for (const [from, to] of [
    [list('accounts'), list('phone-numbers')],
    [list('users'), list('carriers')],
    [list('accounts'), form('account', `accounts/${ACCOUNT}`)],
    [list('carriers'), form('carrier', `carriers/${sids.carrier}`)],
    [list('applications'), form('application', `applications/${sids.application}`)],
  ] as const) {
    const { scripts, scriptkB } = await goOn(await openLoggedIn(), from, to)
    expect(scripts, to.name).toBeLessThanOrEqual(3)
    expect(scriptkB, to.name).toBeLessThanOrEqual(60)
  }
})
