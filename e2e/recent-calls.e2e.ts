import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, openFilters, openPage, reportFailures } from './browser.ts'
import { databasesFor } from './databases.ts'
import { api, fetchToken, startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'

const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
const SP = '2708b1b3-2736-40ea-b502-c53d8396247f'
const HOUR = 3_600_000

/** An address too long for its column. */
const LONG_ADDRESS = `sip:15085551002@${'a-realm-of-a-name-that-goes-on.'.repeat(4)}example.com;transport=tls`

type CallRecord = {
  answered: boolean
  sip_status: number
  trunk: string
  ago: number
  more?: string
}

/** Writes call records to the ingest port as the platform's components do. */
async function ingest(port: number, calls: CallRecord[], prefix = 'call') {
  const lines = calls.map(({ answered, sip_status, trunk, ago, more = '' }, i) => {
    const tags = `account_sid=${ACCOUNT},service_provider_sid=${SP},answered=${answered}`
    const where = `direction=${i % 2 ? 'outbound' : 'inbound'},host=10.0.0.1,trunk=${trunk.replace(' ', '\\ ')}`
    const from = i === 2 ? LONG_ADDRESS : `1508555${1000 + i}`
    const ids = `call_sid="${prefix}-${i}",sip_callid="${prefix === 'call' ? 'sip' : prefix}-${i}@pbx",from="${from}"`
    const rest = `to="442079460958",duration=${answered ? 47 : 0},sip_status=${sip_status}${more}`
    return `cdrs,${tags},${where} ${ids},${rest} ${Date.now() - ago}000000`
  })
  const answer = await fetch(`http://127.0.0.1:${port}/write?db=cdrs&precision=n`, {
    method: 'POST',
    body: lines.join('\n'),
  })
  expect(answer.status, await answer.text()).toBe(204)
}

const calls: CallRecord[] = [
  { answered: true, sip_status: 200, trunk: 'North', ago: 1_000 },
  { answered: false, sip_status: 486, trunk: 'North', ago: 2_000 },
  { answered: false, sip_status: 503, trunk: 'South', ago: 3_000 },
  // within the last 7 days, but neither today nor yesterday
  ...Array.from({ length: 30 }, (_, i) => ({
    answered: true,
    sip_status: 200,
    trunk: 'South',
    ago: 72 * HOUR + i * 60_000,
  })),
]

const sidebarLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })
const expectTotal = (page: Page, n: number) =>
  page.getByText(`Total: ${n} ${n === 1 ? 'record' : 'records'}`, { exact: true }).waitFor()

async function checkList(page: Page) {
  await sidebarLink(page, 'Recent calls').click()
  await page.getByLabel('Date').selectOption('Last 7d')
  await page.waitForURL(/date=7/)
  await expectTotal(page, 33)
  await page.getByRole('row', { name: /inbound.*\+1 \(508\) 555-1000.*0:47.*Answered/ }).waitFor()
  await page.getByRole('row', { name: /outbound.*Busy \(486\)/ }).waitFor()
  // rows are at most two lines high and stay within the page
  const table = page.getByRole('table', { name: 'Recent calls' })
  const maxRowHeight = () =>
    table
      .getByRole('row')
      .evaluateAll((rows) => Math.max(...rows.map((row) => row.getBoundingClientRect().height)))
  for (const width of [1_440, 1_100, 1_280]) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(maxRowHeight).toBeLessThan(48)
    expect(
      await table.evaluate((t) => t.scrollWidth - t.parentElement!.clientWidth),
      `${width} px`,
    ).toBe(0)
  }
  await expectAccessible(page, 'recent calls')
  await expectNoSidewaysScroll(page, 'recent calls')

  await page.getByRole('link', { name: 'Page 2', exact: true }).click()
  await page.waitForURL(/page=2/)
  // a page beyond the end of a shorter list says so
  await page.goto(page.url().replace('page=2', 'page=9'))
  await page.getByText('There are no more rows on this page.').waitFor()
  expect(await page.getByLabel('Previous page').getAttribute('href')).toMatch(/page=2&/)
  await page.getByRole('link', { name: 'Go to the first page' }).click()
  await page.getByRole('row', { name: /Busy \(486\)/ }).waitFor()
  await openFilters(page)
  await page.getByLabel('Status', { exact: true }).selectOption('Not answered')
  await expectTotal(page, 2)
  expect(page.url()).not.toContain('page=2')
  await page.getByLabel('Filter by number or call ID').fill('5551002')
  await page.waitForURL(/filter=5551002/)
  await expectTotal(page, 1)
  await page.getByLabel('Filter by number or call ID').fill('555-1001')
  await page.waitForURL(/filter=555-1001/)
  await expectTotal(page, 1)
  await page.getByLabel('Filter by number or call ID').fill('.*')
  await page.getByText('No calls match these filters.').waitFor()
  const longerPeriod = page.getByRole('button', { name: 'Show the last 30 days' })
  await longerPeriod.click()
  await page.waitForURL(/date=30/)
  await longerPeriod.waitFor({ state: 'hidden' })
  await page.getByText('No calls match these filters.').waitFor()
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByLabel('Date').selectOption('Last 30d')
  await expectTotal(page, 33)
}

async function checkDetails(page: Page) {
  const row = page.getByRole('row', { name: /Busy \(486\)/ }).getByRole('button')
  await row.focus()
  await page.keyboard.press('Enter')
  const parts = page.getByRole('tabpanel', { name: 'Details' })
  const sentence = /^Outbound from \+1 \(508\) 555-1001 to .*, busy \(486 Busy Here\)\.$/
  await page.getByText(sentence).waitFor()
  // what is missing from the record takes no room
  expect(await parts.innerText()).not.toMatch(/null|undefined|NaN|\s1970\b|Unknown|Application/)
  await parts.getByText('sip-1@pbx').waitFor()
  await parts.getByRole('link', { name: 'default account' }).waitFor()
  await expectAccessible(page, 'an opened call')
  await expectNoSidewaysScroll(page, 'an opened call')
  // the URL opens the same row and tab
  await page.waitForURL(/date=30&open=call-1/)
  await page.getByRole('tab', { name: 'SIP' }).click()
  await page.waitForURL(/open=call-1&tab=sip/)
  await page.reload()
  await page.getByText(sentence).waitFor()
  await page.getByRole('tab', { name: 'SIP', selected: true }).waitFor()
  // to the next call and back, by key and button
  const isOpen = (name: RegExp) => page.getByRole('button', { name, expanded: true }).waitFor()
  await page.getByRole('button', { name: 'Next call (Alt+↓)' }).focus()
  await page.keyboard.press('Alt+ArrowDown')
  await page.waitForURL(/open=call-2&tab=sip/)
  await page.getByText(/^Inbound from sip:15085551002@.*, failed \(503 Service/).waitFor()
  await isOpen(/./)
  await page.getByRole('button', { name: 'Previous call (Alt+↑)' }).click()
  await page.waitForURL(/open=call-1/)

  await page.getByRole('link', { name: 'Open call' }).click()
  await page.waitForURL(/recent-calls\/call-1\?/)
  await page.getByText(sentence).waitFor()
  await page.getByRole('heading', { name: /^\+1 \(508\) 555-1001 → \+44/ }).waitFor()
  const path = page.getByRole('navigation', { name: 'Breadcrumb' })
  await path.getByText(/555-1001 →/).waitFor()
  expect(await page.title()).toMatch(/^\+1 \(508\) 555-1001 → /)
  await expectAccessible(page, 'a call of its own')
  await expectNoSidewaysScroll(page, 'a call of its own')
  // the neighbours are those of the list with its filters, beyond its first page too
  await page.keyboard.press('Alt+ArrowUp')
  await page.waitForURL(/recent-calls\/call-0\?/)
  await page.getByText(/^Inbound .*, answered, ended after 0:47\.$/).waitFor()
  expect(await page.getByRole('button', { name: /^Previous call/ }).isDisabled()).toBe(true)
  await page.goto(page.url().replace('call-0', 'call-24'))
  await page.getByRole('button', { name: /^Next call/ }).click()
  await page.waitForURL(/recent-calls\/call-25\?.*page=2/)
  await path.getByRole('link', { name: 'Recent calls' }).click()
  await page.waitForURL(/recent-calls\?.*open=call-25/)
  await isOpen(/./)
  // opened by a link alone, by time: neither is in today's list, and the one before is three days younger
  const go = async (name: RegExp, to: string) => {
    await page.getByRole('button', { name }).click()
    await page.waitForURL(new RegExp(`recent-calls/${to}\\b`))
  }
  await page.goto(new URL('/internal/recent-calls/call-4', page.url()).href)
  await go(/^Previous call/, 'call-3')
  await go(/^Next call/, 'call-4')
  await go(/^Next call/, 'call-5')
  await page.goto(new URL('/internal/recent-calls/call-3', page.url()).href)
  await go(/^Previous call/, 'call-2')
  await page.goto(new URL('/internal/recent-calls?date=30', page.url()).href)
  await expectTotal(page, 33)
}

/** Filters by carrier, application and SIP status; a range of one's own. */
async function checkPickers(page: Page) {
  const pick = async (name: string, option: RegExp) => {
    await page.getByRole('combobox', { name, exact: true }).click()
    await page.getByRole('option', { name: option }).click()
  }
  await openFilters(page)
  await pick('SIP status', /^486 Busy Here/)
  await expectTotal(page, 1)
  await expectAccessible(page, 'filtered calls')
  await page.getByRole('button', { name: 'Remove SIP status: 486 Busy Here' }).click()
  await pick('Application', /^Front desk/)
  await expectTotal(page, 1)
  await page.getByRole('row', { name: /Answered.*Front desk/ }).waitFor()
  await pick('Carrier', /^North/)
  await page.waitForURL(/trunk=North/)
  await expectTotal(page, 1)
  // what is filtered is what is exported
  const { text } = await exportAs(page, 'As CSV')
  expect(text.trim().split('\r\n')).toHaveLength(2)
  await page.getByRole('button', { name: 'Clear' }).click()
  await expectTotal(page, 3)

  await page.getByLabel('Date').selectOption('Custom range')
  await page.getByLabel('Calls from').fill('2026-01-01T00:00')
  await page.getByLabel('Calls until').fill('2025-01-01T00:00')
  await page.getByText('The end is before the start').waitFor()
  await expectAccessible(page, 'a range')
  await page.getByLabel('Calls from').fill('2024-01-01T00:00')
  await page.keyboard.press('Enter')
  await page.waitForURL(/start=2024-01-01T.*end=2025-01-01T/)
  await page.getByText('No calls match these filters.').waitFor()
  await page.getByLabel('Calls until').fill('')
  await page.keyboard.press('Enter')
  await expectTotal(page, 33)
  await page.getByLabel('Date').selectOption('Today')
  await expectTotal(page, 3)
}

/** New calls come in by themselves, and never move what is read. */
async function checkLive(page: Page, port: number) {
  await page.getByRole('switch', { name: 'Live' }).check()
  await page.waitForURL(/live=on/)
  const one = (n: number) => ({ answered: true, sip_status: 200, trunk: `Live ${n}`, ago: 0 })
  await ingest(port, [one(1)], 'live-1')
  await page.getByRole('row', { name: /Live 1/ }).waitFor()
  await expectTotal(page, 4)
  await page
    .getByRole('row', { name: /Busy \(486\)/ })
    .getByRole('button')
    .click()
  await page.getByText(/busy \(486 Busy Here\)/).waitFor()
  await ingest(port, [one(2), one(3)], 'live-2')
  const more = page.getByRole('button', { name: '2 new calls' })
  await more.waitFor()
  expect(await page.getByRole('row', { name: /Live 2/ }).count()).toBe(0)
  await expectAccessible(page, 'new calls')
  await more.click()
  await page.getByRole('row', { name: /Live 2/ }).waitFor()
  await expectTotal(page, 6)

  // a failure is said before the last retry, and the rows stay
  await page.route('**/RecentCalls?*', (route) =>
    route.fulfill({
      status: 500,
      json: { msg: 'The store failed', code: 'internal', request_id: 'request-1234', issues: [] },
    }),
  )
  await page.getByText('The store failed. Trying again…').waitFor()
  await page.getByText(/The rows below may be out of date/).waitFor()
  await page.getByRole('button', { name: /request-1234/ }).waitFor()
  await page.getByRole('row', { name: /Live 2/ }).waitFor()
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByText(/The rows below may be out of date/).waitFor({ state: 'hidden' })

  // on a phone a call is two lines, and more rather than cut on the narrowest
  await page.setViewportSize({ width: 375, height: 700 })
  const tallest = () =>
    page
      .locator('.calls-table tbody tr')
      .evaluateAll((rows) => Math.max(...rows.map((row) => row.getBoundingClientRect().height)))
  await expect.poll(tallest).toBeLessThan(64)
  await page.setViewportSize({ width: 320, height: 700 })
  const cut = await page
    .locator('.calls-table tbody :is([data-label="To"], [data-label="Outcome"])')
    .evaluateAll((cells) => cells.filter((c) => c.scrollWidth > c.clientWidth).length)
  expect(cut).toBe(0)
  await expectNoSidewaysScroll(page, 'recent calls on a phone')
  await page.setViewportSize({ width: 1_280, height: 900 })
}

async function exportAs(page: Page, name: string) {
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name, exact: true }).click(),
  ])
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') }
}

async function checkExports(page: Page) {
  const csv = await exportAs(page, 'As CSV')
  expect(csv.name).toBe('recent-calls.csv')
  expect(csv.text.trim().split('\r\n')).toHaveLength(34)
  const lines = await exportAs(page, 'As lines of JSON')
  expect(lines.name).toBe('recent-calls.ndjson')
  expect(lines.text.trim().split('\n')).toHaveLength(33)
}

async function checkDashboard(page: Page) {
  const goBack = async () => {
    await page.goBack()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  }
  /** A figure links to a list with that many records. */
  const expectLinkedTotal = async (link: ReturnType<Page['getByRole']>, n: number) => {
    await link.click()
    await page.waitForURL(/recent-calls\?/)
    await expectTotal(page, n)
    await goBack()
  }
  await sidebarLink(page, 'Dashboard').click()
  const main = page.getByRole('main')
  const figure = (name: string, value: string) =>
    main.locator('.figure', { hasText: name }).getByRole('link', { name: value, exact: true })
  await main.getByText('93.9 %').first().waitFor()
  await main.locator('.figure', { hasText: 'Average duration' }).getByText('0:47').waitFor()
  await expectAccessible(page, 'dashboard')
  await expectNoSidewaysScroll(page, 'dashboard')
  await expectLinkedTotal(figure('Calls', '33'), 33)
  await expectLinkedTotal(figure('Not answered', '2'), 2)
  await expectLinkedTotal(main.getByRole('link', { name: '503 Failed' }), 1)
  await expectLinkedTotal(main.getByRole('link', { name: 'South' }), 31)
  const hour = main
    .getByRole('table', { name: /by day and hour/ })
    .getByRole('link')
    .first()
  const shown = Number(await hour.innerText())
  expect(shown).toBeGreaterThan(0)
  await expectLinkedTotal(hour, shown)
  await main.getByText('None or unknown').waitFor()
  await page.getByLabel('Date').selectOption('Last 30d')
  await page.waitForURL(/date=30/)
  await expectLinkedTotal(figure('Calls', '33'), 33)
}

it.each(databasesFor('recent-calls'))(
  'lists, opens, exports and counts calls (%s)',
  async (database) => {
    const port = await freePort()
    const server = await startSwitchroom(database, {
      SWITCHROOM_INGEST_INFLUX: `127.0.0.1:${port}`,
    })
    const page = await openPage({ acceptDownloads: true })
    try {
      await reportFailures(page, `recent-calls-${database}`, async () => {
        await logIn(page, server.url)
        await sidebarLink(page, 'Recent calls').click()
        await page.getByText('No data.', { exact: true }).waitFor()
        const { sid } = await api<{ sid: string }>(
          server.url,
          await fetchToken(server.url),
          'POST',
          '/Applications',
          {
            name: 'Front desk',
            account_sid: ACCOUNT,
            call_hook: { url: 'https://app.example.com/call', method: 'POST' },
            call_status_hook: { url: 'https://app.example.com/status', method: 'POST' },
          },
        )
        await ingest(
          port,
          calls.map((c, i) => (i === 0 ? { ...c, more: `,application_sid="${sid}"` } : c)),
        )
        await page.getByRole('button', { name: 'Refresh' }).click()
        await checkList(page)
        await checkDetails(page)
        await checkExports(page)
        await checkDashboard(page)
        await page.goto(`${server.url}/internal/recent-calls`)
        await expectTotal(page, 3)
        await checkPickers(page)
        await checkLive(page, port)
        expectNoErrors(page)
      })
    } finally {
      await page.context().close()
      await server.stop()
    }
  },
)
