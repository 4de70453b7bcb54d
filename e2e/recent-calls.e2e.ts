import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessible.ts'
import { expectNoTrouble, openPage, signIn, told } from './browser.ts'
import { databasesOf } from './databases.ts'
import { startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'

const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
const SP = '2708b1b3-2736-40ea-b502-c53d8396247f'
const HOUR = 3_600_000

/** An address that no column has room for. */
const LONG = `sip:15085551002@${'a-realm-of-a-name-that-goes-on.'.repeat(4)}example.com;transport=tls`

type Line = { answered: boolean; sip_status: number; trunk: string; ago: number; more?: string }

/** Sends call records to the port where the platform's components send theirs, as they write them. */
async function ingest(port: number, calls: Line[]) {
  const lines = calls.map(({ answered, sip_status, trunk, ago, more = '' }, i) => {
    const tags = `account_sid=${ACCOUNT},service_provider_sid=${SP},answered=${answered}`
    const where = `direction=${i % 2 ? 'outbound' : 'inbound'},host=10.0.0.1,trunk=${trunk}`
    const from = i === 2 ? LONG : `1508555${1000 + i}`
    const ids = `call_sid="call-${i}",sip_callid="sip-${i}@pbx",from="${from}"`
    const rest = `to="442079460958",duration=${answered ? 47 : 0},sip_status=${sip_status}${more}`
    return `cdrs,${tags},${where} ${ids},${rest} ${Date.now() - ago}000000`
  })
  const answer = await fetch(`http://127.0.0.1:${port}/write?db=cdrs&precision=n`, {
    method: 'POST',
    body: lines.join('\n'),
  })
  expect(answer.status, await answer.text()).toBe(204)
}

const calls: Line[] = [
  { answered: true, sip_status: 200, trunk: 'North', ago: 1_000 },
  { answered: false, sip_status: 486, trunk: 'North', ago: 2_000 },
  { answered: false, sip_status: 503, trunk: 'South', ago: 3_000 },
  // in the last 7 days and on neither today nor yesterday
  ...Array.from({ length: 30 }, (_, i) => ({
    answered: true,
    sip_status: 200,
    trunk: 'South',
    ago: 72 * HOUR + i * 60_000,
  })),
]

const rail = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })
const total = (page: Page, n: number) =>
  page.getByText(`Total: ${n} ${n === 1 ? 'record' : 'records'}`, { exact: true }).waitFor()

async function list(page: Page) {
  await rail(page, 'Recent calls').click()
  await page.getByLabel('Date').selectOption('Last 7d')
  await page.waitForURL(/date=7/)
  await total(page, 33)
  await page.getByRole('row', { name: /inbound.*\+1 \(508\) 555-1000.*0:47.*Answered/ }).waitFor()
  await page.getByRole('row', { name: /outbound.*Busy \(486\)/ }).waitFor()
  // two lines at most, whatever one of them says, and nothing beyond the edge
  const table = page.getByRole('table', { name: 'Recent calls' })
  const tallest = () =>
    table
      .getByRole('row')
      .evaluateAll((rows) => Math.max(...rows.map((row) => row.getBoundingClientRect().height)))
  for (const width of [1_440, 1_100, 1_280]) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(tallest).toBeLessThan(48)
    expect(await table.evaluate((t) => t.scrollWidth - t.parentElement!.clientWidth)).toBe(0)
  }
  await expectAccessible(page, 'recent calls')
  await expectNoSidewaysScroll(page, 'recent calls')

  await page.getByRole('link', { name: 'Page 2', exact: true }).click()
  await page.waitForURL(/page=2/)
  // what has become shorter meanwhile says so
  await page.goto(page.url().replace('page=2', 'page=9'))
  await page.getByText('There are no more rows on this page.').waitFor()
  expect(await page.getByLabel('Previous page').getAttribute('href')).toMatch(/page=2$/)
  await page.getByRole('link', { name: 'Go to the first page' }).click()
  await page.getByRole('row', { name: /Busy \(486\)/ }).waitFor()
  await page.getByLabel('Status').selectOption('Not answered')
  await total(page, 2)
  expect(page.url()).not.toContain('page=2')
  await page.getByLabel('Filter by number or call ID').fill('5551002')
  await page.waitForURL(/filter=5551002/)
  await total(page, 1)
  await page.getByLabel('Filter by number or call ID').fill('.*')
  await page.getByText('No calls match these filters.').waitFor()
  const longer = page.getByRole('button', { name: 'Show the last 30 days' })
  await longer.click()
  await page.waitForURL(/date=30/)
  await longer.waitFor({ state: 'hidden' })
  await page.getByText('No calls match these filters.').waitFor()
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByLabel('Date').selectOption('Last 30d')
  await total(page, 33)
}

async function details(page: Page) {
  const row = page.getByRole('row', { name: /Busy \(486\)/ }).getByRole('button')
  await row.focus()
  await page.keyboard.press('Enter')
  const parts = page.getByRole('tabpanel', { name: 'Details' })
  await parts.getByText(/Outbound from .*, busy \(486\)\./).waitFor()
  // what the record does not say is unknown; what it says is said
  expect(await parts.innerText()).not.toMatch(/null|undefined|NaN|1970/)
  await parts.getByText('sip-1@pbx').waitFor()
  await parts.getByRole('link', { name: 'default account' }).waitFor()
  await expectAccessible(page, 'an opened call')
  await expectNoSidewaysScroll(page, 'an opened call')
  await page.getByRole('link', { name: 'Open call' }).click()
  await page.waitForURL(/recent-calls\/call-1$/)
  await page.getByText(/Outbound from .*, busy \(486\)\./).waitFor()
  await expectAccessible(page, 'a call of its own')
  await page.goBack()
  await total(page, 33)
}

async function exported(page: Page) {
  const save = async (name: string) => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name, exact: true }).click(),
    ])
    return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') }
  }
  const csv = await save('Export')
  expect(csv.name).toBe('recent-calls.csv')
  expect(csv.text.trim().split('\r\n')).toHaveLength(34)
  const lines = await save('Export JSON')
  expect(lines.name).toBe('recent-calls.ndjson')
  expect(lines.text.trim().split('\n')).toHaveLength(33)
}

async function dashboard(page: Page) {
  const back = async () => {
    await page.goBack()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  }
  /** What a figure says is what the list behind it has. */
  const leads = async (link: ReturnType<Page['getByRole']>, n: number) => {
    await link.click()
    await page.waitForURL(/recent-calls\?/)
    await total(page, n)
    await back()
  }
  await rail(page, 'Dashboard').click()
  const main = page.getByRole('main')
  const figure = (name: string, value: string) =>
    main.locator('.figure', { hasText: name }).getByRole('link', { name: value, exact: true })
  await main.getByText('93.9 %').first().waitFor()
  await main.locator('.figure', { hasText: 'Average duration' }).getByText('0:47').waitFor()
  await expectAccessible(page, 'dashboard')
  await expectNoSidewaysScroll(page, 'dashboard')
  await leads(figure('Calls', '33'), 33)
  await leads(figure('Not answered', '2'), 2)
  await leads(main.getByRole('link', { name: '503 Failed' }), 1)
  await leads(main.getByRole('link', { name: 'South' }), 31)
  const hour = main
    .getByRole('table', { name: /by day and hour/ })
    .getByRole('link')
    .first()
  const said = Number(await hour.innerText())
  expect(said).toBeGreaterThan(0)
  await leads(hour, said)
  await main.getByText('None or unknown').waitFor()
  await page.getByLabel('Date').selectOption('Last 30d')
  await page.waitForURL(/date=30/)
  await leads(figure('Calls', '33'), 33)
}

it.each(databasesOf('recent-calls'))(
  'calls are listed, opened, saved and counted (%s)',
  async (database) => {
    const port = await freePort()
    const server = await startSwitchroom(database, {
      SWITCHROOM_INGEST_INFLUX: `127.0.0.1:${port}`,
    })
    const page = await openPage({ acceptDownloads: true })
    try {
      await told(page, `recent-calls-${database}`, async () => {
        await signIn(page, server.url)
        await rail(page, 'Recent calls').click()
        await page.getByText('No data.', { exact: true }).waitFor()
        await ingest(port, calls)
        await page.getByRole('button', { name: 'Refresh' }).click()
        await list(page)
        await details(page)
        await exported(page)
        await dashboard(page)
        expectNoTrouble(page)
      })
    } finally {
      await page.context().close()
      await server.stop()
    }
  },
)
