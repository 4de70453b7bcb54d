import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, expectToast, logIn, openPage, reportFailures } from './browser.ts'
import { api, fetchToken, startSwitchroom } from './harness.ts'

const LAST = 'default service provider'
type Provider = { service_provider_sid: string; name: string }

it('deletes the last service provider, and asks for a new one', async () => {
  const server = await startSwitchroom('sqlite')
  const { url } = server
  try {
    const token = await fetchToken(url)
    const accounts = await api<{ account_sid: string }[]>(url, token, 'GET', '/Accounts')
    for (const { account_sid } of accounts)
      await api(url, token, 'DELETE', `/Accounts/${account_sid}`)
    const providers = await api<Provider[]>(url, token, 'GET', '/ServiceProviders')
    for (const { name, service_provider_sid } of providers)
      if (name !== LAST)
        await api(url, token, 'DELETE', `/ServiceProviders/${service_provider_sid}`)
    const page = await openPage()
    await reportFailures(page, 'last-provider', async () => {
      await logIn(page, url)
      await page.goto(`${url}/internal/settings?tab=provider`)
      await page.getByRole('button', { name: 'Delete service provider' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox').fill(LAST)
      await dialog.getByRole('button', { name: 'Delete service provider' }).click()
      await expectToast(page, `Deleted service provider ${LAST}`)
      const said = page.getByText('There is no service provider.')
      await said.waitFor()
      // also where somebody comes in later, at any address
      await page.goto(`${url}/internal/carriers`)
      await said.waitFor()
      await expectAccessible(page, 'no provider')
      // what belongs to none is there
      for (const [path, name] of [
        ['system-health', 'System health'],
        ['single-sign-on', 'Single sign-on'],
        ['preferences', 'Preferences'],
      ]) {
        await page.goto(`${url}/internal/${path}`)
        await page.getByRole('heading', { level: 1, name: name! }).waitFor()
      }
      await page.goto(`${url}/internal/carriers`)
      await said.waitFor()
      await page.setViewportSize({ width: 320, height: 640 })
      await expectNoSidewaysScroll(page, 'no provider')
      await page.setViewportSize({ width: 1280, height: 900 })
      await page.getByRole('main').getByRole('button', { name: 'Add service provider' }).click()
      await dialog.getByLabel('Service provider name').fill('Second start')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expectToast(page, 'Added new service provider Second start')
      await page.getByRole('link', { name: 'Accounts' }).click()
      await page.getByRole('heading', { name: 'Accounts' }).waitFor()
      await page.getByText('No accounts.').waitFor()
      expect(await said.count()).toBe(0)
      expectNoErrors(page)
    })
  } finally {
    await server.stop()
  }
})
