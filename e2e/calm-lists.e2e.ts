import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, openPage, reportFailures, waitForRequests } from './browser.ts'
import { startSeeded } from './screens.ts'
import { shareWorld } from './world.ts'

/** Lists are calm: few controls, no column cut, and on a phone the rows begin in the upper third. */
let server: Awaited<ReturnType<typeof startSeeded>>
shareWorld(
  async () => {
    server = await startSeeded()
  },
  () => server.stop(),
)

const LISTS = [
  ...['accounts', 'users', 'applications', 'carriers', 'phone-numbers', 'clients'],
  ...['speech-services', 'ms-teams-tenants', 'least-cost-routing', 'recent-calls'],
  ...['alerts', 'inbox', 'failures', 'webhook-log', 'alerts/destinations', 'audit-log'],
]

/** Opens a list. Resolves to what has its rows. */
async function open(page: Page, list: string) {
  await page.goto(`${server.url}/internal/${list}`)
  const box = page.locator('main .table-box').first()
  await box.waitFor()
  await waitForRequests(page)
  return box
}

/** Between phones, which have cards, and wide screens. */
const WIDTHS = [1_440, 1_280, 1_160, 1_024, 900, 768, 660]

async function expectNothingCut(page: Page, list: string) {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    // what follows the size of a box does so after this is called, and before it is called again
    const frame = () =>
      page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
    await frame()
    await frame()
    const cut = await page.locator('main .table-box').evaluateAll((boxes) =>
      boxes.flatMap((box) =>
        [...box.querySelectorAll('thead th')]
          .filter((th) => {
            const { right } = th.getBoundingClientRect()
            return right > box.getBoundingClientRect().right + 1
          })
          .map((th) => th.textContent),
      ),
    )
    expect(cut, `${list} at ${width}`).toEqual([])
  }
}

it('begins with the rows in the upper third of a phone, and has the filters behind a button', async () => {
  const page = await openPage({ viewport: { width: 390, height: 844 } })
  await logIn(page, server.url)
  await reportFailures(page, 'calm-phone', async () => {
    for (const list of LISTS) {
      const box = await open(page, list)
      const { y } = (await box.boundingBox())!
      expect(y, list).toBeLessThanOrEqual(844 / 3)
    }
    await open(page, 'phone-numbers')
    const account = page.getByRole('combobox', { name: 'Account', exact: true })
    expect(await account.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await account.waitFor()
    await page.getByRole('combobox', { name: 'Carrier', exact: true }).waitFor()
    await expectAccessible(page, 'filters on a phone')
    await page.setViewportSize({ width: 320, height: 700 })
    await expectNoSidewaysScroll(page, 'filters on a phone')
    expectNoErrors(page)
  })
})

it('has few controls above the rows, and cuts no column', async () => {
  const page = await openPage({ viewport: { width: 1_440, height: 900 } })
  await logIn(page, server.url)
  await reportFailures(page, 'calm-lists', async () => {
    for (const list of LISTS) {
      await open(page, list)
      const controls = await page
        .locator('main :is(.page-header, .filter-bar) :is(button, a, input, select):visible')
        .count()
      // with a date and live calls, which the others have not
      expect(controls, list).toBeLessThanOrEqual(list === 'recent-calls' ? 9 : 8)
      await expectNothingCut(page, list)
      await page.setViewportSize({ width: 1_440, height: 900 })
    }
    // longer words
    await page.evaluate(() => localStorage.setItem('language', 'de'))
    for (const list of [
      'applications',
      'carriers',
      'phone-numbers',
      'speech-services',
      'clients',
    ]) {
      await open(page, list)
      await expectNothingCut(page, `${list} in German`)
    }
    await page.evaluate(() => localStorage.setItem('language', 'en'))
    await page.setViewportSize({ width: 1_440, height: 900 })
    // what is seldom set is behind the button, and says what is set
    await open(page, 'inbox')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByLabel('Severity', { exact: true }).selectOption('Warning')
    await page.getByRole('button', { name: 'Remove Severity: Warning' }).waitFor()
    await expectAccessible(page, 'filters behind a button')
    expectNoErrors(page)
  })
})
