import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, openPage, reportFailures } from './browser.ts'
import { api, fetchToken, PASSWORD } from './harness.ts'
import { ACCOUNT, SP, startSeeded, visit } from './screens.ts'
import { shareWorld } from './world.ts'

let server: Awaited<ReturnType<typeof startSeeded>>
shareWorld(
  async () => {
    server = await startSeeded()
  },
  () => server.stop(),
)

const headers = async (page: Page) =>
  (await page.locator('main thead th:not(.table-check)').allInnerTexts()).map((t) => t.trim())
const CALLS = ['Last call', 'Calls 7 d']
const OTHERS = [...CALLS, 'Description', 'SID', 'Actions']
const DEFAULT = ['Number', 'Account', 'Application', 'Carrier', ...OTHERS]

it('shows the columns a person chooses, in their order and width', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  await reportFailures(page, 'list-views', async () => {
    const open = async () => {
      await visit(page, `${server.url}/internal/phone-numbers`)
      await page.getByText('Total: 61 records').waitFor()
    }
    await page.setViewportSize({ width: 1920, height: 1080 })
    await open()
    expect(await headers(page)).toEqual(DEFAULT)
    const height = () =>
      page
        .locator('main tbody tr')
        .nth(1)
        .evaluate((row) => row.getBoundingClientRect().height)
    expect(await height()).toBeGreaterThanOrEqual(40)

    // all by keyboard
    await page.getByRole('button', { name: 'Display' }).focus()
    await page.keyboard.press('Enter')
    const panel = page.getByRole('dialog', { name: 'Display' })
    await panel.waitFor()
    await panel.getByLabel('Compact rows').focus()
    await page.keyboard.press('Space')
    for (const name of ['Carrier', 'Last call']) {
      await panel.getByRole('checkbox', { name }).focus()
      await page.keyboard.press('Space')
    }
    await panel.getByRole('button', { name: 'Move SID up' }).focus()
    // the button keeps the focus while its column moves
    for (let moves = 0; moves < 6; moves++) await page.keyboard.press('Enter')
    expect(await headers(page)).toEqual([
      'Number',
      'SID',
      'Account',
      'Application',
      'Calls 7 d',
      'Description',
      'Actions',
    ])
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      panel.getByRole('button', { name: 'Export these columns' }).click(),
    ])
    const [head, first] = (await readFile(await saved.path(), 'utf8')).split('\r\n')
    expect(head).toBe('number,phone_number_sid,account,application,calls_7d,description')
    expect(first).toMatch(/^\d+,[0-9a-f-]{36},/)
    await panel.getByLabel('Width of Account in pixels').fill('500')
    await page.keyboard.press('Enter')
    await expectAccessible(page, 'the view of a list')
    await expectNoSidewaysScroll(page, 'the view of a list')
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    expect(
      await page
        .getByRole('button', { name: 'Display' })
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
    // narrower where it would push the actions out or break words
    await page.setViewportSize({ width: 1280, height: 900 })
    await expect.poll(width).toBeLessThan(500)
    const table = (await page.locator('main table').boundingBox())!
    const menu = (await page.locator('main tbody .table-actions').first().boundingBox())!
    expect(menu.x + menu.width).toBeLessThanOrEqual(table.x + table.width + 1)
    expect(await height()).toBeLessThan(36)
    await page.setViewportSize({ width: 1920, height: 1080 })
    await expect.poll(width).toBeGreaterThan(chosen + 50)

    // kept for this person and list
    await open()
    expect(await headers(page)).not.toContain('Carrier')
    expect(await height()).toBeLessThan(36)
    await page.getByRole('button', { name: 'Display' }).click()
    await panel.getByRole('button', { name: 'Reset' }).click()
    expect(await headers(page)).toEqual(DEFAULT)
    expectNoErrors(page)
  })
})

it('uses the whole width of a wide screen', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  await page.setViewportSize({ width: 2560, height: 900 })
  for (const list of ['phone-numbers', 'recent-calls', 'alerts', 'live', 'live?tab=queues']) {
    await page.goto(`${server.url}/internal/${list}`)
    const table = page.locator('.table-box:visible').first()
    await table.waitFor()
    expect((await table.boundingBox())?.width, list).toBeGreaterThan(2_200)
  }
  await page.context().close()
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
    const token = await fetchToken(server.url)
    const { name } = await api<{ name: string }>(
      server.url,
      token,
      'GET',
      `/ServiceProviders/${SP}`,
    )
    await visit(page, `${server.url}/internal/dashboard`)
    // of which time the figures are
    await page
      .locator('.dashboard-period')
      .getByText(/\w+ \d+, \d{4}.* to /)
      .first()
      .waitFor()
    await page.getByText(`${name} ·`).waitFor()
    expect(await shows('.open-alerts button')).toBe(false)
    await page.emulateMedia({ media: 'screen' })
  })
})

it('saves what a list shows under a name, and says when it was changed', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  await reportFailures(page, 'saved-views', async () => {
    const at = (search: string) => visit(page, `${server.url}/internal/phone-numbers${search}`)
    const menu = (name: string | RegExp) => page.locator('main').getByRole('button', { name })
    const choose = async (button: string | RegExp, item: string) => {
      await menu(button).click()
      await page.getByRole('menuitem', { name: item, exact: true }).click()
    }
    const name = async (text: string) => {
      await page.getByRole('dialog').getByLabel('Name').fill(text)
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    }
    const hide = async (column: string) => {
      await page.getByRole('button', { name: 'Display' }).click()
      await page.getByRole('dialog').getByRole('checkbox', { name: column }).uncheck()
      await page.keyboard.press('Escape')
    }
    await at('?filter=15085551&sort=-number')
    await page.getByText(/Total: \d+ records/).waitFor()
    await hide('Carrier')
    await choose('Saved views', 'Save as new view')
    await expectAccessible(page, 'the name of a view')
    await name('')
    await page.getByText('Enter a name').waitFor()
    await name('New numbers')
    await menu('New numbers').waitFor()

    // changed, and updated
    await hide('Account')
    await menu('New numbers (changed)').waitFor()
    await choose(/changed/, 'Update view')
    await menu(/^New numbers$/).waitFor()
    await choose('New numbers', 'Start with this view')

    // everything on show again, in another list of it; the list starts with the view
    await page.getByRole('button', { name: 'Display' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Carriers', exact: true }).click()
    await page.getByRole('link', { name: 'Northern Trunks' }).waitFor()
    await menu('Saved views').waitFor()
    await page.getByRole('link', { name: 'Phone numbers', exact: true }).click()
    await page.waitForURL(/filter=15085551/)
    await menu(/^New numbers$/).waitFor()
    expect(await headers(page)).toEqual(['Number', 'Application', ...OTHERS])
    // filters can still be cleared, also where nothing matches
    await page.getByLabel('Filter phone numbers').fill('nothing like it')
    await page.keyboard.press('Enter')
    await menu('New numbers (changed)').waitFor()
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await page.getByText('Total: 61 records').waitFor()

    await menu(/changed/).click()
    await expectAccessible(page, 'saved views')
    await page.getByRole('menuitemradio', { name: 'New numbers' }).click()
    await page.waitForURL(/sort=-number/)
    await choose('New numbers', 'Rename view')
    const long = 'A view with a long name '.repeat(4).trim()
    await name(long)
    await hide('Application')
    await menu(`${long} (changed)`).waitFor()
    await expectNoSidewaysScroll(page, 'a list with a long name of its view')
    await choose(/changed/, 'Delete view')
    await menu('Saved views').waitFor()
    expectNoErrors(page)
  })
})

it('shares a view with colleagues, and with nobody else', async () => {
  const token = await fetchToken(server.url)
  const add = (name: string, more: object) =>
    api(server.url, token, 'POST', '/Users', {
      ...{ name, email: `${name}@example.com`, initial_password: PASSWORD, force_change: 0 },
      ...more,
    })
  const { sid: other } = await api<{ sid: string }>(server.url, token, 'POST', '/Accounts', {
    name: 'Elsewhere',
    service_provider_sid: SP,
  })
  await add('sharer', { account_sid: ACCOUNT })
  await add('colleague', { account_sid: ACCOUNT, is_view_only: 1 })
  await add('stranger', { account_sid: other })

  const as = async (name: string, search = '') => {
    const page = await openPage()
    await logIn(page, server.url, name)
    await visit(page, `${server.url}/internal/phone-numbers${search}`)
    const views = page.locator('main').getByRole('button', { name: 'Saved views' })
    return { page, views }
  }
  const { page, views } = await as('sharer', '?filter=15085551')
  await reportFailures(page, 'shared-views', async () => {
    await views.click()
    await page.getByRole('menuitem', { name: 'Save as new view' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Boston')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    const own = page.locator('main').getByRole('button', { name: 'Boston' })
    await own.click()
    await page.getByRole('menuitem', { name: 'Share with account' }).click()
    await page.getByText('View Boston shared').waitFor()
    await own.click()
    await page.getByRole('menuitemradio', { name: 'Boston (shared)' }).waitFor()
    await expectAccessible(page, 'a shared view')
    await page.getByRole('menuitem', { name: 'Stop sharing' }).waitFor()
    expectNoErrors(page)
  })

  const colleague = await as('colleague')
  await reportFailures(colleague.page, 'shared-views-colleague', async () => {
    await colleague.views.click()
    await colleague.page.getByRole('menuitemradio', { name: 'Boston (shared)' }).click()
    await colleague.page.waitForURL(/filter=15085551/)
    await colleague.page.locator('main').getByRole('button', { name: 'Boston' }).click()
    await colleague.page.getByRole('menuitem', { name: 'Start with this view' }).waitFor()
    for (const name of ['Rename view', 'Stop sharing', 'Delete view'])
      expect(await colleague.page.getByRole('menuitem', { name }).count(), name).toBe(0)
    expectNoErrors(colleague.page)
  })

  const stranger = await as('stranger')
  await reportFailures(stranger.page, 'shared-views-stranger', async () => {
    const answer = stranger.page.waitForResponse(/\/SavedViews/)
    await stranger.views.click()
    expect(await (await answer).json()).toEqual([])
    await stranger.page.getByText('Save filters, order and columns under a name.').waitFor()
    expect(await stranger.page.getByRole('menuitemradio').count()).toBe(0)
    expectNoErrors(stranger.page)
  })
})
