import { afterAll, beforeAll, expect, it } from 'vitest'
import { goOn, type Screen, visit } from '../scripts/bench/visits.ts'
import { openPage } from './browser.ts'
import { fetchToken, type Switchroom } from './harness.ts'
import { ACCOUNT, startSeeded } from './screens.ts'

// What a screen costs a browser that has seen nothing of the console. `npm run bench:console` measures the time.

/** On a busy machine Chromium may stop reading from its emulated line for good, once in some hundred cold visits. */
const AGAIN = { retry: 1 }

let server: Switchroom & { sids: Awaited<ReturnType<typeof startSeeded>>['sids'] }
let token: string
beforeAll(async () => {
  server = await startSeeded()
  token = await fetchToken(server.url)
})
afterAll(() => server.stop())

async function newPerson() {
  const context = (await openPage()).context()
  await context.addInitScript((token) => localStorage.setItem('token', token), token)
  return context
}

const ROW = 'main tbody tr:not([aria-hidden]) td:not(:empty)'
const list = (name: string, path = `/internal/${name}`): Screen => ({ name, path, shows: ROW })

it('shows the log-in form for 8 requests and 90 kB of script', AGAIN, async () => {
  const logIn = { name: 'log-in form', path: '/', shows: 'input[name=password]' }
  const { requests, scriptkB, calls } = await visit((await openPage()).context(), server.url, logIn)
  // the page and something of each kind were counted
  expect(requests).toBeGreaterThan(3)
  expect(scriptkB).toBeGreaterThan(50)
  expect(requests).toBeLessThanOrEqual(8)
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
])('shows the list $name for 15 requests and 220 kB', AGAIN, async (screen) => {
  const visited = await visit(await newPerson(), server.url, screen)
  const { requests, calls, repeated, scripts, kB } = visited
  // the health of carriers comes beside the list, which does not wait for it
  expect(requests).toBeLessThanOrEqual(screen.name === 'carriers' ? 16 : 15)
  // the list, the providers, unread alerts, failing parts, and one more for a few
  expect(calls).toBeLessThanOrEqual(6)
  // what `first.ts` asks for is what the screen then uses
  expect(repeated).toBe(0)
  expect(scripts).toBeLessThanOrEqual(7)
  expect(kB).toBeLessThanOrEqual(220)
})

it('formats nothing before a list’s first row, which has 36 elements', async () => {
  const person = await newPerson()
  await person.addInitScript((row) => {
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
  const page = await person.newPage()
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

it('shows a further screen for 3 scripts and 60 kB', AGAIN, async () => {
  const { sids, url } = server
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
    const { scripts, scriptkB } = await goOn(await newPerson(), url, from, to)
    expect(scripts, to.name).toBeLessThanOrEqual(3)
    expect(scriptkB, to.name).toBeLessThanOrEqual(60)
  }
})
