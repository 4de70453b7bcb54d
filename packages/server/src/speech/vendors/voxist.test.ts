import { expect, it } from 'vitest'
import { voxist as standIn } from '../../../test/stand-ins/speech/voxist.ts'
import { CANARY, reaching, recording, vendorCases } from '../../../test/vendor-faults.ts'
import { voxist } from './voxist.ts'

const KEY = `${CANARY}-voxist`
const config = { api_key: KEY }

it('accepts a valid key', async () => {
  await voxist.probe!.stt!(config, await reaching(standIn(KEY)))
})

it.each([8000, 16000] as const)('transcribes a recording of %i Hz', async (rate) => {
  const out = await reaching(standIn(KEY))
  expect(await voxist.recognize!(config, recording(rate, 'sp'), out)).toBe(
    `${rate * 0.4} bytes at ${rate}, sp`,
  )
})

it('finishes as soon as the transcript is final', async () => {
  const out = await reaching(standIn(KEY, 'lingers'))
  expect(await voxist.recognize!(config, recording(8000, ''), out)).toBe('3200 bytes at 8000, en')
})

it.each([
  [undefined, 'xx', 'Invalid config'],
  ['broken', 'en', 'Not understood, says *** ***'],
] as const)('reports why recognition failed: %s %s', async (mode, language, reason) => {
  const out = await reaching(standIn(KEY, mode))
  await expect(voxist.recognize!(config, recording(8000, language), out)).rejects.toThrow(reason)
})

vendorCases({
  protocol: voxist,
  standIn: standIn(KEY),
  config,
  secret: 'api_key',
  recording: recording(8000, 'en'),
  transcript: '3200 bytes at 8000, en',
  wrongKey: /invalid api key/,
  accepts: (call, _, body) => call === 'probe stt' && !body.startsWith('<'),
  stages: { recognize: ['request', 'socket'] },
})
