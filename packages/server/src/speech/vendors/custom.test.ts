import { describe, expect, it } from 'vitest'
import { HOST, PCM, custom as standIn } from '../../../test/stand-ins/speech/custom.ts'
import { CANARY, reaching, recording, vendorCases } from '../../../test/vendor-faults.ts'
import { pcmOf } from '../../audio/wav.ts'
import { outbound } from '../../outbound/outbound.ts'
import { custom } from './custom.ts'

const TOKEN = `${CANARY}-custom`
const urls = { custom_tts_url: `https://${HOST}/speak`, custom_stt_url: `wss://${HOST}/listen` }
const config = { ...urls, vendor_name: 'mine', auth_token: TOKEN }
const as = (voice: string, text = 'Hello') => ({ text, language: 'en-US', voice })

it.each([
  ['with', config, TOKEN],
  ['without', urls, ''],
])('probes a server %s a token', async (_, config, token) => {
  const out = await reaching(standIn(token))
  await custom.probe!.stt!(config, out)
  expect(await custom.recognize!(config, recording(8000, ''), out)).toBe(
    '3200 bytes at 8000, en-US',
  )
  expect((await custom.speak!(config, as('mpeg'), out)).type).toBe('audio/mpeg')
})

describe('speaking', () => {
  it.each([
    ['mp3', 'audio/mpeg'],
    ['ogg', 'audio/ogg'],
    ['wav', 'audio/wav'],
  ])('accepts %s', async (voice, type) => {
    const sound = await custom.speak!(
      config,
      as(voice, '<speak>Hi</speak>'),
      await reaching(standIn(TOKEN)),
    )
    expect(sound.type).toBe(type)
  })

  it.each([
    ['raw', 16_000],
    ['raw without rate', 8_000],
  ])('makes %s audio playable', async (voice, rate) => {
    const { type, bytes } = await custom.speak!(config, as(voice), await reaching(standIn(TOKEN)))
    expect([type, pcmOf(bytes)]).toEqual(['audio/wav', { pcm: PCM, rate }])
  })

  it('accepts only audio', async () => {
    await expect(custom.speak!(config, as('liar'), await reaching(standIn(TOKEN)))).rejects.toThrow(
      'unexpected answer',
    )
  })

  it('requires an HTTP URL', async () => {
    const { custom_tts_url: _, ...streaming } = config
    await expect(
      custom.speak!(streaming, as('mpeg'), await reaching(standIn(TOKEN))),
    ).rejects.toThrow('only an HTTP URL can be tested')
  })
})

describe('listening', () => {
  it('finishes as soon as the transcript is final', async () => {
    const out = await reaching(standIn(TOKEN, 'lingers'))
    expect(await custom.recognize!(config, recording(16000, 'fr-FR'), out)).toBe(
      '6400 bytes at 16000, fr-FR',
    )
  })

  it('reports why recognition failed', async () => {
    const out = await reaching(standIn(TOKEN, 'broken'))
    await expect(custom.recognize!(config, recording(8000, 'en'), out)).rejects.toThrow(
      'No model, says ***',
    )
  })
})

it.each([
  '//127.0.0.1:1/',
  '//localhost:1/',
  '//[::1]/',
  '//10.0.0.1/',
  '//169.254.169.254/latest/meta-data',
])('does not connect to %s', async (place) => {
  const inside = { ...config, custom_tts_url: `http:${place}`, custom_stt_url: `ws:${place}` }
  const out = outbound([])
  for (const call of [
    () => custom.probe!.stt!(inside, out),
    () => custom.speak!(inside, as('mpeg'), out),
    () => custom.recognize!(inside, recording(8000, 'en'), out),
  ])
    await expect(call()).rejects.toMatchObject({
      name: 'Refused',
      message: expect.stringMatching(/internal network/),
    })
})

vendorCases({
  protocol: custom,
  standIn: standIn(TOKEN),
  config,
  secret: 'auth_token',
  sentence: as('wav'),
  recording: recording(8000, 'en'),
  transcript: '3200 bytes at 8000, en',
  wrongKey: /invalid authentication token/,
  stages: { 'probe stt': ['handshake'], recognize: ['socket'] },
})
