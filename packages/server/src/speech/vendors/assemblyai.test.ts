import { describe, expect, it } from 'vitest'
import { assemblyai as standIn } from '../../../test/stand-ins/speech/assemblyai.ts'
import {
  CANARY,
  reaching,
  recording,
  shortenTimeouts,
  vendorCases,
} from '../../../test/vendor-faults.ts'
import { assemblyai } from './assemblyai.ts'

const KEY = `${CANARY}-assemblyai`
const v2 = { api_key: KEY, service_version: 'v2' }
const v3 = { api_key: KEY, service_version: 'v3' }

describe.each([v2, v3])('AssemblyAI $service_version', (config) => {
  it('accepts a valid key', async () => {
    await assemblyai.probe!.stt!(config, await reaching(standIn(KEY)))
  })

  it.each([8000, 16000] as const)('transcribes a recording of %i Hz', async (rate) => {
    const out = await reaching(standIn(KEY))
    const transcript = await assemblyai.recognize!(config, recording(rate, 'en'), out)
    expect(transcript).toContain(`${rate * 0.4} bytes at ${rate}`)
  })

  it('reports why recognition failed', async () => {
    const out = await reaching(standIn(KEY, 'broken'))
    await expect(assemblyai.recognize!(config, recording(8000, 'en'), out)).rejects.toThrow(
      /(No speech|Out of order), says \*\*\*/,
    )
  })

  vendorCases({
    protocol: assemblyai,
    standIn: standIn(KEY),
    config,
    secret: 'api_key',
    recording: recording(8000, 'en'),
    transcript:
      config === v2 ? '3200 bytes at 8000' : '3200 bytes at 8000 by universal-streaming-english',
    wrongKey: /invalid api key/,
    stages: { recognize: config === v2 ? ['request', 'second request'] : ['socket'] },
  })
})

it('selects the model for English and for other languages', async () => {
  const out = await reaching(standIn(KEY))
  const recognizeV3 = (language: string) =>
    assemblyai.recognize!(v3, recording(8000, language), out)
  expect(await recognizeV3('en_us')).toContain('by universal-streaming-english')
  expect(await recognizeV3('fr')).toContain('by universal-streaming-multilingual')
})

it('times out waiting for a transcript', async () => {
  const out = await reaching(standIn(KEY, 'stuck'))
  shortenTimeouts(800)
  await expect(assemblyai.recognize!(v2, recording(8000, 'en'), out)).rejects.toThrow(
    'no answer within 30 seconds',
  )
})

it('relays the vendor’s error for an unknown language', async () => {
  const out = await reaching(standIn(KEY))
  await expect(assemblyai.recognize!(v2, recording(8000, 'klingon'), out)).rejects.toThrow(
    'Language klingon is not supported',
  )
})
