import { expect, it } from 'vitest'
import { gladia as standIn } from '../../../test/stand-ins/speech/gladia.ts'
import { CANARY, reaching, recording, vendorCases } from '../../../test/vendor-faults.ts'
import { gladia } from './gladia.ts'

const KEY = `${CANARY}-gladia`
const config = { api_key: KEY, region: 'eu-west' }

it('accepts a valid key', async () => {
  await gladia.probe!.stt!(config, await reaching(standIn(KEY)))
})

it.each([8000, 16000] as const)('transcribes a recording of %i Hz, in its region', async (rate) => {
  const out = await reaching(standIn(KEY))
  expect(await gladia.recognize!(config, recording(rate, 'fr-CA'), out)).toBe(
    `${rate * 0.4} bytes at ${rate} in eu-west, fr`,
  )
  expect(await gladia.recognize!({ api_key: KEY }, recording(rate, ''), out)).toContain(
    'in us-west, any',
  )
})

it('reports why recognition failed', async () => {
  const out = await reaching(standIn(KEY, 'broken'))
  await expect(gladia.recognize!(config, recording(8000, 'en'), out)).rejects.toThrow(
    'No speech, says *** of ***',
  )
})

vendorCases({
  protocol: gladia,
  standIn: standIn(KEY),
  config,
  secret: 'api_key',
  recording: recording(8000, 'en'),
  transcript: '3200 bytes at 8000 in eu-west, en',
  wrongKey: /invalid api key/,
  stages: { recognize: ['request', 'socket'] },
})
