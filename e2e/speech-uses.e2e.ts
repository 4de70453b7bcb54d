import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, expectToast, logIn, openPage, reportFailures } from './browser.ts'
import { api, fetchToken, type Switchroom, startSwitchroom } from './harness.ts'
import { SP } from './screens.ts'
import { shareWorld } from './world.ts'

let server: Switchroom
shareWorld(
  async () => {
    server = await startSwitchroom('sqlite')
  },
  () => server.stop(),
)

it('takes a service out of use, and says where there is no free test', async () => {
  const token = await fetchToken(server.url)
  const add = (vendor: string, more: object) =>
    api<{ sid: string }>(server.url, token, 'POST', `/ServiceProviders/${SP}/SpeechCredentials`, {
      vendor,
      ...more,
    })
  const { sid } = await add('rimelabs', { api_key: 'canary', model_id: 'arcana', use_for_tts: 1 })
  await add('custom:acme', { auth_token: 'canary', use_for_tts: 0, use_for_stt: 0 })
  await add('houndify', { client_id: 'c', client_key: 'canary', user_id: 'u', use_for_stt: 1 })
  const page = await openPage()
  await logIn(page, server.url)
  await reportFailures(page, 'speech-uses', async () => {
    await page.goto(`${server.url}/internal/speech-services/${sid}/edit`)
    const status = page.getByRole('region', { name: 'Credential status' })
    await status.getByText('This vendor has no free test.').waitFor()
    expect(await status.getByRole('button', { name: 'Test', exact: true }).count()).toBe(0)
    await page.getByLabel('Use for text-to-speech').uncheck()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expectToast(page, 'Speech credential updated successfully')
    await status
      .getByText('In order to test your credentials you need to enable TTS/STT.')
      .waitFor()
    await expectAccessible(page, 'speech, in no use')
    await expectNoSidewaysScroll(page, 'speech, in no use')

    await page.goto(`${server.url}/internal/speech-services`)
    await page.getByRole('row', { name: /^RimeLabs Not in use/ }).waitFor()
    const names = await page.getByRole('row').allInnerTexts()
    expect(names.slice(1).map((row) => row.split(/\s/)[0])).toEqual([
      'acme',
      'RimeLabs',
      'SoundHound',
    ])

    // what one of several fields must say is not called optional
    await page.goto(`${server.url}/internal/speech-services/add`)
    await page.getByLabel('Vendor').selectOption({ label: 'Nuance' })
    await page.getByLabel('Use for text-to-speech').check()
    const labelled = (text: string) => page.locator('label').filter({ hasText: text }).innerText()
    expect(await labelled('Client ID')).toBe('Client ID')
    expect(await labelled('TTS URI')).toBe('TTS URI (optional)')
    await page.getByLabel('Vendor').selectOption({ label: 'Custom' })
    await page.getByLabel('Use for text-to-speech').check()
    expect(await labelled('Http URL')).toBe('Http URL (non-streaming)')
  })
  expectNoErrors(page)
})
