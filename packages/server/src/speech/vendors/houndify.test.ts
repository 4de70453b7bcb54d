import { expect, it } from 'vitest'
import { ELSEWHERE, houndify as standIn } from '../../../test/stand-ins/speech/houndify.ts'
import { CANARY, reaching, recording, vendorCases } from '../../../test/vendor-faults.ts'
import { outbound } from '../../outbound/outbound.ts'
import { houndify } from './houndify.ts'

const KEY = `${CANARY}-houndify_w==`
const config = { client_id: 'client', client_key: KEY, user_id: 'ann' }
const vendor = (mode?: 'broken') => standIn('client', KEY, mode)

it('accepts a valid key', async () => {
  await houndify.probe!.stt!(config, await reaching(vendor()))
})

it.each([8000, 16000] as const)('transcribes a recording of %i Hz', async (rate) => {
  const out = await reaching(vendor())
  expect(await houndify.recognize!(config, recording(rate, 'en-IN'), out)).toBe(
    `${rate * 0.4} bytes at ${rate}, en-IN of ann`,
  )
})

it('uses a custom endpoint', async () => {
  const elsewhereConfig = { ...config, houndify_server_uri: `wss://${ELSEWHERE}/live` }
  expect(
    await houndify.recognize!(elsewhereConfig, recording(8000, ''), await reaching(vendor())),
  ).toBe('3200 bytes at 8000, en of ann')
})

it.each([
  ['ws://127.0.0.1:1/', /internal network/],
  ['wss://localhost/', /internal network/],
  ['ws://[::ffff:10.0.0.1]/', /internal network/],
  ['https://example.com', /not a WebSocket URL/],
  ['nonsense', /not a WebSocket URL/],
])('does not connect to %s', async (houndify_server_uri, reason) => {
  const badConfig = { ...config, houndify_server_uri }
  for (const call of [
    () => houndify.probe!.stt!(badConfig, outbound([])),
    () => houndify.recognize!(badConfig, recording(8000, 'en'), outbound([])),
  ])
    await expect(call()).rejects.toMatchObject({
      name: 'Refused',
      message: expect.stringMatching(reason),
    })
})

it('reports why recognition failed', async () => {
  await expect(
    houndify.recognize!(config, recording(8000, 'en'), await reaching(vendor('broken'))),
  ).rejects.toThrow('the vendor rejected the request: Not understood, says ***')
})

vendorCases({
  protocol: houndify,
  standIn: vendor(),
  config,
  secret: 'client_key',
  recording: recording(8000, 'en'),
  transcript: '3200 bytes at 8000, en of ann',
  wrongKey: /Authentication failed/,
  stages: { all: ['socket'] },
})
