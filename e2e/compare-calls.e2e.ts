import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Example } from '../packages/server/test/conversations.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, openPage, reportFailures } from './browser.ts'
import { databasesFor } from './databases.ts'
import { startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'
import { endless, named, sendCalls, sendTrace, sidOf, TURNS } from './traced-calls.ts'

const APPLICATION = '5f1e6d1c-8a44-4b0e-9d53-0c5a3e0a7c11'

/** The newest first. */
const CALLS: Pick<Example, 'spans'>[] = [
  named('A bot answers five times'),
  named('A menu with digits and a recording'),
  named('The caller hangs up while the webhook is slow'),
  endless,
]
/** The one of another application. */
const OTHER = 1
/** A call without a trace so far. */
const LATE = CALLS.length

const compare = (page: Page, a: string, b: string) =>
  page.goto(new URL(`/internal/recent-calls/compare?a=${a}&b=${b}`, page.url()).href)
const steps = (page: Page) =>
  page.getByRole('list', { name: 'Steps of both calls' }).locator(':scope > li')
const summary = (page: Page) => page.getByRole('region', { name: 'How they differ' })
const side = (page: Page, name: 'A' | 'B') => page.getByRole('region', { name: `Call ${name}` })
const sidesOf = (page: Page) => {
  const { searchParams } = new URL(page.url())
  return [searchParams.get('a'), searchParams.get('b')]
}
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')

/** From a call to the one before it of the same application, and what differs. */
async function checkBefore(page: Page) {
  await page.goto(new URL(`/internal/recent-calls/${sidOf(0)}`, page.url()).href)
  await page.getByRole('link', { name: 'Compare with another call' }).click()
  await steps(page).first().waitFor()
  expect(sidesOf(page)).toEqual([sidOf(2), sidOf(0)])
  await side(page, 'A').getByText('since 0:05').waitFor()
  await expectAccessible(page, 'a comparison')
  await expectNoSidewaysScroll(page, 'a comparison')
  await summary(page).getByText('The caller ended call A, the application ended call B.').waitFor()
  await summary(page)
    .getByRole('button', { name: /^Show: The calls first diverge/ })
    .click()
  expect(await focused(page)).toMatch(/^Call A.*Call B/s)
  await page.keyboard.press('Home')
  expect(await focused(page)).toContain('The call was answered.')
  await page.setViewportSize({ width: 320, height: 800 })
  await expectNoSidewaysScroll(page, 'a comparison on a phone')
  await page.setViewportSize({ width: 1_280, height: 900 })
}

async function checkOnlyDifferences(page: Page) {
  const all = await steps(page).count()
  await page.getByRole('checkbox', { name: 'Only differences' }).check()
  await expect.poll(() => steps(page).count()).toBeLessThan(all)
  await page.reload()
  await steps(page).first().waitFor()
  expect(await steps(page).count()).toBeLessThan(all)
  // what is asked for is shown all the same
  await side(page, 'B')
    .getByRole('button', { name: /show the turn/ })
    .click()
  await expect.poll(() => focused(page)).toContain('Slowest')
  await page.getByRole('button', { name: 'Swap sides' }).click()
  await expect.poll(() => sidesOf(page)).toEqual([sidOf(0), sidOf(2)])
  await summary(page).getByText('The application ended call A, the caller ended call B.').waitFor()
}

async function checkChoice(page: Page) {
  await page.getByRole('button', { name: 'Choose call B' }).click()
  const dialog = page.getByRole('dialog', { name: 'Choose call B' })
  const calls = dialog.getByRole('list', { name: 'Calls' }).getByRole('listitem')
  await calls.first().waitFor()
  // those of the same application
  expect(await calls.count()).toBe(3)
  await expectAccessible(page, 'the choice of a call')
  await dialog.getByRole('checkbox', { name: 'Calls of other applications too' }).check()
  await expect.poll(() => calls.count()).toBe(4)
  await dialog.getByRole('searchbox').fill(sidOf(OTHER))
  await expect.poll(() => calls.count()).toBe(1)
  await calls.getByRole('button').click()
  await summary(page).getByText('The calls use different applications.').waitFor()
  expect(sidesOf(page)).toEqual([sidOf(0), sidOf(OTHER)])
  await page.goBack()
  await expect.poll(() => sidesOf(page)).toEqual([sidOf(0), sidOf(2)])
}

/** Each side says why it has nothing, and the other one is shown. */
async function checkOneSide(page: Page, { influx, otlp }: { influx: number; otlp: number }) {
  await compare(page, sidOf(0), 'gone')
  await side(page, 'B').getByText('Call not found, or its record has expired.').waitFor()
  await steps(page).filter({ hasText: 'four people' }).waitFor()
  expect(await summary(page).count()).toBe(0)

  await sendCalls(influx, [LATE], APPLICATION)
  await compare(page, sidOf(0), sidOf(LATE))
  await side(page, 'B').getByText('The trace of this call has not arrived yet.').waitFor()
  await sendTrace(otlp, CALLS[0]!, LATE)
  await summary(page).getByText('No differences: the same steps').waitFor()
  expect(await steps(page).first().innerText()).toContain('The call was answered.')
}

async function checkManyTurns(page: Page) {
  await compare(page, sidOf(3), sidOf(3))
  await summary(page).getByText('Both sides show the same call.').waitFor()
  // by class: finding so many by role, again and again, takes longer than to draw them
  const rows = page.locator('.pairs > li')
  await rows.nth(2 * TURNS - 1).waitFor({ state: 'attached' })
  expect(await rows.count()).toBe(2 * TURNS)
  const drawn = await steps(page).evaluateAll(
    (rows) =>
      rows.filter((row) => row.firstElementChild?.checkVisibility({ contentVisibilityAuto: true }))
        .length,
  )
  expect(drawn).toBeLessThan(100)
  await steps(page).first().focus()
  await page.keyboard.press('End')
  await expect.poll(() => focused(page)).toContain(`You said ${TURNS}`)
}

it.each(databasesFor('compare-calls'))(
  'shows two calls side by side, and where they differ (%s)',
  async (database) => {
    const [influx, otlp] = [await freePort(), await freePort()]
    const server = await startSwitchroom(database, {
      SWITCHROOM_INGEST_INFLUX: `127.0.0.1:${influx}`,
      SWITCHROOM_INGEST_OTLP: `127.0.0.1:${otlp}`,
    })
    const page = await openPage()
    try {
      await reportFailures(page, `compare-calls-${database}`, async () => {
        for (const [n, example] of CALLS.entries()) await sendTrace(otlp, example, n)
        await sendCalls(influx, [2, 3], APPLICATION)
        // between them, as the call before without its application
        await sendCalls(influx, [OTHER])
        await sendCalls(influx, [0], APPLICATION)
        await logIn(page, server.url)
        await checkBefore(page)
        await checkOnlyDifferences(page)
        await checkChoice(page)
        await checkManyTurns(page)
        await checkOneSide(page, { influx, otlp })
        expectNoErrors(page)
      })
    } finally {
      await page.context().close()
      await server.stop()
    }
  },
)
