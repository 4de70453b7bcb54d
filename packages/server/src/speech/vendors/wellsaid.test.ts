import { expect, it } from 'vitest'
import { KEY } from '../../../test/stand-ins/speech/strict.ts'
import { wellsaid as standIn } from '../../../test/stand-ins/speech/wellsaid.ts'
import { reaching, vendorCases } from '../../../test/vendor-faults.ts'
import { wellsaid } from './wellsaid.ts'

const config = { api_key: KEY }
const sentence = { text: 'Hello', language: 'en-US', voice: '3' }

vendorCases({
  protocol: wellsaid,
  standIn,
  config,
  secret: 'api_key',
  sentence,
  wrongKey: 'invalid api key: Forbidden',
  quota: { status: 429, body: { message: 'Limit Exceeded' } },
  outOfQuota: 'quota or concurrency limit exceeded: Limit Exceeded',
})

it('offers the avatars by their languages', async () => {
  expect(await wellsaid.catalogue!(config, await reaching(standIn))).toEqual({
    tts: [
      {
        value: 'en-US',
        name: 'English (United States)',
        voices: [
          { value: '3', name: 'Alana B. (narration)' },
          { value: '102', name: 'No locale' },
          { value: '5', name: 'Ramona J. (promo)' },
        ],
      },
      {
        value: 'es-MX',
        name: 'Spanish (Mexico)',
        voices: [{ value: '101', name: 'Mia R.' }],
      },
    ],
  })
})

it.each([
  ['77', 'the vendor answered 400: Invalid speaker_id 77'],
  ['Alana', 'a WellSaid voice must be a number'],
])('reports the unknown voice %s', async (voice, message) => {
  await expect(
    wellsaid.speak!(config, { ...sentence, voice }, await reaching(standIn)),
  ).rejects.toMatchObject({ name: 'Refused', message })
})
