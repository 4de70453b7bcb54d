import { randomUUID } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { callLine, send } from '../packages/server/test/calls.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, openPage, reportFailures } from './browser.ts'
import { api, fetchToken, type Switchroom, startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'
import { shareWorld } from './world.ts'

const DAY_MS = 86_400_000
const hook = { url: 'https://example.com/hook', method: 'POST' }
type Counted = { number: string; calls_7d: number | null; calls_counted_since: string | null }

let server: Switchroom
let ingest: number
shareWorld(
  async () => {
    ingest = await freePort()
    server = await startSwitchroom('sqlite', { SWITCHROOM_INGEST_INFLUX: `127.0.0.1:${ingest}` })
  },
  () => server.stop(),
)

/** Ten numbers, of which three had a call, one of them twelve days ago; an application and a SIP client. */
async function seed() {
  const token = await fetchToken(server.url)
  const post = (path: string, body: object) =>
    api<{ sid: string }>(server.url, token, 'POST', path, body)
  const [account] = await api<{ account_sid: string; service_provider_sid: string }[]>(
    server.url,
    token,
    'GET',
    '/Accounts',
  )
  const { account_sid, service_provider_sid } = account!
  const hooks = { call_hook: hook, call_status_hook: hook }
  const { sid } = await post('/Applications', { name: 'Front desk', account_sid, ...hooks })
  await post('/Applications', { name: 'Forgotten', account_sid, ...hooks })
  await post('/Clients', { username: 'reception', account_sid })
  for (let i = 0; i < 10; i++)
    await post('/PhoneNumbers', { number: `1508308480${i}`, account_sid })
  let ns = 0
  const call = (to: string, days: number) =>
    callLine({
      ms: Date.now() - days * DAY_MS - 60_000,
      // at one moment there is one point
      ns: ns++,
      tags: {
        ...{ account_sid, service_provider_sid, host: '10.0.0.1', trunk: 'Northwind' },
        ...{ direction: 'inbound', answered: 'true' },
      },
      fields: {
        ...{ call_sid: randomUUID(), sip_callid: randomUUID(), from: '442079460958', to },
        ...{ sip_status: 200, duration: 12, termination_reason: 'caller hungup' },
        ...(days === 0 && { application_sid: sid }),
      },
    })
  const lines = [
    ...Array.from({ length: 3 }, () => call('+15083084800', 0)),
    ...[call('15083084801', 0), call('15083084802', 12)],
  ]
  expect(await send({ url: `http://127.0.0.1:${ingest}` }, lines.join('\n'))).toMatchObject({
    status: 204,
  })
  const numbers = () => api<Counted[]>(server.url, token, 'GET', '/PhoneNumbers')
  await expect.poll(async () => (await numbers())[0]?.calls_7d).toBe(3)
  await expect
    .poll(async () => Date.parse((await numbers())[0]?.calls_counted_since ?? ''))
    .toBeLessThan(Date.now() - 11 * DAY_MS)
  return { numbers }
}

/** Counts what a person clicks and chooses. */
function counting(page: Page) {
  let clicks = 0
  return {
    click: async (target: Locator) => {
      clicks++
      await target.click()
    },
    /** Opening a list, and choosing from it. */
    choose: async (label: string, option: string) => {
      clicks += 2
      await page.getByRole('combobox', { name: label }).selectOption({ label: option })
    },
    clicks: () => clicks,
  }
}

const rows = (page: Page) => page.locator('main tbody tr:not([aria-hidden])')

it('finds the numbers that nobody calls, and deletes them', async () => {
  const { numbers } = await seed()
  const page = await openPage()
  await logIn(page, server.url)
  await reportFailures(page, 'unused', async () => {
    const job = counting(page)
    const main = page.getByRole('navigation', { name: 'Main' })
    await job.click(main.getByRole('link', { name: 'Phone numbers', exact: true }))
    await expect.poll(() => rows(page).count()).toBe(10)
    await page.getByRole('row', { name: /308-4800.*\d{4} 3 / }).waitFor()
    expect(await page.getByText(/^None since \w+ \d\d, \d{4}$/).count()).toBe(7)
    await expectAccessible(page, 'phone numbers with their calls')

    await job.click(page.getByRole('button', { name: 'Filter', exact: true }))
    await job.choose('Last call', 'None in 7 days')
    await expect.poll(() => rows(page).count()).toBe(8)
    await page.getByRole('row', { name: /308-4802.*\d{4} 0 / }).waitFor()
    await job.choose('Last call', 'None counted')
    await expect.poll(() => rows(page).count()).toBe(7)
    await job.click(page.getByLabel('Select all on this page'))
    await page.getByText('7 selected').waitFor()
    await job.click(page.getByRole('toolbar').getByRole('button', { name: 'Delete…' }))
    await job.click(page.getByRole('dialog').getByRole('button', { name: /^Delete/ }))
    await page.getByText('No phone numbers match these filters.').waitFor()
    // two of them for the look at what had none in seven days
    expect(job.clicks()).toBe(9)
    expect((await numbers()).map(({ number }) => number.slice(-1)).join('')).toBe('012')

    await page.getByRole('button', { name: 'Remove Last call: None counted' }).click()
    await expect.poll(() => rows(page).count()).toBe(3)
    await page.getByRole('link', { name: 'Last call' }).click()
    await expect.poll(() => rows(page).first().textContent()).toContain('308-4802')
    await page.getByRole('link', { name: 'Calls 7 d' }).click()
    await page.getByRole('link', { name: 'Calls 7 d' }).click()
    await expect.poll(() => rows(page).first().textContent()).toContain('308-4800')

    await page.goto(`${server.url}/internal/applications?unused=7d`)
    await expect.poll(() => rows(page).count()).toBe(1)
    await page.getByRole('row', { name: /Forgotten/ }).waitFor()
    await page.goto(`${server.url}/internal/clients?unused=30d`)
    await page.getByRole('row', { name: /reception.*None since/ }).waitFor()
    await page.setViewportSize({ width: 320, height: 700 })
    for (const list of ['phone-numbers', 'applications', 'clients']) {
      await page.goto(`${server.url}/internal/${list}`)
      await rows(page).first().waitFor()
      await expectNoSidewaysScroll(page, `${list} with their calls`)
    }
    await expectNoErrors(page)
  })
})
