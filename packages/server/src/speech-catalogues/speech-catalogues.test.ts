import { api, SPEECH_VENDORS } from '@switchroom/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '../test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const of = (vendor: string) =>
  t.as('a1')(api.speechCatalogues.ofAccount, {
    params: { account_sid: t.sids.a1 },
    query: { vendor, label: 'mine', create_new: 'true' },
  })

it.each(SPEECH_VENDORS.filter((v) => !['deepgramflux', 'custom'].includes(v.id)))(
  'offers what $name can do',
  async ({ id, tts, stt }) => {
    const found = await of(id)
    expect([!!found.tts?.length, !!found.stt?.length]).toEqual([tts, stt])
    for (const language of found.tts ?? []) {
      expect(language.name).not.toBe('')
      expect(language.voices.length).toBeGreaterThan(0)
    }
  },
)

it.each(['nobody', 'custom:mine', 'deepgramflux', 'constructor'])(
  'does not know %s',
  async (vendor) => {
    await expect(of(vendor)).rejects.toMatchObject({
      status: 422,
      message: `Invalid vendor ${vendor}`,
    })
  },
)

it('needs a vendor', async () => {
  const answer = await t.request(
    'sp1',
    'GET',
    `/ServiceProviders/${t.sids.sp1}/SpeechCredentials/speech/supportedLanguagesAndVoices`,
  )
  expect([answer.statusCode, answer.json().msg]).toEqual([400, 'vendor is required'])
})
