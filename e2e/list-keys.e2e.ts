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

/** Counts the tab stops that the rows put between a person with a keyboard and the rest of the page. */
const tabStops = (page: Page) =>
  page
    .locator('main tbody :is(a, button, input, [tabindex])')
    .evaluateAll((all) => all.filter((e) => (e as HTMLElement).tabIndex >= 0).length)
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: at } = document
    const rows = [...document.querySelectorAll('main tbody tr')]
    const row = rows.findIndex((r) => r.contains(at))
    return `${row} ${at?.ariaLabel ?? at?.textContent}`
  })

it('works a list with keys alone, as one tab stop', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  await reportFailures(page, 'list-keys', async () => {
    await visit(page, `${server.url}/internal/phone-numbers?account_sid=${ACCOUNT}`)
    await page.getByText('Total: 61 records').waitFor()
    expect(await tabStops(page)).toBe(1)

    // rows, and the controls of one
    const press = async (key: string) => {
      await page.keyboard.press(key)
      return focused(page)
    }
    expect(await press('j')).toMatch(/^0 .*508/)
    expect(await press('j')).toMatch(/^1 .*508/)
    expect(await press('ArrowDown')).toMatch(/^2 .*508/)
    expect(await press('k')).toMatch(/^1 .*508/)
    expect(await press('ArrowLeft')).toBe('1 Select this row')
    expect(await press('ArrowDown')).toBe('2 Select this row')
    expect(await press('End')).toBe('24 Select this row')
    expect(await press('Home')).toBe('0 Select this row')
    expect(await press('ArrowRight')).toMatch(/^0 .*508/)
    expect(await press('ArrowRight')).toBe(`0 ${LONG_NAME}`)
    expect(await press('ArrowDown')).toBe(`1 ${LONG_NAME}`)
    expect(await press('ArrowUp')).toBe(`0 ${LONG_NAME}`)
    expect(await press('ArrowRight')).toMatch(/^0 Copy/)
    expect(await press('ArrowRight')).toBe('0 Edit phone number')
    expect(await press('ArrowRight')).toBe('0 Delete phone number')
    expect(await press('ArrowRight')).toBe('0 More actions')
    // a menu's button keeps its own keys
    await page.keyboard.press('ArrowDown')
    await page.getByRole('menu').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    expect(await focused(page)).toBe('0 More actions')
    expect(await tabStops(page)).toBe(1)

    // out of the rows by one Tab, and back to the link of the row
    expect(await press('Tab')).toMatch(/^-1/)
    expect(await press('Shift+Tab')).toMatch(/^0 .*508/)
    // what sorts them is one stop, too
    expect(await press('Shift+Tab')).toMatch(/^-1 Number/)
    expect(await press('ArrowRight')).toMatch(/^-1 Last call/)
    expect(await press('ArrowLeft')).toMatch(/^-1 Number/)
    expect(await press('Tab')).toMatch(/^0 .*508/)

    // selected, also the rows between
    await page.keyboard.press('x')
    await page.getByText('1 selected').waitFor()
    // what can be done with it is three stops away
    for (let i = 0; i < 3; i++) await page.keyboard.press('Shift+Tab')
    const bar = page.getByRole('toolbar', { name: 'Selected rows' })
    expect(await bar.evaluate((e) => e.contains(document.activeElement))).toBe(true)
    for (let i = 0; i < 3; i++) await page.keyboard.press('Tab')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Shift+X')
    await page.getByText('3 selected').waitFor()
    await expectAccessible(page, 'phone numbers, selected by key')

    // keys are letters again in a field
    await page.keyboard.press('/')
    await page.getByLabel('Filter phone numbers').waitFor()
    expect(await focused(page)).toBe('-1 Filter phone numbers')
    await page.keyboard.type('jx?')
    expect(await page.getByLabel('Filter phone numbers').inputValue()).toBe('jx?')
    await page.getByLabel('Filter phone numbers').fill('')

    await visit(page, `${server.url}/internal/carriers`)
    await page.getByRole('link', { name: 'Northern Trunks' }).waitFor()
    // what shows its tooltip on focus is no tab stop either
    expect(await tabStops(page)).toBe(1)
    await page.keyboard.press('j')
    await page.keyboard.press('e')
    await page.waitForURL(/carriers\/[\w-]+\/edit/)
    // the row is gone, and with it what had the focus
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')

    // a row whose name leads to something else than the row
    await visit(page, `${server.url}/internal/audit-log?kind=voip_carrier`)
    await page.getByRole('link', { name: 'Northern Trunks' }).waitFor()
    expect(await tabStops(page)).toBe(1)
    expect(await press('j')).toBe('0 Show entry')
    expect(await press('ArrowLeft')).toBe('0 Shared')
    expectNoErrors(page)
  })
})

it('opens a row’s details with Enter, and shows all keys', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  await reportFailures(page, 'key-sheet', async () => {
    await page.route(/\/Alerts\?/, (route) =>
      route.fulfill({
        json: {
          page: 1,
          page_size: 25,
          total: 2,
          data: [1, 2].map((n) => ({
            time: `2026-01-0${n}T00:00:00.000Z`,
            account_sid: ACCOUNT,
            alert_type: 'no-carrier',
            message: `number ${n}`,
          })),
        },
      }),
    )
    await visit(page, `${server.url}/internal/alerts`)
    await page.getByText('number 2').first().waitFor()
    expect(await tabStops(page)).toBe(1)
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.locator('.table-detail').waitFor()
    // the row's button has the focus still, and details are passed over
    await page.keyboard.press('k')
    expect(await focused(page)).toMatch(/^0/)

    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await sheet.waitFor()
    await expectAccessible(page, 'keyboard shortcuts')
    await expectNoSidewaysScroll(page, 'keyboard shortcuts')
    await sheet.getByLabel('Single-key shortcuts').uncheck()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.keyboard.press('j')
    await page.keyboard.press('/')
    expect(await focused(page)).toMatch(/^0/)
    await page.keyboard.press('ArrowDown')
    expect(await focused(page)).toMatch(/^1/)

    // the menu has it too
    await page.getByRole('button', { name: 'User menu' }).click()
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
    await sheet.getByLabel('Single-key shortcuts').check()
    expectNoErrors(page)
  })
})
