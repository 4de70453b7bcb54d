import { describe, expect, it } from 'vitest'
import { CONTAINER, speechmatics as standIn } from '../../../test/stand-ins/speech/speechmatics.ts'
import { CANARY, reaching, recording, vendorCases } from '../../../test/vendor-faults.ts'
import { outbound } from '../../outbound/outbound.ts'
import { speechmatics } from './speechmatics.ts'

const KEY = `${CANARY}-speechmatics`
const hosted = { api_key: KEY, speechmatics_stt_uri: 'eu2.rt.speechmatics.com' }
const onprem = { api_key: KEY, speechmatics_stt_uri: CONTAINER }

it.each([
  'eu2.rt.speechmatics.com',
  'wss://eu2.rt.speechmatics.com/v2/',
  CONTAINER,
  `ws://${CONTAINER}`,
  `wss://${CONTAINER}/v2`,
])('finds %s', async (speechmatics_stt_uri) => {
  const out = await reaching(standIn(KEY))
  const config = { api_key: KEY, speechmatics_stt_uri }
  await speechmatics.probe!.stt!(config, out)
  expect(await speechmatics.recognize!(config, recording(8000, ''), out)).toBe(
    '3200 bytes at 8000, en',
  )
})

it('offers the languages of live speech, in the order of their names', async () => {
  const out = await reaching(standIn(KEY))
  expect(await speechmatics.catalogue!(hosted, out)).toEqual({
    stt: [
      { value: 'en', name: 'English' },
      { value: 'fr', name: 'French' },
    ],
  })
  await expect(speechmatics.catalogue!(onprem, out)).rejects.toThrow('containers offer no list')
})

it('transcribes a recording of 16 kHz', async () => {
  const out = await reaching(standIn(KEY))
  expect(await speechmatics.recognize!(hosted, recording(16000, 'fr'), out)).toBe(
    '6400 bytes at 16000, fr',
  )
})

it('reports why recognition failed', async () => {
  const broke = await reaching(standIn(KEY, 'broken'))
  await expect(speechmatics.recognize!(hosted, recording(8000, 'en'), broke)).rejects.toThrow(
    'no credit left: Top up ***',
  )
  const out = await reaching(standIn(KEY))
  await expect(speechmatics.recognize!(hosted, recording(8000, 'en-XX'), out)).rejects.toThrow(
    'the vendor rejected the request: Language is not supported',
  )
})

it.each([
  ['ws://127.0.0.1:9000', /internal network/],
  ['ws://localhost:9000/v2', /internal network/],
  ['10.1.2.3:9000', /internal network/],
  ['169.254.169.254', /internal network/],
  ['not an address', /./],
  // not the vendor's host, despite the prefix
  ['127.0.0.1#eu2.rt.speechmatics.com', /./],
])('does not connect to %s', async (speechmatics_stt_uri, reason) => {
  const config = { api_key: KEY, speechmatics_stt_uri }
  for (const call of [
    () => speechmatics.probe!.stt!(config, outbound([])),
    () => speechmatics.recognize!(config, recording(8000, 'en'), outbound([])),
  ])
    await expect(call()).rejects.toMatchObject({
      name: 'Refused',
      message: expect.stringMatching(reason),
    })
})

describe.each([hosted, onprem])('at $speechmatics_stt_uri', (config) => {
  const { probe, recognize } = speechmatics
  vendorCases({
    protocol: config === hosted ? speechmatics : { probe: probe!, recognize: recognize! },
    standIn: standIn(KEY),
    config,
    secret: 'api_key',
    recording: recording(8000, 'en'),
    transcript: '3200 bytes at 8000, en',
    wrongKey: /invalid api key/,
    keyless: ['catalogue'],
    stages: {
      'probe stt': config === hosted ? ['request'] : ['socket'],
      recognize: ['socket'],
    },
  })
})
