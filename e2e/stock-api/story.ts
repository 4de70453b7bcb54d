import type { Page } from 'playwright-core'
import { afterAll, beforeAll, it } from 'vitest'
import { enter, expectNoTrouble, openPage, told } from '../browser.ts'
import { api, logIn, type Switchroom, startSwitchroom } from '../harness.ts'
import { type Stock, startStock } from './start.ts'

export const PROVIDER = '2708b1b3-2736-40ea-b502-c53d8396247f'
export const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'

export type Told = {
  page: Page
  stock: Stock
  /** Of the console. */
  url: string
  /** A call of the stock API by its administrator, past the console. */
  call: <T = { sid: string }>(method: string, path: string, body?: unknown) => Promise<T>
}

/**
 * Our console on a stock API server. Every story begins with its administrator logged in, and after each one
 * the server still has to live and its tables have to be sound. They need MariaDB.
 */
export function storiesOnStock() {
  let stock: Stock
  let server: Switchroom
  const there = Boolean(process.env.TEST_MYSQL_URL)
  beforeAll(async () => {
    if (!there) return
    stock = await startStock()
    server = await startSwitchroom('sqlite', { API_BASE_URL: stock.url })
  })
  afterAll(async () => {
    if (!there) return
    await server.stop()
    await stock.stop()
  })
  return (name: string, tell: (told: Told) => Promise<void>) =>
    it.skipIf(!there)(name, async () => {
      await stock.start()
      const { origin } = new URL(stock.url)
      const token = await logIn(origin)
      const page = await openPage()
      try {
        await enter(page, server.url, token)
        await told(page, `stock-${name.replace(/\W+/g, '-')}`, () =>
          tell({
            page,
            stock,
            url: server.url,
            call: (method, path, body) => api(origin, token, method, path, body),
          }),
        )
        await stock.expectSound()
        expectNoTrouble(page)
      } finally {
        await page.context().close()
      }
    })
}

export const main = (page: Page) => page.getByRole('main')
export const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
export const row = (page: Page, name: RegExp) => page.getByRole('row', { name }).first()
export const button = (page: Page, name: string | RegExp) =>
  main(page).getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
export const save = (page: Page) => button(page, 'Save').click()
export const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true })

export const rail = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click()

/** From the list of these things to the form of a new one. */
export async function add(page: Page, list: string, link: RegExp) {
  await rail(page, list)
  await main(page).getByRole('link', { name: link }).first().click()
  // a list may have filters of the same names as the form's fields
  await button(page, 'Save').waitFor()
}

/** Types into a combobox and takes the option of that name. */
export async function choose(page: Page, label: string | RegExp, option: string) {
  const box = main(page).getByRole('combobox', { name: label })
  await box.click()
  await box.fill(option)
  await page.getByRole('option', { name: option }).first().click()
  await page.getByRole('listbox').waitFor({ state: 'hidden' })
}

/** An action from the menu of a row. */
export async function act(page: Page, name: RegExp, action: string) {
  await row(page, name).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: action }).click()
}
