import { expect, it } from 'vitest'
import { verbio as standIn, TOKEN } from '../../../test/stand-ins/speech/verbio.ts'
import { CANARY, reaching, recording, vendorCases } from '../../../test/vendor-faults.ts'
import { pcmOf } from '../../audio/wav.ts'
import { verbio } from './verbio.ts'

const SECRET = `${CANARY}-verbio`
const config = { client_id: 'client', client_secret: SECRET, engine_version: 'V2' }
const vendor = standIn('client', SECRET)
const sentence = { text: 'Hello', language: 'en-US', voice: 'tommy_en_us' }

it('accepts a valid secret, for both uses', async () => {
  const out = await reaching(vendor)
  await verbio.probe!.tts!(config, out)
  await verbio.probe!.stt!(config, out)
})

it('offers its voices by language', async () => {
  expect(await verbio.catalogue!(config, await reaching(vendor))).toEqual({
    tts: [
      {
        value: 'en-US',
        name: 'English (United States)',
        voices: [
          { value: 'anna_en_us', name: 'Anna' },
          { value: 'tommy_en_us', name: 'Tommy' },
        ],
      },
      {
        value: 'es-ES',
        name: 'Spanish (Spain)',
        voices: [{ value: 'david_es_es', name: 'David' }],
      },
    ],
  })
})

it('synthesizes', async () => {
  const sound = await verbio.speak!(config, sentence, await reaching(vendor))
  expect(sound.type).toBe('audio/wav')
  expect(pcmOf(sound.bytes)).toEqual({ pcm: Buffer.alloc(1_600, 1), rate: 8_000 })
})

it.each([8000, 16000] as const)('transcribes a recording of %i Hz', async (rate) => {
  const out = await reaching(vendor)
  expect(await verbio.recognize!(config, recording(rate, 'es'), out)).toBe(
    `${rate * 0.4} bytes at ${rate}, es by V2`,
  )
})

it('does not expose its credentials', async () => {
  const call = verbio.speak!(config, { ...sentence, voice: 'nobody' }, await reaching(vendor))
  await expect(call).rejects.toThrow('Unknown voice nobody for Bearer ***')
  await expect(call).rejects.not.toThrow(TOKEN)
})

it('rejects a web page as audio', async () => {
  const out = await reaching({
    hosts: vendor.hosts,
    http: (request) =>
      request.url.pathname === '/api/v1/synthesize'
        ? { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' }
        : vendor.http!(request),
  })
  await expect(verbio.speak!(config, sentence, out)).rejects.toThrow('unexpected answer')
})

vendorCases({
  protocol: verbio,
  standIn: vendor,
  config,
  secret: 'client_secret',
  secrets: [SECRET, TOKEN],
  sentence,
  recording: recording(8000, 'en-US'),
  transcript: '3200 bytes at 8000, en-US by V2',
  wrongKey: /invalid client id or secret/,
  stages: {
    all: ['request', 'second request'],
    'probe tts': ['request'],
    'probe stt': ['request'],
  },
  // sound without a header
  accepts: (call, stage) => call === 'speak' && stage === 'second request',
})
