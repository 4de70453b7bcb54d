import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, openPage, reportFailures } from './browser.ts'
import { ACCOUNT, LONG_NAME, startSeeded, visit } from './screens.ts'
import { shareWorld } from './world.ts'

let server: Awaited<ReturnType<typeof startSeeded>>
shareWorld(
  async () => {
    server = await startSeeded()
  },
  () => server.stop(),
)

const card = (page: Page) => page.getByRole('group', { name: 'Peek' })
const closed = (page: Page) => card(page).waitFor({ state: 'detached' })
const name = (page: Page, text: string) =>
  page.getByRole('main').getByRole('link', { name: text, exact: true }).first()
const NUMBERS = () => `${server.url}/internal/phone-numbers?filter=4420`
/** Longer than a pointer has to rest. */
const REST_MS = 900

it('shows a thing while the pointer rests on its name', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  await reportFailures(page, 'peek-pointer', async () => {
    await page.clock.install()
    await visit(page, NUMBERS())
    const asked: string[] = []
    page.on('request', (r) => asked.push(r.url()))

    // the link of the row covers it, but is not its name
    const row = (await page.getByRole('row', { name: /7946 0958/ }).boundingBox())!
    const number = (await name(page, '+44 20 7946 0958').boundingBox())!
    await page.mouse.move(number.x + number.width + 6, row.y + row.height / 2)
    await page.clock.runFor(REST_MS)
    expect(await card(page).count()).toBe(0)
    expect(asked.filter((url) => /peek|Uses|figures/i.test(url))).toEqual([])

    await name(page, 'Northern Trunks').hover()
    await card(page).getByText('Carrier', { exact: true }).waitFor()
    await card(page).getByText('Northern Trunks', { exact: true }).waitFor()
    await card(page).getByText('None in 7 days').waitFor()
    const facts = await card(page).getByRole('term').allInnerTexts()
    expect(facts).toEqual(['State', 'Available to', 'Phone numbers', 'Calls today', 'Last failure'])
    const numbers = card(page).getByRole('definition').nth(2)
    await numbers.getByText('1', { exact: true }).waitFor()
    await expectAccessible(page, 'peek')
    // a dialog of its own would take keys and announce itself
    expect(await page.getByRole('dialog').count()).toBe(0)

    // stays while the pointer is on it, and closes after it
    await card(page).getByText('Available to').hover()
    await page.clock.runFor(REST_MS)
    await card(page).getByRole('button', { name: /^Copy/ }).hover()
    await page.clock.runFor(REST_MS)
    expect(await card(page).count()).toBe(1)
    await page.mouse.move(10, 880)
    await closed(page)

    await name(page, 'Front desk').hover()
    await card(page).getByText('Application', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await closed(page)
    await page.mouse.move(10, 880)
    await name(page, LONG_NAME).hover()
    await card(page).getByText('SIP realm').waitFor()
    await card(page).getByRole('link', { name: 'Open page' }).click()
    await page.waitForURL(`**/internal/accounts/${ACCOUNT}?*`)
    await closed(page)
    expectNoErrors(page)
  })
})

it('shows the things of a list one after the other with Space', async () => {
  const page = await openPage({ viewport: { width: 1280, height: 700 } })
  await logIn(page, server.url)
  await reportFailures(page, 'peek-keys', async () => {
    await visit(page, `${server.url}/internal/carriers`)
    await name(page, 'Northern Trunks').waitFor()
    const title = () => card(page).locator('.peek-name').innerText()
    await page.keyboard.press('j')
    await page.keyboard.press('Space')
    await card(page).getByText('Available to').waitFor()
    const first = await title()
    await page.keyboard.press('j')
    await expect.poll(title).not.toBe(first)
    await page.keyboard.press('k')
    await expect.poll(title).toBe(first)
    // into the card and back, without leaving the row
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('.peek') !== null)).toBe(true)
    await page.keyboard.press('Shift+Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(first)
    await page.keyboard.press('Space')
    await closed(page)
    await page.keyboard.press('Space')
    await card(page).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')
    await closed(page)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(first)

    // Space keeps its meaning elsewhere
    await visit(page, NUMBERS())
    await name(page, '+44 20 7946 0958').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Space')
    await page.getByText('1 selected').waitFor()
    expect(await card(page).count()).toBe(0)
    // a name within the row has its own card
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Space')
    await card(page).getByText('Account', { exact: true }).waitFor()

    await page.setViewportSize({ width: 320, height: 800 })
    await card(page).waitFor()
    await expectNoSidewaysScroll(page, 'peek')
    await page.setViewportSize({ width: 1280, height: 700 })
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Peek').waitFor()
    expectNoErrors(page)
  })
})

it('says why a thing cannot be shown', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  await reportFailures(page, 'peek-errors', async () => {
    const answer = (status: number) =>
      page.route(new RegExp(`/VoipCarriers/${server.sids.carrier}$`), (route) =>
        route.fulfill({ status, json: { msg: 'It went wrong', code: 'x', issues: [] } }),
      )
    for (const [status, text] of [
      [404, 'Carrier not found. It was deleted, or you do not have access to it.'],
      [403, 'You do not have permission to see this.'],
      [422, 'It went wrong'],
    ] as const) {
      await answer(status)
      await page.goto(NUMBERS())
      await name(page, 'Northern Trunks').hover()
      await card(page).getByText(text).waitFor()
      await page.mouse.move(10, 880)
      await closed(page)
    }
    await name(page, 'Northern Trunks').hover()
    await card(page).getByRole('button', { name: 'Try again' }).waitFor()
    await page.unroute(/VoipCarriers/)
    await page.unrouteAll()
    await card(page).getByRole('button', { name: 'Try again' }).click()
    await card(page).getByText('Available to').waitFor()
    expect(await page.getByRole('status').getByText('It went wrong').count()).toBe(0)
  })
})

it('leaves a touch to open the thing', async () => {
  const page = await openPage({ hasTouch: true })
  await logIn(page, server.url)
  await reportFailures(page, 'peek-touch', async () => {
    await page.clock.install()
    await visit(page, NUMBERS())
    await name(page, 'Northern Trunks').tap()
    await page.waitForURL(`**/internal/carriers/${server.sids.carrier}?*`)
    await page.clock.runFor(REST_MS)
    expect(await card(page).count()).toBe(0)
  })
})
