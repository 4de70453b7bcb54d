import { expect, it } from 'vitest'
import { expectNoErrors, logIn, logInByForm, openPage, reportFailures } from './browser.ts'
import { api, fetchToken } from './harness.ts'
import { ACCOUNT, LONG_NAME, type Sid, SP, startSeeded, visit } from './screens.ts'
import { shareWorld } from './world.ts'

let server: Awaited<ReturnType<typeof startSeeded>>
let other: string
shareWorld(
  async () => {
    server = await startSeeded()
    const token = await fetchToken(server.url)
    const post = (path: string, body: object) => api<Sid>(server.url, token, 'POST', path, body)
    other = (await post('/ServiceProviders', { name: 'Other telecom' })).sid
    await post('/Accounts', { name: 'Theirs', service_provider_sid: other })
  },
  () => server.stop(),
)

const accountsOf = (sid: string) => `${server.url}/internal/accounts?service_provider=${sid}`

it('opens a copied link with the provider it was copied from', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  await reportFailures(page, 'links', async () => {
    // the address names the provider, also that of the first screen
    await page.waitForURL(/service_provider=/)
    await visit(page, accountsOf(other))
    await page.getByRole('link', { name: 'Theirs' }).waitFor()
    await page.getByRole('combobox', { name: 'Service provider' }).getByText('Other').waitFor()
    await page.getByRole('link', { name: 'Applications', exact: true }).click()
    await page.waitForURL(new RegExp(`applications\\?service_provider=${other}`))

    // Back goes to the provider too
    await page.goto(accountsOf(SP))
    await page.getByRole('link', { name: LONG_NAME }).waitFor()
    await page.goBack()
    await page.getByRole('combobox', { name: 'Service provider' }).getByText('Other').waitFor()
    await page.goForward()
    await page.getByRole('link', { name: LONG_NAME }).waitFor()

    // a provider that is gone
    await page.goto(accountsOf('2708b1b3-0000-40ea-b502-c53d8396247f'))
    await page.getByText('Service provider not found, or you do not have access to it.').waitFor()
    await page.getByRole('link', { name: LONG_NAME }).waitFor()
    expectNoErrors(page)
  })
})

it('opens it after the log-in, and says who may not see it', async () => {
  const page = await openPage()
  await page.goto(accountsOf(other))
  await page.getByLabel('Username').waitFor()
  await page.getByLabel('Username').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill('correct horse 1')
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.getByRole('link', { name: 'Theirs' }).waitFor()

  const provider = await openPage()
  await logInByForm(provider, server.url, 'provider')
  await provider.goto(accountsOf(other))
  await provider.getByText('Service provider not found, or you do not have access to it.').waitFor()
  await provider.getByRole('link', { name: LONG_NAME }).waitFor()
  expect(await provider.getByText('Theirs').count()).toBe(0)
})

it('says that a page does not exist, wherever it would be, and leads back', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  // the address stays, and names the provider
  const expectMissing = async (path: string) => {
    await page.waitForURL(`${server.url}${path}?service_provider=${SP}`)
    await page.getByRole('main').getByText("That page doesn't exist.").waitFor()
  }
  const nowhere = '/internal/nowhere/as/deep'
  // the last one is a screen of the hosted variant
  for (const path of [nowhere, '/internal/nope', `/internal/accounts/${ACCOUNT}/subscription`]) {
    await page.goto(server.url + path)
    await expectMissing(path)
  }
  await page.getByRole('link', { name: 'Back to the console' }).click()
  await page.getByRole('link', { name: LONG_NAME }).waitFor()
  await page.goBack()
  await expectMissing(`/internal/accounts/${ACCOUNT}/subscription`)
  await page.goBack()
  await expectMissing('/internal/nope')
  expectNoErrors(page)

  // a screen of nothing
  for (const path of ['/internal/speech-services', '/internal/alerts/destinations']) {
    await page.goto(`${server.url}${path}/${SP}/edit`)
    await expectMissing(`${path}/${SP}/edit`)
  }
  await page.goto(`${server.url}/internal/webhook-log/nope`)
  await page.getByText('Request not found, or its record has expired.').waitFor()
})
