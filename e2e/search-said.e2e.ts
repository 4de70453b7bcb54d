import type { TraceSpan } from '@switchroom/contract'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { call, over, span, T0 } from '../packages/server/test/conversations/example.ts'
import { asSpans, type Example } from '../packages/server/test/conversations.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import {
  expectNoErrors,
  expectToast,
  logIn,
  openFilters,
  openPage,
  reportFailures,
  waitUntilLoaded,
} from './browser.ts'
import { databasesFor } from './databases.ts'
import { startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'

const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
const SP = '2708b1b3-2736-40ea-b502-c53d8396247f'

/** A turn in which the caller says this, and which is answered. */
const turn = (n: number, transcript: string): Example['spans'] => [
  span(`g${n}`, 'a', n * 3_000, 1_000, 'verb:gather{inputs=speech,vendor=google,language=en-US}', {
    'stt.resolve': 'speech',
    'stt.result': JSON.stringify({ vendor: 'google', alternatives: [{ transcript }] }),
    'stt.latency_ms': '200',
  }),
  span(`h${n}`, `g${n}`, n * 3_000 + 800, 150, 'verb:hook (/turn)', { 'http.statusCode': 200 }),
  span(`s${n}`, 'a', n * 3_000 + 1_005, 900, 'verb:say{text=One moment}'),
]

/** Turns of the callers. The last digit of the caller's number says which call it is. */
const CALLS = [
  ['I would like to pay my bill', 'Yes, the bill of March', 'Thank you'],
  ['My bill is wrong, I want a refund', 'No'],
  ['Was kostet der Rückruf?', 'Grüße'],
]

const traceOf = (n: number) => String(n + 1).padStart(32, 'c')

async function sendCalls(influx: number, otlp: number) {
  const spans = CALLS.flatMap((turns, n): TraceSpan[] => {
    const end = turns.length * 3_000
    const all = [call(end), ...turns.flatMap((text, i) => turn(i, text)), over(end, 'caller')]
    return asSpans({ spans: all }, traceOf(n))
  })
  const sent = await fetch(`http://127.0.0.1:${otlp}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      resourceSpans: [{ scopeSpans: [{ spans: spans.map((s) => ({ ...s, kind: 1 })) }] }],
    }),
  })
  expect(sent.status, await sent.text()).toBe(200)
  const lines = CALLS.map(
    (_, n) =>
      `cdrs,account_sid=${ACCOUNT},service_provider_sid=${SP},answered=true,direction=inbound,trunk=North ` +
      `call_sid="1c1d2e3f-0000-4000-8000-${String(n).padStart(12, '0')}",sip_callid="${n}@pbx",from="1508555000${n + 1}",` +
      `to="442079460958",duration=6,sip_status=200,trace_id="${traceOf(n)}" ${T0 + n}000000`,
  )
  const written = await fetch(`http://127.0.0.1:${influx}/write?db=cdrs&precision=n`, {
    method: 'POST',
    body: lines.join('\n'),
  })
  expect(written.status, await written.text()).toBe(204)
}

const main = (page: Page) => page.getByRole('main')
const field = (page: Page) => main(page).getByRole('searchbox', { name: 'What was said' })

async function callers(page: Page) {
  await waitUntilLoaded(page)
  const texts = await main(page).locator('td[data-label="From"]').allInnerTexts()
  return texts.map((text) => text.replace(/\D/g, '').slice(-1)).sort()
}

/** Searches by keyboard. */
async function search(page: Page, text: string) {
  await openFilters(page)
  await field(page).fill(text)
  await field(page).press('Enter')
}

async function checkSearches(page: Page) {
  for (const [text, found] of [
    ['bill', ['1', '2']],
    ['"my bill"', ['1', '2']],
    ['"pay my"', ['1']],
    ['bill refu', ['2']],
    ['grusse RÜCK', ['3']],
    ['moment', ['1', '2', '3']],
  ] as const) {
    await search(page, text)
    await expect.poll(() => callers(page), { message: text }).toEqual(found)
  }
  await search(page, '"bill thank"')
  await main(page).getByText('No calls with “"bill thank"” match these filters.').waitFor()
  await expectAccessible(page, 'no calls with these words')
  await search(page, '…')
  await main(page).getByText('Enter up to 10 words').waitFor()
  expect(await field(page).getAttribute('aria-invalid')).toBe('true')
  await main(page).getByRole('button', { name: 'Clear', exact: true }).isHidden()
}

/** From the list to the words, by keyboard alone. */
async function checkTurns(page: Page) {
  await search(page, 'bill')
  await expect.poll(() => callers(page)).toEqual(['1', '2'])
  await main(page).getByText('Said bill').waitFor()
  const open = main(page).getByRole('row').filter({ hasText: '0001' }).locator('.table-open')
  await open.focus()
  await page.keyboard.press('Enter')
  await main(page).getByText('“bill” is in 2 entries.').waitFor()
  const marks = main(page).locator('.turns mark')
  expect(await marks.allInnerTexts()).toEqual(['bill', 'bill'])
  await expectAccessible(page, 'turns with what was searched')
  const next = main(page).getByRole('button', { name: 'Next match (N)' })
  await next.focus()
  const focused = () =>
    page.evaluate(() => document.activeElement?.querySelector('.turn-text')?.textContent)
  await page.keyboard.press('Enter')
  expect(await focused()).toBe(CALLS[0]![0])
  await page.keyboard.press('n')
  expect(await focused()).toBe(CALLS[0]![1])
  await page.keyboard.press('n')
  expect(await focused()).toBe(CALLS[0]![0])
  await page.keyboard.press('Shift+N')
  expect(await focused()).toBe(CALLS[0]![1])

  // a page of its own keeps it
  await main(page).getByRole('link', { name: 'Open call' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/recent-calls\/[^?]+\?.*said=bill/)
  await main(page).getByText('“bill” is in 2 entries.').waitFor()
  await page.setViewportSize({ width: 320, height: 800 })
  await expectNoSidewaysScroll(page, 'a call with what was searched on a phone')
  await page.setViewportSize({ width: 1_280, height: 900 })
  await page.goBack()
}

/** A view keeps the words, and so does its alert. */
async function checkView(page: Page) {
  const item = (name: string) => page.getByRole('menuitem', { name, exact: true })
  await page.goto(new URL('/internal/recent-calls?date=7&said=refund', page.url()).href)
  await expect.poll(() => callers(page)).toEqual(['2'])
  await page.getByRole('button', { name: 'Saved views' }).press('Enter')
  await item('Save as new view').press('Enter')
  await page.getByLabel('Name').fill('Refunds')
  await page.keyboard.press('Enter')
  await expectToast(page, 'View Refunds saved')
  await main(page).getByRole('button', { name: 'Remove Said: refund' }).press('Enter')
  await expect.poll(() => callers(page)).toEqual(['1', '2', '3'])
  await page.getByRole('button', { name: /^Refunds/ }).press('Enter')
  await page.getByRole('menuitemradio', { name: 'Refunds' }).press('Enter')
  await page.waitForURL(/said=refund/)
  await expect.poll(() => callers(page)).toEqual(['2'])
}

it.each(databasesFor('search-said'))(
  'finds calls by what was said in them, and where that is (%s)',
  async (database) => {
    const [influx, otlp] = [await freePort(), await freePort()]
    const server = await startSwitchroom(database, {
      SWITCHROOM_INGEST_INFLUX: `127.0.0.1:${influx}`,
      SWITCHROOM_INGEST_OTLP: `127.0.0.1:${otlp}`,
    })
    const page = await openPage()
    try {
      await reportFailures(page, `search-said-${database}`, async () => {
        await sendCalls(influx, otlp)
        await logIn(page, server.url)
        await page.goto(`${server.url}/internal/recent-calls?date=7&said=one+moment&live=on`)
        await expect.poll(() => callers(page), { interval: 1_000 }).toEqual(['1', '2', '3'])
        await page.goto(`${server.url}/internal/recent-calls?date=7`)
        await checkSearches(page)
        await checkTurns(page)
        await checkView(page)
        expectNoErrors(page)
      })
    } finally {
      await page.context().close()
      await server.stop()
    }
  },
)
