import type { Page } from 'playwright-core'
import { it } from 'vitest'
import { expectNoErrors, logInWithToken, openPage, reportFailures } from '../browser.ts'
import { api, fetchToken, type Switchroom, startSwitchroom } from '../harness.ts'
import { shareWorld } from '../world.ts'
import { type Stock, startStock } from './start.ts'

export const PROVIDER = '2708b1b3-2736-40ea-b502-c53d8396247f'
export const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'

export type StockContext = {
  page: Page
  stock: Stock
  /** URL of the console. */
  url: string
  /** Calls the stock API directly as its administrator. */
  call: <T = { sid: string }>(method: string, path: string, body?: unknown) => Promise<T>
}

/**
 * Runs stories of our console on a stock API server, on MariaDB. Each starts with the administrator logged in;
 * afterwards the server must still run and its tables must be intact.
 */
export function stockStories() {
  let stock: Stock
  let server: Switchroom
  const hasMysql = Boolean(process.env.TEST_MYSQL_URL)
  if (hasMysql)
    shareWorld(
      async () => {
        stock = await startStock()
        server = await startSwitchroom('sqlite', { API_BASE_URL: stock.url })
      },
      async () => {
        await server.stop()
        await stock.stop()
      },
    )
  return (name: string, run: (context: StockContext) => Promise<void>) =>
    it.skipIf(!hasMysql)(name, async () => {
      await stock.start()
      const { origin } = new URL(stock.url)
      const token = await fetchToken(origin)
      const page = await openPage()
      try {
        await logInWithToken(page, server.url, token)
        await reportFailures(page, `stock-${name.replace(/\W+/g, '-')}`, () =>
          run({
            page,
            stock,
            url: server.url,
            call: (method, path, body) => api(origin, token, method, path, body),
          }),
        )
        await stock.expectIntact()
        expectNoErrors(page)
      } finally {
        await page.context().close()
      }
    })
}

export const main = (page: Page) => page.getByRole('main')
export const expectText = (page: Page, text: string | RegExp) =>
  page.getByText(text).first().waitFor()
export const row = (page: Page, name: RegExp) => page.getByRole('row', { name }).first()
export const button = (page: Page, name: string | RegExp) =>
  main(page).getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
export const save = (page: Page) => button(page, 'Save').click()
export const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true })

export const openFromSidebar = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click()

/** Opens the form for a new resource from its list. */
export async function openAddForm(page: Page, list: string, link: RegExp) {
  await openFromSidebar(page, list)
  await main(page).getByRole('link', { name: link }).first().click()
  // a list may have filters with the same labels as the form's fields
  await button(page, 'Save').waitFor()
}

/** Types into a combobox and picks the option. */
export async function chooseOption(page: Page, label: string | RegExp, option: string) {
  const box = main(page).getByRole('combobox', { name: label })
  await box.click()
  await box.fill(option)
  await page.getByRole('option', { name: option }).first().click()
  await page.getByRole('listbox').waitFor({ state: 'hidden' })
}

/** Picks an action from a row's menu. */
export async function chooseRowAction(page: Page, name: RegExp, action: string) {
  await row(page, name).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: action }).click()
}
