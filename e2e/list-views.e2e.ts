import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, openPage, reportFailures } from './browser.ts'
import { startSeeded, visit } from './screens.ts'

let server: Awaited<ReturnType<typeof startSeeded>>
beforeAll(async () => {
  server = await startSeeded()
})
afterAll(() => server.stop())

const headers = async (page: Page) =>
  (await page.locator('main thead th').allInnerTexts()).map((t) => t.trim())
const DEFAULT = ['Number', 'Account', 'Application', 'Carrier', 'Description', 'SID', 'Actions']

it('shows the columns a person chooses, in their order and width', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  await reportFailures(page, 'list-views', async () => {
    const open = async () => {
      await visit(page, `${server.url}/internal/phone-numbers`)
      await page.getByText('Total: 61 records').waitFor()
    }
    await open()
    expect(await headers(page)).toEqual(DEFAULT)
    const height = () =>
      page
        .locator('main tbody tr')
        .nth(1)
        .evaluate((row) => row.getBoundingClientRect().height)
    expect(await height()).toBeGreaterThanOrEqual(40)

    // all by keyboard
    await page.getByRole('button', { name: 'View' }).focus()
    await page.keyboard.press('Enter')
    const panel = page.getByRole('dialog', { name: 'View' })
    await panel.waitFor()
    await panel.getByLabel('Compact rows').focus()
    await page.keyboard.press('Space')
    await panel.getByRole('checkbox', { name: 'Carrier' }).focus()
    await page.keyboard.press('Space')
    await panel.getByRole('button', { name: 'Move SID up' }).focus()
    // the button keeps the focus while its column moves
    for (let moves = 0; moves < 4; moves++) await page.keyboard.press('Enter')
    expect(await headers(page)).toEqual([
      'Number',
      'SID',
      'Account',
      'Application',
      'Description',
      'Actions',
    ])
    await panel.getByLabel('Width of Account in pixels').fill('500')
    await page.keyboard.press('Enter')
    await expectAccessible(page, 'the view of a list')
    await expectNoSidewaysScroll(page, 'the view of a list')
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    expect(
      await page
        .getByRole('button', { name: 'View' })
        .evaluate((b) => b === document.activeElement),
    ).toBe(true)

    const width = async () =>
      (await page.getByRole('columnheader', { name: 'Account' }).boundingBox())!.width
    const chosen = await width()
    expect(chosen).toBeGreaterThanOrEqual(500)
    // and by pointer
    const edge = await page
      .getByRole('columnheader', { name: 'Account' })
      .locator('.table-edge')
      .boundingBox()
    await page.mouse.move(edge!.x + 4, edge!.y + 4)
    await page.mouse.down()
    await page.mouse.move(edge!.x + 64, edge!.y + 4, { steps: 3 })
    await page.mouse.up()
    await expect.poll(width).toBeGreaterThan(chosen + 50)

    // kept for this person and list
    await open()
    expect(await headers(page)).not.toContain('Carrier')
    expect(await height()).toBeLessThan(36)
    await page.getByRole('button', { name: 'View' }).click()
    await panel.getByRole('button', { name: 'Reset' }).click()
    expect(await headers(page)).toEqual(DEFAULT)
    expectNoErrors(page)
  })
})

it('prints a list without what surrounds it', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  await reportFailures(page, 'print', async () => {
    await visit(page, `${server.url}/internal/phone-numbers?filter=1508`)
    await page.getByText('Total: 60 records').waitFor()
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    const shows = (selector: string) => page.locator(selector).first().isVisible()
    for (const gone of ['.frame-rail', '.top-bar', '.page-actions', '.search-input', 'nav'])
      expect(await shows(gone), gone).toBe(false)
    for (const there of ['h1', '.chip', 'main tbody tr', '.table-foot'])
      expect(await shows(there), there).toBe(true)
    const style = await page.evaluate(() => ({
      text: getComputedStyle(document.querySelector('main td')!).color,
      ground: getComputedStyle(document.body).backgroundColor,
      date: getComputedStyle(document.querySelector('.page-header')!, '::after').content,
    }))
    expect(style.text).toMatch(/^(rgb\(0, 0, 0\)|oklch\(0 )/)
    expect(style.ground).toMatch(/^(rgb\(255, 255, 255\)|oklch\(1 )/)
    expect(style.date).toContain(String(new Date().getFullYear()))
    await page.emulateMedia({ media: 'screen' })
  })
})
