import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import {
  expectNoErrors,
  expectToast,
  logIn,
  openForm,
  openPage,
  reportFailures,
  waitForPaint,
} from './browser.ts'
import { databasesFor } from './databases.ts'
import { api, fetchToken, PASSWORD, startSwitchroom } from './harness.ts'
import { rendersIn } from './renders.ts'

const SP = '2708b1b3-2736-40ea-b502-c53d8396247f'
const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'

const main = (page: Page) => page.getByRole('main')
const button = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true })
const save = (page: Page) => button(page, 'Save').click()
const sidebarLink = (page: Page) =>
  page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Outbound call routing', exact: true })
const route = (page: Page, n: number) =>
  page.getByRole('group', { name: `Route ${n}`, exact: true })
const patterns = (page: Page) =>
  page
    .getByLabel('Digit pattern')
    .evaluateAll((inputs) => inputs.map((i) => (i as HTMLInputElement).value))

async function chooseOption(
  page: Page,
  box: ReturnType<typeof route> | Page,
  label: string,
  option: RegExp,
) {
  await box.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option }).click()
  await page.getByRole('listbox').waitFor({ state: 'hidden' })
}

type Table = {
  lcr_sid: string
  default_carrier: string
  routes: { lcr_route_sid: string; regex: string; lcr_carrier_set_entries: object[] }[]
}
async function readTables(url: string): Promise<Table[]> {
  const token = await fetchToken(url)
  const list = await api<Table[]>(url, token, 'GET', '/Lcrs')
  return Promise.all(list.map((t) => api<Table>(url, token, 'GET', `/Lcrs/${t.lcr_sid}`)))
}
/** Stored digit patterns of the only routing table. */
async function readRegexes(url: string) {
  const [table] = await readTables(url)
  return table!.routes.map((r) => r.regex)
}

/** An administrator sets up a routing table, corrects errors and reorders routes. */
async function checkAdminRouting(page: Page, url: string) {
  await createTable(page, url)
  await reorderByKeyboard(page, url)
  await addCarrier(page, url)
  await reorderByMouse(page, url)
  await simulateUnsaved(page, url)
  await refuseDeletion(page, url)
}

async function createTable(page: Page, url: string) {
  await sidebarLink(page).click()
  await page.getByText('No outbound call routes.').waitFor()
  await main(page).getByRole('link', { name: 'Add routing table' }).first().click()
  await page.getByText('There are no available carriers').waitFor()
  expect(await button(page, 'Save').isDisabled()).toBe(true)

  const token = await fetchToken(url)
  const carrier = async (name: string, more = {}) =>
    (
      await api<{ sid: string }>(url, token, 'POST', '/VoipCarriers', {
        name,
        service_provider_sid: SP,
        ...more,
      })
    ).sid
  await carrier('North')
  await carrier('South')
  await carrier('Asleep', { is_active: 0 })
  await page.reload()

  await save(page)
  await page.getByText('3 fields need attention').waitFor()
  expect(await route(page, 1).getByText('Each route needs a regex and a carrier.').count()).toBe(2)
  await page.getByText('A default carrier is required.').waitFor()

  await page.getByLabel('Name').fill('Everywhere')
  await route(page, 1).getByLabel('Digit pattern').fill('+44')
  await route(page, 1).getByRole('combobox', { name: 'Carrier' }).click()
  await page.getByRole('option', { name: 'North' }).waitFor()
  expect(await page.getByRole('option', { name: 'Asleep' }).count()).toBe(0)
  await page.getByRole('option', { name: 'North' }).click()
  await chooseOption(page, page, 'Select a default outbound carrier', /South/)
  await button(page, 'Add route').click()
  await route(page, 2).getByLabel('Digit pattern').fill('1')
  await chooseOption(page, route(page, 2), 'Carrier', /South/)
  await save(page)
  await route(page, 1).getByText('Enter digits or a regular expression.').waitFor()

  // errors move with their row
  await button(page, 'Move +44 down').click()
  await route(page, 2).getByText('Enter digits or a regular expression.').waitFor()
  expect(await patterns(page)).toEqual(['1', '+44'])
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
    'Move +44 up',
  )
  await page.keyboard.press('Enter')
  expect(await patterns(page)).toEqual(['+44', '1'])
  await page.getByText('+44 is now number 1 of 2').waitFor({ state: 'attached' })

  await route(page, 1).getByLabel('Digit pattern').fill('^\\+?44')
  await route(page, 1).getByLabel('Description').fill('To Britain')
  await save(page)
  await expectToast(page, 'Least cost routing successfully created')
  await page
    .getByRole('row', { name: /Everywhere.*default service provider.*Active.*2 routes/ })
    .waitFor()
}

async function reorderByKeyboard(page: Page, url: string) {
  await openForm(page, 'Everywhere')
  await page.getByLabel('Digit pattern').first().waitFor()
  await button(page, 'Add route').click()
  await route(page, 3).getByLabel('Digit pattern').fill('^49')
  await chooseOption(page, route(page, 3), 'Carrier', /North/)
  await button(page, 'Move ^49').focus()
  await page.keyboard.press('Space')
  await page.getByText('^49 would be number 3 of 3').waitFor({ state: 'attached' })
  // the arrow-key listener is attached in the next frame
  await waitForPaint(page)
  await page.keyboard.press('ArrowUp')
  await page.getByText('^49 would be number 2 of 3').waitFor({ state: 'attached' })
  await page.keyboard.press('Space')
  await expect.poll(() => patterns(page)).toEqual(['^\\+?44', '^49', '1'])
  await save(page)
  await expectToast(page, 'Least cost routing rule successfully updated')
  expect(await readRegexes(url)).toEqual(['^\\+?44', '^49', '1'])
}

/** Saves a second time, which keeps the sids of the routes. */
async function addCarrier(page: Page, url: string) {
  const [before] = await readTables(url)
  await route(page, 3).getByRole('button', { name: 'Add carrier' }).click()
  await chooseOption(page, route(page, 3), 'Carrier 2', /North/)
  await button(page, 'Move carrier 2 of route 1 up').click()
  await save(page)
  await expectToast(page, 'Least cost routing rule successfully updated')
  const [after] = await readTables(url)
  expect(after!.routes.map((r) => r.lcr_route_sid)).toEqual(
    before!.routes.map((r) => r.lcr_route_sid),
  )
  expect(after!.routes[2]!.lcr_carrier_set_entries).toMatchObject([
    { priority: 0 },
    { ...before!.routes[2]!.lcr_carrier_set_entries[0], priority: 1 },
  ])
}

async function reorderByMouse(page: Page, url: string) {
  await page.evaluate(() => scrollTo(0, 200))
  await waitForPaint(page)
  const handle = (await button(page, 'Move 1').boundingBox())!
  const target = (await route(page, 1).boundingBox())!
  await page.mouse.move(handle.x + 8, handle.y + 8)
  await page.mouse.down()
  await page.mouse.move(handle.x + 8, target.y + 8, { steps: 12 })
  // a hand lets go once it sees where the route will be
  await waitForPaint(page)
  await page.mouse.up()
  await expect.poll(() => patterns(page)).toEqual(['1', '^\\+?44', '^49'])
  // for a moment after a drag, a click counts as its end
  const deletion = button(page, 'Delete route ^49')
  const afterDeletion = async () => {
    if (await deletion.count()) await deletion.click()
    return patterns(page)
  }
  await expect.poll(afterDeletion).toEqual(['1', '^\\+?44'])
  await save(page)
  await expectToast(page, 'Least cost routing rule successfully updated')
  expect(await readRegexes(url)).toEqual(['1', '^\\+?44'])
}

/** The simulator uses unsaved routes; likely mistakes are fixed only on request. */
async function simulateUnsaved(page: Page, url: string) {
  await page.getByLabel('Called number').fill('442079460158')
  const steps = page.getByRole('list', { name: 'Steps' })
  await steps.getByText('Route “1” (priority 0) matches.').waitFor()
  await button(page, 'Change it to ^1').click()
  expect(await patterns(page)).toEqual(['^1', '^\\+?44'])
  await steps.getByText('Route “^\\+?44” (priority 1, To Britain) matches.').waitFor()
  expect(await readRegexes(url)).toEqual(['1', '^\\+?44'])
  await button(page, 'Discard').click()
}

/** A carrier that routes use cannot be deleted. */
async function refuseDeletion(page: Page, url: string) {
  await page.goto(`${url}/internal/carriers`)
  await page
    .getByRole('row', { name: /South/ })
    .getByRole('button', { name: 'More actions' })
    .click()
  await page.getByRole('menuitem', { name: 'Delete carrier' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete carrier' }).click()
  await page.getByText('In order to delete the carrier it cannot be in use.').waitFor()
  await page.getByRole('dialog').getByText('Outbound call routing').waitFor()
}

/** Other users have one routing table, which the sidebar opens. */
async function checkAccountRouting(page: Page, url: string) {
  const token = await fetchToken(url)
  await api(url, token, 'POST', '/Users', {
    name: 'account',
    email: 'account@example.org',
    initial_password: PASSWORD,
    force_change: 0,
    account_sid: ACCOUNT,
  })
  await logIn(page, url, 'account')
  await sidebarLink(page).click()
  await page.getByRole('heading', { name: 'Add routing table' }).waitFor()
  expect(await sidebarLink(page).getAttribute('aria-current')).toBe('page')
  await page.getByLabel('Name').fill('Ours')
  await button(page, 'Delete route 1').click()
  await chooseOption(page, page, 'Select a default outbound carrier', /North/)
  await save(page)
  await expectToast(page, 'Least cost routing successfully created')
  await page.waitForURL(/least-cost-routing\/[0-9a-f-]{36}\/edit/)
  expect(await sidebarLink(page).getAttribute('aria-current')).toBe('page')
  await page.goto(`${url}/internal/least-cost-routing`)
  await page.getByText('You do not have permissions to manage all outbound call routes').waitFor()
  await page.waitForURL(/least-cost-routing\/[0-9a-f-]{36}\/edit/)
  await button(page, 'Delete routing table').click()
  await page.getByText('Are you sure you want to delete least cost routing Ours?').waitFor()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Delete/ })
    .click()
  await expectToast(page, 'Deleted least cost routing Ours')
  await page.getByRole('heading', { name: 'Add routing table' }).waitFor()
}

it.each(databasesFor('routing'))('edits outbound call routing, on %s', async (database) => {
  const server = await startSwitchroom(database)
  try {
    const page = await openPage()
    await logIn(page, server.url)
    await reportFailures(page, `routing-${database}`, () => checkAdminRouting(page, server.url))
    expectNoErrors(page)
    const other = await openPage()
    await reportFailures(other, `routing-account-${database}`, () =>
      checkAccountRouting(other, server.url),
    )
    expectNoErrors(other)
    await page.context().close()
    await other.context().close()
  } finally {
    await server.stop()
  }
})

it('types in a table of 200 routes as in one of 20', async () => {
  const server = await startSwitchroom()
  const page = await openPage()
  const asked: string[] = []
  page.on('request', (r) => {
    if (r.url().includes('/RouteSimulations')) asked.push(new URL(r.url()).pathname)
  })
  try {
    const token = await fetchToken(server.url)
    const post = (path: string, body: object) =>
      api<{ sid: string }>(server.url, token, 'POST', path, body)
    const { sid: voip_carrier_sid } = await post('/VoipCarriers', {
      name: 'Trunk',
      service_provider_sid: SP,
    })
    const table = async (count: number, owner: object) => {
      const routes = Array.from({ length: count }, (_, i) => ({
        regex: `^${1_000 + i}`,
        lcr_carrier_set_entries: [{ voip_carrier_sid }],
      }))
      return (await post('/Lcrs', { routes, default_carrier: voip_carrier_sid, ...owner })).sid
    }
    const tables = [
      await table(20, { account_sid: ACCOUNT }),
      await table(200, { service_provider_sid: SP }),
    ]
    await logIn(page, server.url)
    const renders = await rendersIn(page)
    await page.clock.install()
    await reportFailures(page, 'routing-many', async () => {
      const counts: number[] = []
      for (const sid of tables) {
        await page.goto(`${server.url}/internal/least-cost-routing/${sid}/edit`)
        const input = page.getByLabel('Digit pattern').nth(9)
        await input.focus()
        await page.clock.runFor(5_000)
        await page.locator('.routing-findings').waitFor()
        // also on a slow machine, no pause is as long as one that the screen waits for
        await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))
        await page.keyboard.press('End')
        await page.keyboard.press('7')
        asked.splice(0)
        counts.push(
          await renders(async () => {
            for (const key of '89') await page.keyboard.press(key)
            await page.clock.runFor(50)
          }),
        )
        expect(await input.inputValue()).toBe('^1009789')
        expect(asked).toEqual([])
        await page.clock.runFor(5_000)
        await expect.poll(() => asked.length).toBe(2)
        await page.clock.resume()
      }
      const [few, many] = counts
      expect(many).toBeLessThanOrEqual(few! + 10)
      expect(many).toBeLessThan(300)
      expectNoErrors(page)
    })
  } finally {
    await page.context().close()
    await server.stop()
  }
})
