import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, openForm, openPage, reportFailures } from './browser.ts'
import { databasesFor } from './databases.ts'
import { startSwitchroom } from './harness.ts'
import { until } from './wait.ts'

let webhook: Server
let webhookUrl: string
let schemaIsBroken = true

const schema = {
  TOKEN: { type: 'string', description: 'Opens the door', required: true, obscure: true },
  SIZE: { type: 'number', description: 'How many', default: 0 },
  LOUD: { type: 'boolean', description: 'Or not', default: false },
  MOOD: { type: 'string', description: 'How it greets', required: true, enum: ['glad', 'grave'] },
  CARRIER: { type: 'string', description: 'Calls leave by it', jambonzResource: 'carriers' },
  PROMPT: { type: 'string', description: 'What it is told', uiHint: 'filepicker' },
}

beforeAll(async () => {
  webhook = createServer((_, reply) => {
    if (schemaIsBroken) reply.end(JSON.stringify({ TOKEN: { type: 'secret' } }))
    else reply.end(JSON.stringify(schema))
  })
  await new Promise<void>((resolve) => webhook.listen(0, '127.0.0.1', resolve))
  webhookUrl = `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/call`
})
afterAll(async () => {
  webhook.close()
})

const expectToast = (page: Page, text: string) =>
  page.getByRole('status').getByText(text, { exact: true }).waitFor()
const tokenField = (within: Locator) => within.getByRole('textbox', { name: 'TOKEN' })
const promptField = (within: Locator) => within.getByRole('textbox', { name: 'PROMPT' })
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()

/** Types into a combobox and picks the option. */
async function choose(page: Page, within: string | undefined, label: string, option: string) {
  const root = within ? page.getByRole('group', { name: within, exact: true }) : page
  const box = root.getByRole('combobox', { name: label })
  await box.click()
  // what arrives between selecting its text and replacing it leaves the text as it was
  await until(
    async () => {
      await box.fill(option)
      return (await box.inputValue()) === option
    },
    () => `${label} is not ${option}`,
  )
  await page.getByRole('option', { name: option }).first().click()
  await page.getByRole('listbox').waitFor({ state: 'hidden' })
}

async function addApplication(page: Page, url: string) {
  await page.goto(`${url}/internal/applications/add`)
  await page.getByLabel('Application name').fill('Front desk')
  await choose(page, undefined, 'Account', 'default account')

  // a WebSocket URL is copied to the status webhook once it is complete
  const call = page.getByLabel('Calling webhook')
  const status = page.getByLabel('Call status webhook')
  await call.pressSequentially('wss://apps.example')
  expect(await status.inputValue()).toBe('')
  await call.press('Tab')
  expect(await status.inputValue()).toBe('wss://apps.example')
  expect(await page.getByLabel('Method').first().isDisabled()).toBe(true)
  // typing replaces an address that was filled in automatically
  await status.fill('')
  await call.pressSequentially('/call')
  await status.click()
  await page.keyboard.type('https://apps.example/status')
  expect(await status.inputValue()).toBe('https://apps.example/status')

  const environment = page.getByRole('region', { name: 'Environment variables' })
  await call.fill('http://10.0.0.1/call')
  await environment.getByText('on an internal network').waitFor()
  await call.fill(webhookUrl)
  await environment.getByText('returned an invalid list').waitFor()
  schemaIsBroken = false
  await environment.getByRole('button', { name: 'Reload' }).click()
  await tokenField(environment).waitFor()
  await environment.getByLabel('SIZE').fill('many')
  await environment
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('Be brief\n') })
  await expect.poll(() => promptField(environment).inputValue()).toBe('Be brief\n')
  // a file that is gone by the time it is read
  await page.evaluate(() => {
    const { text } = File.prototype
    File.prototype.text = () => {
      File.prototype.text = text
      return Promise.reject(new DOMException('The file is gone'))
    }
  })
  await environment
    .locator('input[type=file]')
    .setInputFiles({ name: 'b.txt', mimeType: 'text/plain', buffer: Buffer.from('Be long\n') })
  await page.getByText('Failed to read file: The file is gone').waitFor()
  expect(await promptField(environment).inputValue()).toBe('Be brief\n')

  const synthesis = page.getByRole('group', { name: 'speech synthesis', exact: true })
  await synthesis.getByLabel('Speech synthesis vendor').selectOption('AWS')
  await expect
    .poll(() => synthesis.getByRole('combobox', { name: 'Voice' }).inputValue())
    .toBe('Joanna')
  await choose(page, 'speech synthesis', 'Language', 'German')
  await expect
    .poll(() => synthesis.getByRole('combobox', { name: 'Voice' }).inputValue())
    .toBe('Daniel')
  await page.getByLabel('Use a fallback speech vendor if primary fails').check()
  await page
    .getByRole('group', { name: 'Fallback speech synthesis' })
    .getByLabel('Speech synthesis vendor')
    .selectOption('Deepgram')
  await expect
    .poll(() =>
      page
        .getByRole('group', { name: 'Fallback speech synthesis' })
        .getByRole('combobox', { name: 'Model' })
        .inputValue(),
    )
    .toBe('Aura Asteria')

  await page.getByLabel('Override webhook for initial application').check()
  await page.getByLabel('Verbs').fill('[{"verb": "say", "text": "hello"},\n {"verb": "play"}]')
  await save(page)
  await page.getByText('Line 2, column 2: play: missing value for url').waitFor()
  await environment.getByText('Enter a number').waitFor()
  expect(await environment.getByText('Required').count()).toBe(2)

  await tokenField(environment).fill('canary')
  await environment.getByLabel('SIZE').fill('7')
  await environment.getByLabel('MOOD').selectOption('grave')
  await page.getByLabel('Verbs').fill('[{"verb": "hangup"}]')
  await page.getByRole('button', { name: 'Format' }).click()
  expect(await page.getByLabel('Verbs').inputValue()).toContain('\n    "verb": "hangup"\n')
  await page.getByRole('button', { name: 'Swap primary and fallback' }).click()
  expect(await synthesis.getByLabel('Speech synthesis vendor').inputValue()).toBe('deepgram')
  await save(page)
  await expectToast(page, 'Application created successfully')
}

async function checkReopened(page: Page) {
  await openForm(page, 'Front desk')
  const environment = page.getByRole('region', { name: 'Environment variables' })
  await tokenField(environment).waitFor()
  expect(await tokenField(environment).inputValue()).toBe('canary')
  expect(await tokenField(environment).getAttribute('type')).toBe('password')
  expect(await environment.getByLabel('SIZE').inputValue()).toBe('7')
  expect(await environment.getByLabel('MOOD').inputValue()).toBe('grave')
  expect(await promptField(environment).inputValue()).toBe('Be brief\n')
  const fallback = page.getByRole('group', { name: 'Fallback speech synthesis' })
  expect(await fallback.getByLabel('Speech synthesis vendor').inputValue()).toBe('aws')
  await expect
    .poll(() => fallback.getByRole('combobox', { name: 'Voice' }).inputValue())
    .toBe('Daniel')
  expect(await page.getByLabel('Verbs').inputValue()).toContain('hangup')
  // data loaded after the form was opened changes nothing in it
  expect(await page.getByText('Unsaved changes').count()).toBe(0)
  await expectAccessible(page, 'application form')
  await expectNoSidewaysScroll(page, 'application form')

  // no longer declared by the application: kept until it is removed
  await page.getByLabel('Calling webhook').fill('https://no-such-host.invalid/call')
  await environment.getByText('does not answer').waitFor()
  await environment.getByRole('button', { name: 'Remove PROMPT' }).click()
  await save(page)
  await expectToast(page, 'Application updated successfully')
  await page.getByLabel('Calling webhook').fill(webhookUrl)
  await tokenField(environment).waitFor()
  expect(await tokenField(environment).inputValue()).toBe('canary')
  expect(await promptField(environment).inputValue()).toBe('')
}

it.each(databasesFor('applications'))(
  'adds, edits and deletes an application with all its settings, on %s',
  async (database) => {
    schemaIsBroken = true
    const server = await startSwitchroom(database, { SWITCHROOM_ALLOW_NETWORKS: '127.0.0.0/8' })
    try {
      const page = await openPage()
      await logIn(page, server.url)
      await reportFailures(page, `applications-${database}`, async () => {
        await addApplication(page, server.url)
        await checkReopened(page)
      })
      expectNoErrors(page)
      await page.context().close()
      expect(server.log()).not.toContain('canary')
    } finally {
      await server.stop()
    }
  },
)
