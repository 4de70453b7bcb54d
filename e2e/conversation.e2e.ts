import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { call } from '../packages/server/test/conversations/example.ts'
import type { Example } from '../packages/server/test/conversations.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, expectToast, logIn, openPage, reportFailures } from './browser.ts'
import { databasesFor } from './databases.ts'
import { startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'
import { endless, named, sendCalls, sendTrace, sidOf, TURNS } from './traced-calls.ts'

const CALLS: Pick<Example, 'spans'>[] = [
  named('A bot answers five times'),
  named('The caller hangs up while the webhook is slow'),
  named('A menu with digits and a recording'),
  named('Text runs from right to left and has markup'),
  named('A transcript has 104 kB'),
  endless,
  { spans: [call(5_000, { finalStatus: 486 })] },
]
/** A call whose spans come later than its record. */
const LATE = CALLS.length
const open = async (page: Page, n: number) => {
  await page.goto(new URL(`/internal/recent-calls/${sidOf(n)}`, page.url()).href)
  return page.getByRole('tabpanel', { name: 'What happened' })
}
/** The switch between what was said and the time axis. */
const depth = (page: Page, name: string) => page.getByRole('radio', { name, exact: true })
const turns = (panel: ReturnType<Page['getByRole']>) =>
  panel.getByRole('list', { name: 'Conversation' }).getByRole('listitem')

async function checkBot(page: Page) {
  const panel = await open(page, 0)
  // the first of the tabs, since there is something to show
  expect(await page.getByRole('tab').first().innerText()).toBe('What happened')
  expect(await depth(page, 'Conversation').isChecked()).toBe(true)
  const turn = turns(panel).filter({ hasText: 'four people' })
  // the service is told once, where it is first used
  await turns(panel).getByText('Google · en-US · Confidence 91 %').waitFor()
  await turn.getByText('Confidence 88 %', { exact: true }).waitFor()
  expect(await turn.locator('.response-total').innerText()).toContain('1.73 s')
  await turn.getByText('Recognition 365 ms').waitFor()
  await turn.getByText('Webhook 1.06 s').waitFor()
  await panel.getByText('Traces contain only the beginning').waitFor()
  await expectAccessible(page, 'a conversation')
  await expectNoSidewaysScroll(page, 'a conversation')

  // the slowest turn is marked, and its figure leads there
  await panel.getByRole('button', { name: '1.73 s, show the turn' }).click()
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
  expect(await focused()).toContain('Slowest')
  await page.keyboard.press('ArrowDown')
  expect(await focused()).toContain('At what time wo…')
  await page.keyboard.press('End')
  expect(await focused()).toContain('The application hung up.')

  await page.setViewportSize({ width: 320, height: 800 })
  await expectNoSidewaysScroll(page, 'a conversation on a phone')
  await page.setViewportSize({ width: 1_280, height: 900 })
}

/** Conversation and time axis are two depths of one view, with one cursor. */
async function checkDepths(page: Page) {
  const panel = await open(page, 0)
  const cursor = panel.locator('output')
  await turns(panel).filter({ hasText: 'four people' }).focus()
  await depth(page, 'Timeline').check()
  await page.waitForURL(/tab=timeline/)
  await cursor.getByText(/^\+[1-9]\d*\.\d{3} s/).waitFor()
  await expectAccessible(page, 'the time axis of a call')
  await panel.getByRole('listbox', { name: 'Speech in', exact: true }).focus()
  await page.keyboard.press('End')
  const at = await cursor.innerText()
  await depth(page, 'Conversation').check()
  const current = panel.locator('[aria-current]')
  expect(await current.innerText()).not.toContain('four people')
  // and back to where it was
  await depth(page, 'Timeline').check()
  expect(await cursor.innerText()).toBe(at)
  await page.getByRole('tab', { name: 'Details' }).click()
  await page.getByRole('tab', { name: 'What happened' }).click()
  await cursor.waitFor()
  // as links of before have it
  await page.reload()
  await cursor.waitFor()
  expect(await depth(page, 'Timeline').isChecked()).toBe(true)
}

async function checkHangUp(page: Page) {
  const panel = await open(page, 1)
  const findings = panel.getByRole('list', { name: 'Findings' })
  await findings
    .getByText('The caller hung up after waiting 4.2 s for the webhook, since 0:05.')
    .waitFor()
  await findings
    .getByRole('button', { name: /Show the entry/ })
    .first()
    .click()
  const focused = await page.evaluate(() => document.activeElement?.textContent ?? '')
  expect(focused).toContain('cancel my booking')
}

/** A bug report has what a colleague or a vendor needs, without the PIN that was pressed. */
async function checkReport(page: Page) {
  await open(page, 2)
  await page.getByRole('button', { name: 'Copy as bug report' }).click()
  await expectToast(page, 'Bug report copied to clipboard')
  const text = await page.evaluate(() => navigator.clipboard.readText())
  expect(text).toContain(sidOf(2))
  expect(text).toContain('**Caller**: ••••')
  expect(text).not.toContain('4*11')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the bug report' }).click(),
  ])
  expect(file.suggestedFilename()).toBe(`call-${sidOf(2)}.md`)
  expect(readFileSync(await file.path(), 'utf8')).toBe(text)
}

async function checkTexts(page: Page) {
  const text = turns(await open(page, 3))
    .locator('.turn-text')
    .first()
  await text.waitFor()
  expect(await text.locator('b, script, img').count()).toBe(0)
  const long = await open(page, 4)
  const shown = async () => (await long.locator('.turn-text').first().innerText()).length
  await long.getByRole('button', { name: 'Show all' }).waitFor()
  expect(await shown()).toBeLessThan(2_000)
  await long.getByRole('button', { name: 'Show all' }).click()
  await expect.poll(shown).toBeGreaterThan(100_000)
  await expectNoSidewaysScroll(page, 'a transcript of 104 kB')
}

/** How many of the rows the browser has laid out and drawn. */
const drawn = (panel: ReturnType<Page['getByRole']>) =>
  turns(panel).evaluateAll(
    (rows) =>
      rows.filter((row) => row.firstElementChild?.checkVisibility({ contentVisibilityAuto: true }))
        .length,
  )

async function checkManyTurns(page: Page) {
  const panel = await open(page, 5)
  await turns(panel).filter({ hasText: 'I say 1' }).first().waitFor()
  expect(await turns(panel).count()).toBe(2 * TURNS)
  // so that scrolling costs the same for any number of them
  const count = await drawn(panel)
  expect(count).toBeGreaterThan(2)
  expect(count).toBeLessThan(100)
  await turns(panel).first().focus()
  await page.keyboard.press('End')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent ?? ''))
    .toContain(`You said ${TURNS}`)
}

/** Somebody has called just now, and looks at the call before its spans are there. */
async function checkLate(page: Page, { influx, otlp }: { influx: number; otlp: number }) {
  await sendCalls(influx, [LATE])
  const panel = await open(page, LATE)
  await panel.waitFor()
  expect(await page.getByRole('radio').count()).toBe(0)
  await page.getByRole('tab', { name: 'Tracing' }).click()
  await page.getByText('The trace of this call has not arrived yet.').waitFor()
  await sendTrace(otlp, CALLS[0]!, LATE)
  await page.getByRole('tree', { name: 'Spans' }).waitFor()
  await page.getByRole('tab', { name: 'What happened' }).click()
  await depth(page, 'Conversation').check()
  await turns(panel).filter({ hasText: 'four people' }).waitFor()
}

it.each(databasesFor('conversation'))(
  'tells what was said in a call, and how long it took (%s)',
  async (database) => {
    const [influx, otlp] = [await freePort(), await freePort()]
    const server = await startSwitchroom(database, {
      SWITCHROOM_INGEST_INFLUX: `127.0.0.1:${influx}`,
      SWITCHROOM_INGEST_OTLP: `127.0.0.1:${otlp}`,
    })
    const page = await openPage({
      acceptDownloads: true,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    try {
      await reportFailures(page, `conversation-${database}`, async () => {
        for (const [n, example] of CALLS.entries()) await sendTrace(otlp, example, n)
        await sendCalls(influx, [...CALLS.keys()])
        await logIn(page, server.url)
        await checkBot(page)
        await checkDepths(page)
        await checkHangUp(page)
        await checkReport(page)
        await checkTexts(page)
        await checkManyTurns(page)
        // nobody spoke, so that there are times, but no conversation first
        await open(page, 6)
        expect(await depth(page, 'Timeline').isChecked()).toBe(true)
        expectNoErrors(page)
        await checkLate(page, { influx, otlp })
      })
    } finally {
      await page.context().close()
      await server.stop()
    }
  },
)
