import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import {
  expectNoErrors,
  expectToast,
  logIn,
  openForm,
  openPage,
  reportFailures,
} from './browser.ts'
import { databasesFor } from './databases.ts'
import { startSwitchroom } from './harness.ts'

let vendor: Awaited<ReturnType<typeof startDeepgram>>
beforeAll(async () => {
  vendor = await startDeepgram()
})
afterAll(async () => {
  vendor.stop()
})

/** A fifth of a second of silence at 8 kHz. */
const WAV = (() => {
  const head = Buffer.alloc(44)
  const bytes = 3_200
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + bytes, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8_000, 24)
  head.writeUInt32LE(16_000, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36)
  head.writeUInt32LE(bytes, 40)
  return Buffer.concat([head, Buffer.alloc(bytes)])
})()

/** A few frames of silence. */
const MP3 = Buffer.concat(
  Array.from({ length: 20 }, () =>
    Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x64]), Buffer.alloc(413)]),
  ),
)

/** A Deepgram container that accepts one key and records requests with their keys. */
async function startDeepgram() {
  const requests: { path: string; key: string | undefined }[] = []
  const server = createServer((request, reply) => {
    const path = request.url!.split('?')[0]!
    const key = request.headers.authorization
    requests.push({ path, key })
    request.resume().on('end', () => {
      const json = (status: number, body: object) =>
        reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      if (key !== 'Token replaced-canary') return json(401, { err_msg: 'Invalid credentials' })
      if (path === '/v1/models')
        return json(200, {
          tts: [{ name: 'asteria', canonical_name: 'aura-asteria-en', languages: ['en'] }],
          stt: [{ name: 'nova', canonical_name: 'house-model', languages: ['en'] }],
        })
      if (path === '/v1/speak')
        return reply.writeHead(200, { 'content-type': 'audio/mpeg' }).end(MP3)
      if (path === '/v1/listen')
        return json(200, {
          results: { channels: [{ alternatives: [{ transcript: 'hello from the container' }] }] },
        })
      json(404, {})
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { host: `127.0.0.1:${port}`, requests: requests, stop: () => server.close() }
}

const CANARIES = [
  'elevenlabs-canary',
  'deepgram-canary',
  'replaced-canary',
  'custom-canary',
  'google-canary',
  'aws-canary',
]
const main = (page: Page) => page.getByRole('main')
const expectText = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
const button = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true })
const save = (page: Page) => button(page, 'Save').click()
const sidebarLink = (page: Page) =>
  page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Speech services', exact: true })
    .click()

async function openAddForm(page: Page, name: string) {
  await sidebarLink(page)
  await main(page).getByRole('link', { name: 'Add speech service' }).first().click()
  await page.getByRole('heading', { name: 'Add a speech service' }).waitFor()
  await page.getByLabel('Vendor').selectOption({ label: name })
}
const expectCreated = (page: Page) => expectToast(page, 'Speech credential created successfully')
async function openService(page: Page, name: string) {
  await sidebarLink(page)
  await openForm(page, name)
  await page.getByRole('heading', { name: 'Edit speech service' }).waitFor()
}

/** Required fields are reported, vendor defaults are filled in, and invalid JSON is reported with its line. */
async function checkElevenLabs(page: Page, url: string) {
  await sidebarLink(page)
  await expectText(page, 'No speech services.')
  await page.goto(`${url}/internal/speech/add`)
  await page.waitForURL(/speech-services\/add/)
  await save(page)
  await expectText(page, 'One field needs attention')
  await page.getByLabel('Vendor').selectOption({ label: 'ElevenLabs' })
  expect(await page.getByLabel('Use for text-to-speech').isChecked()).toBe(true)
  expect(await page.getByLabel('Use for speech-to-text').count()).toBe(0)
  await save(page)
  await expectText(page, 'API key is required')
  const key = page.getByLabel('API key')
  await key.pressSequentially('elevenlabs-canary')
  expect(await key.inputValue()).toBe('elevenlabs-canary')
  expect(await key.getAttribute('type')).toBe('password')
  await page.getByRole('combobox', { name: 'Model' }).waitFor()
  expect(await page.getByRole('combobox', { name: 'Model' }).inputValue()).toMatch(
    /eleven_turbo_v2|Turbo/,
  )
  await page.getByLabel('Extra options').check()
  const options = page.getByLabel('Options', { exact: true })
  expect(await options.inputValue()).toContain('"similarity_boost": 0.5')
  await options.fill('{\n  "stability": 1,\n  oops\n}')
  await save(page)
  await expectText(page, 'Not valid JSON, at line 3')
  await options.fill('{"optimize_streaming_latency":2}')
  await button(page, 'Beautify').click()
  expect(await options.inputValue()).toBe('{\n  "optimize_streaming_latency": 2\n}')
  await page.getByLabel('Label').fill('main')
  await expectAccessible(page, 'a new speech service')
  await expectNoSidewaysScroll(page, 'a new speech service')
  await save(page)
  await expectCreated(page)
  await page
    .getByRole('row', { name: /ElevenLabs.*TTS.*main.*All accounts.*Status fail/ })
    .waitFor()

  await openAddForm(page, 'ElevenLabs')
  await page.getByLabel('API key').fill('elevenlabs-canary')
  await page.getByLabel('Label').fill('main')
  await page.getByRole('combobox', { name: 'Model' }).waitFor()
  await save(page)
  await expectText(page, 'Label main is already in use for another speech credential')
  await button(page, 'Discard').click()
}

/** Switching the connection type keeps values. The container rejects a wrong key, which is then replaced. */
async function checkDeepgram(page: Page) {
  await openAddForm(page, 'Deepgram')
  await save(page)
  await expectText(page, 'Select text-to-speech, speech-to-text or both')
  await page.getByLabel('Use for text-to-speech').check()
  await page.getByLabel('Use for speech-to-text').check()
  await page.getByLabel('API key').fill('typed for the cloud')
  await page.getByLabel('Use on-prem Deepgram container').check()
  await page.getByLabel('STT container URI').fill(vendor.host)
  await page.getByLabel('TTS container URI').fill(`http://${vendor.host}`)
  await page.getByLabel('Api key (if required)').fill('deepgram-canary')
  await page.getByLabel('Use hosted Deepgram service').check()
  expect(await page.getByLabel('API key').inputValue()).toBe('typed for the cloud')
  await page.getByLabel('Use on-prem Deepgram container').check()
  expect(await page.getByLabel('STT container URI').inputValue()).toBe(vendor.host)
  await page.getByLabel('Vendor').selectOption({ label: 'Cobalt' })
  await page.getByLabel('Server URI').waitFor()
  await page.getByLabel('Vendor').selectOption({ label: 'Deepgram' })
  // choosing another vendor clears the key, as the specification has it
  expect(await page.getByLabel('Api key (if required)').inputValue()).toBe('')
  expect(await page.getByLabel('STT container URI').inputValue()).toBe(vendor.host)
  await page.getByLabel('Api key (if required)').fill('deepgram-canary')
  await save(page)
  await expectCreated(page)
  await page.getByRole('row', { name: /Deepgram.*Status fail/ }).waitFor()

  await openService(page, 'Deepgram')
  expect(await page.getByLabel('Vendor').isDisabled()).toBe(true)
  expect(await page.getByLabel('Use on-prem Deepgram container').isChecked()).toBe(true)
  const status = page.getByRole('region', { name: 'Credential status' })
  await status.getByText('Status fail').waitFor()
  expect(vendor.requests.every(({ key }) => key === 'Token deepgram-canary')).toBe(true)
  await button(page, 'Replace').click()
  const replacement = page.getByLabel('Api key (if required)')
  expect(await replacement.inputValue()).toBe('')
  await replacement.fill('replaced-canary')
  await status.getByText('Tests the saved credential').waitFor()
  await save(page)
  await expectToast(page, 'Speech credential updated successfully')
  await button(page, 'Replace').waitFor()
  await status.getByText('Connection test successful').waitFor()
  expect(vendor.requests.some(({ path }) => path === '/v1/speak')).toBe(false)
  await expectAccessible(page, 'a tested speech service')
}

/** A live test runs only on request, after its cost is shown. */
async function checkLiveTests(page: Page) {
  const status = page.getByRole('region', { name: 'Credential status' })
  await status.getByRole('button', { name: 'Run a live test' }).click()
  await page.getByRole('dialog').getByText('at its usual price').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Run live test' }).click()
  await expect.poll(() => vendor.requests.some(({ path }) => path === '/v1/speak')).toBe(true)
  await status.getByText('Connection test successful').waitFor()

  await button(page, 'Try voices and recordings').click()
  await expectText(page, /list from the vendor/)
  await button(page, 'Hear this voice').click()
  await button(page, 'Listen').click()
  await page.getByLabel('Text spoken by aura-asteria-en').waitFor()
  await page.getByLabel('Or choose an audio file').setInputFiles({
    name: 'hello.wav',
    mimeType: 'audio/wav',
    buffer: WAV,
  })
  await button(page, 'Transcribe').click()
  await expectText(page, 'hello from the container')
  await expectAccessible(page, 'trials of a speech service')
  await expectNoSidewaysScroll(page, 'trials of a speech service')
}

async function checkOtherVendors(page: Page) {
  await openAddForm(page, 'AWS')
  await page.getByLabel('Use for speech-to-text').check()
  await page.getByLabel('Access key ID').fill('AKIA')
  await page.getByLabel('Secret access key').fill('aws-canary')
  await page.getByLabel('AWS assume role').check()
  await page.getByLabel('RoleArn').fill('arn:aws:iam::123456789012:role/speech')
  await save(page)
  await expectText(page, 'Region is required')
  await page.getByLabel('Region').selectOption('eu-west-1')
  await save(page)
  await expectCreated(page)
  await openService(page, 'AWS')
  expect(await page.getByLabel('AWS assume role').isChecked()).toBe(true)

  await openAddForm(page, 'Custom')
  await page.getByLabel('Use for text-to-speech').check()
  await page.getByLabel('Name', { exact: true }).fill('acme')
  await page.getByLabel('Authentication token').fill('custom-canary')
  await save(page)
  await expectText(page, 'Text-to-speech needs an HTTP or a WS URL')
  await page.getByLabel('Http URL (non-streaming)').fill('https://speech.acme.example/say')
  await save(page)
  await expectCreated(page)
  await openService(page, 'acme')
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('acme')
}

const KEY_FILE = {
  name: 'key.json',
  mimeType: 'application/json',
  buffer: Buffer.from(
    JSON.stringify({ client_email: 'robot@acme.example', private_key: 'google-canary' }),
  ),
}

/** A speech service with custom voices: failed steps are reported, and saving again duplicates nothing. */
async function checkGoogle(page: Page) {
  await openAddForm(page, 'Google')
  await page.getByLabel('Use for text-to-speech').check()
  const file = page.getByLabel('Service key')
  await file.setInputFiles({ ...KEY_FILE, buffer: Buffer.from('{"a":1}') })
  await expectText(page, /could not parse/)
  await file.setInputFiles(KEY_FILE)
  await expectText(page, 'Key of robot@acme.example')
  await page.getByLabel('Use custom voices').check()
  await button(page, 'Delete custom voice').click()
  await expectText(page, 'You must provide at least one custom voice.')
  await save(page)
  await expectText(page, '2 fields need attention')
  await page.getByLabel('Name', { exact: true }).fill('Ann')
  await page.getByLabel('Use voice cloning key').check()
  await page.getByLabel('Voice cloning key', { exact: true }).setInputFiles({
    name: 'ann.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('clone-'.repeat(60)),
  })
  await expectText(page, /^(clone-)+clon\.\.\.$/)
  await page.route('**/VoiceCloningKey', (route) => route.abort(), { times: 1 })
  await save(page)
  await expectText(page, /Saved: the credential, custom voice Ann\. Not saved: the cloning key/)
  await page.waitForURL(/speech-services\/[0-9a-f-]{36}\/edit/)
  await page.getByLabel('Voice cloning key', { exact: true }).setInputFiles({
    name: 'ann.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('clone-'.repeat(60)),
  })
  await button(page, 'Add voice').click()
  const second = page.getByRole('group', { name: 'Custom voice 2' })
  await second.getByLabel('Name', { exact: true }).fill('Ben')
  await page
    .getByRole('group', { name: 'Ben' })
    .getByLabel('Model')
    .fill('projects/acme/models/ben')
  await expectAccessible(page, 'custom voices')
  await expectNoSidewaysScroll(page, 'custom voices')
  await save(page)
  await expectToast(page, 'Speech credential updated successfully')
  await page.reload()
  await page.getByRole('group', { name: 'Ben' }).waitFor()
  await expectText(page, /^(clone-)+clon\.\.\.$/)
  expect(await page.getByRole('group', { name: /Ann|Ben/ }).count()).toBe(2)
  await page
    .getByRole('group', { name: 'Ann' })
    .getByRole('button', { name: 'Delete custom voice' })
    .click()
  await save(page)
  await expectToast(page, 'Speech credential updated successfully')
  await page.reload()
  await page.getByRole('group', { name: 'Ben' }).waitFor()
  expect(await page.getByRole('group', { name: /Ann|Ben/ }).count()).toBe(1)
}

async function checkList(page: Page, url: string) {
  const before = vendor.requests.length
  await page.goto(`${url}/internal/speech-services`)
  await page.getByRole('row', { name: /Deepgram.*Status ok/ }).waitFor()
  expect(vendor.requests.length).toBe(before)
  const row = page.getByRole('row', { name: /Deepgram/ })
  await row.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Test' }).click()
  await expect.poll(() => vendor.requests.length).toBeGreaterThan(before)
  await row.getByText('Status ok').waitFor()
  await page.getByRole('searchbox').fill('acme')
  await page.getByRole('searchbox').press('Enter')
  await expectText(page, 'Total: 1 record')
  expect(page.url()).toContain('filter=acme')
  await expectAccessible(page, 'speech services')
  await page
    .getByRole('row', { name: /acme/ })
    .getByRole('button', { name: 'More actions' })
    .click()
  await page.getByRole('menuitem', { name: 'Delete speech service' }).click()
  await expectText(page, 'Are you sure you want to delete the acme speech service?')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete speech service' }).click()
  await expectToast(page, 'Deleted speech service acme')
  await expectText(page, 'No speech services match these filters.')
}

async function chooseOption(root: Locator, page: Page, label: string, option: string) {
  const box = root.getByRole('combobox', { name: label })
  await box.click()
  await box.fill(option)
  await page.getByRole('option', { name: option }).first().click()
  await page.getByRole('listbox').waitFor({ state: 'hidden' })
}

/** An application uses the service's voices, plays a sample, and reopens as it was saved. */
async function checkApplication(page: Page, url: string) {
  await page.goto(`${url}/internal/applications/add`)
  await page.getByLabel('Application name').fill('Speaks')
  await chooseOption(main(page), page, 'Account', 'default account')
  await page.getByLabel('Calling webhook').fill('https://apps.acme.example/call')
  await page.getByLabel('Call status webhook').fill('https://apps.acme.example/status')
  const synthesis = page.getByRole('group', { name: 'speech synthesis', exact: true })
  const recognition = page.getByRole('group', { name: 'speech recognition', exact: true })
  const speaker = synthesis.getByLabel('Speech synthesis vendor')
  await speaker.scrollIntoViewIfNeeded()

  // only labelled services exist, so the label is chosen with the vendor
  await speaker.selectOption({ label: 'ElevenLabs' })
  await synthesis.getByLabel('Label').waitFor()
  expect(await synthesis.getByLabel('Label').inputValue()).toBe('main')
  await synthesis.getByText(/Built-in list/).waitFor()

  await speaker.selectOption({ label: 'Deepgram' })
  await synthesis.getByText(/(Live|Cached) from Deepgram/).waitFor()
  await expect
    .poll(() => synthesis.getByRole('combobox', { name: 'Model' }).inputValue())
    .toMatch(/asteria/i)
  await button(page, 'Hear this voice').click()
  await button(page, 'Listen').click()
  await page.getByLabel('Text spoken by aura-asteria-en').waitFor()

  await page.getByLabel('Use a fallback speech vendor if primary fails').check()
  const fallback = page.getByRole('group', { name: 'Fallback speech synthesis' })
  await fallback.getByLabel('Speech synthesis vendor').selectOption({ label: 'acme (custom)' })
  await fallback.getByLabel('Language').fill('x-house')
  await fallback.getByLabel('Voice').fill('the butler')
  await recognition.getByLabel('Speech recognizer vendor').selectOption({ label: 'Deepgram' })
  await expect
    .poll(() => recognition.getByRole('combobox', { name: 'Language' }).inputValue())
    .not.toBe('')
  await expectAccessible(page, 'an application that speaks')
  await save(page)
  await expectToast(page, 'Application created successfully')

  await openForm(page, 'Speaks')
  await synthesis.getByRole('combobox', { name: 'Model' }).waitFor()
  await speaker.scrollIntoViewIfNeeded()
  await synthesis.getByText(/(Live|Cached) from Deepgram/).waitFor()
  expect(await fallback.getByLabel('Speech synthesis vendor').inputValue()).toBe('custom:acme')
  expect(await fallback.getByLabel('Voice').inputValue()).toBe('the butler')
  expect(await page.getByText('Unsaved changes').count()).toBe(0)
  await page.getByRole('button', { name: 'Swap primary and fallback' }).click()
  expect(await synthesis.getByLabel('Voice').inputValue()).toBe('the butler')
  await save(page)
  await expectToast(page, 'Application updated successfully')
}

it.each(databasesFor('speech'))(
  'adds, edits, tests and plays speech services, on %s',
  async (database) => {
    const server = await startSwitchroom(database, { SWITCHROOM_ALLOW_NETWORKS: '127.0.0.0/8' })
    try {
      const page = await openPage()
      const secrets: string[] = []
      page.on('response', async (r) => {
        if (!r.url().includes('/api/')) return
        const text = await r.text().catch(() => '')
        secrets.push(...CANARIES.filter((c) => text.includes(c)))
      })
      vendor.requests.length = 0
      await logIn(page, server.url)
      const step = (name: string, story: () => Promise<void>) =>
        reportFailures(page, `speech-${name}-${database}`, story)
      await step('elevenlabs', () => checkElevenLabs(page, server.url))
      await step('deepgram', () => checkDeepgram(page))
      await step('trials', () => checkLiveTests(page))
      await step('others', () => checkOtherVendors(page))
      await step('google', () => checkGoogle(page))
      await step('application', () => checkApplication(page, server.url))
      await step('list', () => checkList(page, server.url))
      expectNoErrors(page)
      expect(secrets).toEqual([])
      for (const canary of CANARIES) expect(server.log()).not.toContain(canary)
      await page.context().close()
    } finally {
      await server.stop()
    }
  },
)
