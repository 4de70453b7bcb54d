import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startS3 } from '../packages/server/test/stand-ins/s3.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, openPage, reportFailures, waitUntilLoaded } from './browser.ts'
import { databasesFor } from './databases.ts'
import { api, fetchToken, PASSWORD, startSwitchroom } from './harness.ts'

const SP = '2708b1b3-2736-40ea-b502-c53d8396247f'
let s3: Awaited<ReturnType<typeof startS3>>
beforeAll(async () => {
  s3 = await startS3('recordings')
})
afterAll(async () => {
  await s3.stop()
})

const expectToast = (page: Page, text: string) =>
  page.getByRole('status').getByText(text, { exact: true }).waitFor()
const save = (page: Page) => page.getByRole('button', { name: 'Save' }).click()
const testButton = (page: Page) => page.getByRole('button', { name: 'Test', exact: true })

/** Adds an account to the default provider. */
async function addAccount(url: string) {
  const token = await fetchToken(url)
  const body = { name: 'Acme East', service_provider_sid: SP }
  const { sid } = await api<{ sid: string }>(url, token, 'POST', '/Accounts', body)
  const read = () => api<Record<string, unknown>>(url, token, 'GET', `/Accounts/${sid}`)
  return { sid, token, read, edit: `${url}/internal/accounts/${sid}/edit` }
}

it.each(databasesFor('accounts'))('tests and saves a recording bucket (%s)', async (database) => {
  const server = await startSwitchroom(database, { SWITCHROOM_ALLOW_NETWORKS: '127.0.0.0/8' })
  const page = await openPage()
  try {
    await reportFailures(page, `accounts-${database}`, async () => {
      const { edit, read } = await addAccount(server.url)
      await logIn(page, server.url)
      await waitUntilLoaded(page)
      const calls: string[] = []
      // calls of the screen, not of the frame around it nor of the screen before
      page.on('request', (r) => {
        const isFrame = /\/(Issues\/Count|SystemHealth)$/.test(r.url())
        const isOwn = page.url().startsWith(edit) && !isFrame
        if (r.url().includes('/api/v1/') && isOwn) calls.push(r.url())
      })
      await page.goto(edit)
      await page.getByText('There are 0 cached TTS prompts').waitFor()
      await page.getByText('No API keys yet.').waitFor()
      expect(calls.length, calls.join('\n')).toBeLessThanOrEqual(4)

      await page.getByLabel('Enable call recording').check()
      await page.getByLabel('Audio format').selectOption('wav')
      await page.getByLabel('Record all calls for this account').check()
      await save(page)
      await page.getByText('One field needs attention').waitFor()
      await page.getByLabel('Bucket vendor').selectOption({ label: 'AWS S3 Compatible' })
      await page.getByLabel('Endpoint URI').fill(s3.url)
      expect(await testButton(page).isDisabled()).toBe(true)
      await page.getByLabel('Bucket name').fill('recordin')
      await page.getByLabel('Access key ID').fill(s3.key.access_key_id)
      await page.getByLabel('Secret access key').pressSequentially(s3.key.secret_access_key)
      await testButton(page).click()
      await page.getByText('There is no such bucket').waitFor()
      await page.getByLabel('Bucket name').fill('recordings')
      expect(await page.getByText('There is no such bucket').count()).toBe(0)
      await testButton(page).click()
      await page.getByText('Bucket Credential is valid.').waitFor()
      await page.getByRole('button', { name: 'Add S3 Tags' }).click()
      await save(page)
      await page.getByText('2 fields need attention').waitFor()
      await page.getByLabel('Name', { exact: true }).fill('team')
      await page.getByLabel('Value', { exact: true }).fill('east')
      await expectAccessible(page, 'an account with a bucket')
      await expectNoSidewaysScroll(page, 'an account with a bucket')
      await save(page)
      await expectToast(page, 'Account updated successfully')
      expect(await read()).toMatchObject({ record_all_calls: 1, record_format: 'wav' })

      // the stored credentials are enough for a test and survive saving other fields
      await page.goto(edit)
      await page.getByText('Set', { exact: true }).waitFor()
      await testButton(page).click()
      await page.getByText('Bucket Credential is valid.').waitFor()
      await page.getByLabel('Account name').fill('Acme West')
      await page.getByLabel('Account name').press('Enter')
      await expectToast(page, 'Account updated successfully')
      expect(await read()).toMatchObject({
        name: 'Acme West',
        bucket_credential: {
          vendor: 's3_compatible',
          name: 'recordings',
          access_key_id: s3.key.access_key_id,
          tags: [{ Key: 'team', Value: 'east' }],
        },
      })

      await page.goto(edit)
      await page.getByLabel('Enable call recording').uncheck()
      await save(page)
      await expectToast(page, 'Account updated successfully')
      expect(await read()).toMatchObject({ record_all_calls: 0, bucket_credential: null })
      expect(server.log()).not.toContain(s3.key.secret_access_key)
      expectNoErrors(page)
    })
  } finally {
    await server.stop()
  }
})

it('asks for what each storage vendor needs, for new accounts as well', async () => {
  const server = await startSwitchroom()
  const page = await openPage()
  try {
    await reportFailures(page, 'accounts-vendors', async () => {
      await logIn(page, server.url)
      await page.goto(`${server.url}/internal/accounts/add`)
      await page.getByLabel('Account name').fill('Acme North')
      await page.getByLabel('Enable call recording').check()
      const vendor = page.getByLabel('Bucket vendor')
      await vendor.selectOption({ label: 'Google Cloud Storage' })
      await page.getByLabel('Bucket name').fill('recordings')
      const file = (text: string) => ({
        name: 'key.json',
        mimeType: 'application/json',
        buffer: Buffer.from(text),
      })
      const key = page.getByLabel('Service key')
      await key.setInputFiles(file('{'))
      await page.getByText('Invalid service key file, could not parse as JSON.').waitFor()
      await key.setInputFiles(file('{"private_key":"x","client_email":"r@example.com"}'))
      await page.getByText('Key of r@example.com').waitFor()

      await vendor.selectOption({ label: 'Azure Cloud Storage' })
      expect(await page.getByLabel('Container name').inputValue()).toBe('recordings')
      await page.getByLabel('Connection string').waitFor()
      await vendor.selectOption({ label: 'AWS S3' })
      expect(await page.getByLabel('Region').inputValue()).toBe('us-east-1')
      await page.getByLabel('Access', { exact: true }).selectOption('Role')
      await save(page)
      await page.getByText('One field needs attention', { exact: true }).waitFor()
      await page.getByLabel('Role ARN').fill('arn:aws:iam::123456789012:role/recordings')
      await save(page)
      await expectToast(page, 'Account created successfully')
      await page.waitForURL(/\/edit\?/)
      expect(await page.getByLabel('Role ARN').inputValue()).toMatch(/recordings$/)

      // internal addresses are blocked unless the operator allows them
      await page.getByLabel('Bucket vendor').selectOption({ label: 'AWS S3 Compatible' })
      await page.getByLabel('Endpoint URI').fill('http://169.254.169.254')
      await page.getByLabel('Access key ID').fill('x')
      await page.getByLabel('Secret access key').fill('x')
      await testButton(page).click()
      await page.getByText('The address is in an internal network').waitFor()
      expectNoErrors(page)
    })
  } finally {
    await server.stop()
  }
})

it('lets account users delete their own account after confirming', async () => {
  const server = await startSwitchroom('sqlite', { ENABLE_HOSTED_SYSTEM: '1' })
  const page = await openPage()
  try {
    await reportFailures(page, 'accounts-delete', async () => {
      const { sid, token } = await addAccount(server.url)
      // without a SIP realm, its users would have to choose one first
      await api(server.url, token, 'PUT', `/Accounts/${sid}`, { sip_realm: 'east.example.com' })
      await api(server.url, token, 'POST', '/Users', {
        name: 'ann',
        email: 'ann@example.org',
        initial_password: PASSWORD,
        force_change: 0,
        account_sid: sid,
      })
      const hook = { url: 'https://example.com/hook' }
      const application = await api<{ sid: string }>(server.url, token, 'POST', '/Applications', {
        name: 'Front desk',
        call_hook: hook,
        call_status_hook: hook,
        account_sid: sid,
      })
      await logIn(page, server.url, 'ann')
      await page.getByRole('button', { name: 'Delete Account' }).click()
      await page
        .getByRole('heading', { name: 'Applications (1) must be moved or deleted first' })
        .waitFor()
      const remove = page.getByRole('button', { name: 'PERMANENTLY DELETE MY ACCOUNT' })
      const message = page.getByLabel('Delete message')
      const password = page.getByLabel('Password', { exact: true })
      await password.fill('not it')
      await message.fill('Delete my account')
      await remove.click()
      await page
        .getByText('You must type the delete message correctly in order to delete your account.')
        .waitFor()
      await message.fill('delete my account')
      await remove.click()
      await page.getByText('password is incorrect').waitFor()
      await expectAccessible(page, 'an account about to be deleted')
      await password.fill(PASSWORD)
      await remove.click()
      await page.getByText(/^In order to delete the account it cannot be in use/).waitFor()
      await api(server.url, token, 'DELETE', `/Applications/${application.sid}`)
      await remove.click()
      await page.getByText("You've successfully logged out.").waitFor()
      await expect(fetchToken(server.url, 'ann')).rejects.toThrow('403')
      expectNoErrors(page)
    })
  } finally {
    await server.stop()
  }
})

it('adds a customer in one dialog, whole or not at all', async () => {
  const server = await startSwitchroom('sqlite')
  const page = await openPage()
  try {
    await reportFailures(page, 'new-customer', async () => {
      const token = await fetchToken(server.url)
      await api(server.url, token, 'POST', '/PhoneNumbers', { number: '442079460001' })
      await logIn(page, server.url)
      await waitUntilLoaded(page)
      await page.keyboard.press('Control+k')
      await page.keyboard.type('new customer')
      await page.getByRole('option', { name: /^New customer/ }).waitFor()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'New customer' })
      const enter = (label: string, value: string) => dialog.getByLabel(label).fill(value)
      const name = dialog.getByLabel('Account name')
      await expect.poll(() => name.evaluate((e) => e === document.activeElement)).toBe(true)
      await enter('Account name', 'Kestrel Logistics')
      await enter('SIP realm', 'kestrel.sip.example.com')
      await enter('Username', 'ada')
      await enter('Email', 'ada@example.com')
      await enter('Temporary password', 'ab')
      await enter('Application name', 'Reception')
      await enter('Calling webhook', 'https://example.com/call')
      await enter('Call status webhook', 'https://example.com/status')
      await enter('Phone numbers', '+44 20 7946 0001\n+44 20 7946 0009')
      await expectAccessible(page, 'a new customer')
      await expectNoSidewaysScroll(page, 'a new customer')
      const add = dialog.getByRole('button', { name: 'Add customer' })
      await add.click()
      await dialog.getByText(/^442079460009 is not one of the numbers/).waitFor()
      await enter('Phone numbers', '+44 20 7946 0001')
      await add.click()
      await dialog.getByText(/Password must/).waitFor()
      const accounts = await api<object[]>(server.url, token, 'GET', '/Accounts')
      expect(accounts).toHaveLength(1)
      await enter('Temporary password', PASSWORD)
      await add.click()
      await expectToast(page, 'Added Kestrel Logistics')
      await page.getByRole('heading', { level: 1, name: 'Kestrel Logistics' }).waitFor()
      const [number] = await api<{ application_sid: string | null }[]>(
        server.url,
        token,
        'GET',
        '/PhoneNumbers',
      )
      expect(number?.application_sid).toBeTruthy()
      // from the list, where Escape closes it
      await page.goto(`${server.url}/internal/accounts`)
      await page.getByRole('button', { name: 'New customer' }).click()
      await dialog.waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      expect(new URL(page.url()).hash).toBe('')
      expectNoErrors(page)
    })
  } finally {
    await server.stop()
  }
})
