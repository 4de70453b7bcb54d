import { expect, it } from 'vitest'
import { soniox as standIn } from '../../../test/stand-ins/speech/soniox.ts'
import { CANARY, reaching, recording, vendorCases } from '../../../test/vendor-faults.ts'
import { soniox } from './soniox.ts'

const KEY = `${CANARY}-soniox`
const config = { api_key: KEY }

it('accepts a valid key', async () => {
  await soniox.probe!.stt!(config, await reaching(standIn(KEY)))
})

it('offers the languages of its live models, in the order of their names', async () => {
  expect(await soniox.catalogue!(config, await reaching(standIn(KEY)))).toEqual({
    stt: [
      { value: 'en', name: 'English' },
      { value: 'fr', name: 'French' },
    ],
  })
})

it.each([8000, 16000] as const)('transcribes a recording of %i Hz', async (rate) => {
  const out = await reaching(standIn(KEY))
  const recognize = (language: string) => soniox.recognize!(config, recording(rate, language), out)
  expect(await recognize('en-US')).toBe(`${rate * 0.4} bytes at ${rate}, en`)
  expect(await recognize('')).toBe(`${rate * 0.4} bytes at ${rate}, any`)
})

it.each([
  ['broken', 'the vendor answered 503: Cannot continue request of ***'],
  ['old', 'this key has no model for live speech'],
] as const)('reports why recognition failed: %s', async (mode, reason) => {
  const out = await reaching(standIn(KEY, mode))
  await expect(soniox.recognize!(config, recording(8000, 'en'), out)).rejects.toThrow(reason)
})

vendorCases({
  protocol: soniox,
  standIn: standIn(KEY),
  config,
  secret: 'api_key',
  recording: recording(8000, 'en'),
  transcript: '3200 bytes at 8000, en',
  wrongKey: /invalid api key/,
  stages: { recognize: ['request', 'socket'] },
})
