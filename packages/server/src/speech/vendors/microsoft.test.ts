import { describe, expect, it } from 'vitest'
import type { WebSocket } from 'ws'
import {
  azureFaults,
  azureKey,
  azureStandIn,
  containerStandIn,
} from '../../../test/stand-ins/speech/microsoft.ts'
import { aFrame, aTone, silence } from '../../../test/stand-ins/speech/sounds.ts'
import { recorded } from '../../../test/stand-ins/speech-server.ts'
import { reaching, vendorCases } from '../../../test/vendor-faults.ts'
import { type Outbound, outbound } from '../../outbound/outbound.ts'
import { microsoft } from './microsoft.ts'

const config = { region: 'westeurope', api_key: azureKey }
const sentence = { text: 'Hello', language: 'en-US', voice: 'en-US-JennyNeural' }
const recording = { pcm: aTone(16_000), rate: 16_000, language: 'en-US' } as const
const quiet = { pcm: silence(8_000), rate: 8_000, language: 'en-US' } as const
const sound = { type: 'audio/mpeg', bytes: aFrame }
const callsOf = (c: object) => ({
  'probing tts': (out: Outbound) => microsoft.probe!.tts!(c, out),
  'probing stt': (out: Outbound) => microsoft.probe!.stt!(c, out),
  'the catalogue': (out: Outbound) => microsoft.catalogue!(c, out),
  speaking: (out: Outbound) => microsoft.speak!(c, sentence, out),
  recognizing: (out: Outbound) => microsoft.recognize!(c, recording, out),
})

vendorCases({
  protocol: microsoft,
  standIn: azureStandIn,
  config,
  secret: 'api_key',
  sentence,
  recording,
  transcript: 'Hello world.',
  wrongKey:
    'invalid api key or region: Access denied due to invalid subscription key or wrong API endpoint.',
  ...azureFaults,
})

describe('microsoft', () => {
  it('is probed by requesting a token', async () => {
    const out = await reaching(azureStandIn)
    await microsoft.probe!.tts!(config, out)
    await microsoft.probe!.stt!(config, out)
  })

  it('connects to no other host', async () => {
    const vendor = recorded(azureStandIn)
    const out = await reaching(vendor)
    for (const region of ['eastus', 'evil.example.com/', 'usgovvirginia'])
      for (const call of Object.values(callsOf({ ...config, region })))
        await expect(call(out)).rejects.toMatchObject({ name: 'Refused' })
    expect(vendor.requests).toEqual([])
  })

  it('offers voices by locale, without retired ones, and the locales of speech-to-text', async () => {
    expect(await microsoft.catalogue!(config, await reaching(azureStandIn))).toEqual({
      tts: [
        {
          value: 'en-US',
          name: 'English (United States)',
          voices: [
            { value: 'en-US-AvaNeural', name: 'Ava (Female)' },
            { value: 'en-US-JennyNeural', name: 'Jenny (Female)' },
          ],
        },
        {
          value: 'de-DE',
          name: 'German (Germany)',
          voices: [{ value: 'de-DE-KatjaNeural', name: 'Katja (Female)' }],
        },
      ],
      stt: [
        { value: 'en-US', name: 'English (United States)' },
        { value: 'de-DE', name: 'German (Germany)' },
      ],
    })
  })

  it.each(['Hello', `Tom & "Jerry" <3 it's`, '</voice><voice name="x">', 'a\u0000b\u0007'])(
    'synthesizes %j, escaped in XML',
    async (text) => {
      const out = await reaching(azureStandIn)
      expect(await microsoft.speak!(config, { ...sentence, text }, out)).toEqual(sound)
      const voice = '"><x>'
      expect(await microsoft.speak!(config, { ...sentence, text, voice }, out)).toEqual(sound)
    },
  )

  it('uses custom models for both directions', async () => {
    const out = await reaching(azureStandIn)
    const mine = { ...config, custom_tts_endpoint: 'mine', custom_stt_endpoint: 'mine' }
    expect(await microsoft.speak!(mine, sentence, out)).toEqual(sound)
    expect(await microsoft.recognize!(mine, recording, out)).toBe('Hello world.')
    const not = { ...config, custom_tts_endpoint: 'a&b', custom_stt_endpoint: 'a&b' }
    for (const call of [
      microsoft.speak!(not, sentence, out),
      microsoft.recognize!(not, recording, out),
    ])
      await expect(call).rejects.toMatchObject({ message: 'not found at the vendor' })
  })

  it('transcribes', async () => {
    const out = await reaching(azureStandIn)
    expect(await microsoft.recognize!(config, recording, out)).toBe('Hello world.')
    expect(await microsoft.recognize!(config, quiet, out)).toBe('')
  })
})

describe('a container of microsoft', () => {
  const onPrem = (url: string) => ({
    custom_tts_endpoint_url: url,
    custom_stt_endpoint_url: url,
    api_key: azureKey,
  })
  const container = onPrem('http://container.example.com:5000')

  it('is called like the cloud, and transcribes over a WebSocket', async () => {
    const out = await reaching(containerStandIn())
    await microsoft.probe!.tts!(container, out)
    await microsoft.probe!.stt!(container, out)
    expect((await microsoft.catalogue!(container, out)).tts).toHaveLength(2)
    expect(await microsoft.speak!(container, sentence, out)).toEqual(sound)
    expect(await microsoft.recognize!(container, recording, out)).toBe('Hello world.')
    expect(await microsoft.recognize!(container, quiet, out)).toBe('')
    const socket = { custom_stt_endpoint_url: 'ws://container.example.com:5000' }
    expect(await microsoft.recognize!(socket, recording, out)).toBe('Hello world.')
  })

  it('reports an invalid key', async () => {
    await expect(
      microsoft.probe!.tts!(container, await reaching(containerStandIn('Mismatch'))),
    ).rejects.toMatchObject({
      name: 'Refused',
      message: 'the container says Api Key is Mismatch',
    })
  })

  const { recognize } = microsoft
  vendorCases({
    protocol: { recognize: recognize! },
    standIn: containerStandIn(),
    config: container,
    secret: 'api_key',
    recording,
    transcript: 'Hello world.',
    wrongKey: '',
    keyless: ['recognize'],
    stages: { all: ['socket'] },
  })

  it('reports why its socket was closed, without the key', async () => {
    const open = (socket: WebSocket) => socket.close(4000, `no: ${azureKey}`)
    const out = await reaching({ ...containerStandIn(), socket: { open } })
    await expect(microsoft.recognize!(container, recording, out)).rejects.toMatchObject({
      name: 'Refused',
      message: 'the vendor closed the connection: no: ***',
    })
  })

  it.each([
    'http://127.0.0.1:5000',
    'http://localhost:5000',
    'http://169.254.169.254',
    'ws://10.0.0.1',
  ])('is not called at %s', async (url) => {
    for (const call of Object.values(callsOf(onPrem(url))))
      await expect(call(outbound([]))).rejects.toMatchObject({
        name: 'Refused',
        message:
          'The address is in an internal network, which this server may only reach if SWITCHROOM_ALLOW_NETWORKS names it',
      })
  })

  it('requires a URL', async () => {
    for (const call of Object.values(callsOf(onPrem('file:///etc/passwd'))))
      await expect(call(outbound([]))).rejects.toMatchObject({
        message: 'the container URL is invalid',
      })
  })
})
