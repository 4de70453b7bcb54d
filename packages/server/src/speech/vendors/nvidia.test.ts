import { describe, expect, it } from 'vitest'
import { grpcFaults, grpcStandIn, localOutbound } from '../../../test/stand-ins/speech/grpc.ts'
import { riva } from '../../../test/stand-ins/speech/nvidia.ts'
import { aTone, silence } from '../../../test/stand-ins/speech/sounds.ts'
import { toWav } from '../../audio/wav.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { nvidia } from './nvidia.ts'

const sentence = { text: 'Hello', language: 'en-US', voice: 'English-US.Female-1' }
const recording = { pcm: aTone(16_000), rate: 16_000, language: 'en-US' } as const
const at = (port: number | string) => {
  const c = { riva_server_uri: typeof port === 'number' ? `127.0.0.1:${port}` : port }
  return {
    'probing tts': (out: Outbound) => nvidia.probe!.tts!(c, out),
    'probing stt': (out: Outbound) => nvidia.probe!.stt!(c, out),
    'the catalogue': (out: Outbound) => nvidia.catalogue!(c, out),
    speaking: (out: Outbound) => nvidia.speak!(c, sentence, out),
    recognizing: (out: Outbound) => nvidia.recognize!(c, recording, out),
  }
}
grpcFaults(riva, at)

const [tts, asr] = Object.entries(riva)
const server = async (services = riva) => ({
  riva_server_uri: `http://127.0.0.1:${await grpcStandIn(services)}`,
})

describe('nvidia', () => {
  it('is probed by its own lists', async () => {
    const config = await server()
    await nvidia.probe!.tts!(config, localOutbound())
    await nvidia.probe!.stt!(config, localOutbound())
  })

  const stt = [
    { value: 'en-US', name: 'English (United States)' },
    { value: 'es-US', name: 'Spanish (United States)' },
  ]
  it('offers the voices of its models by language', async () => {
    expect(await nvidia.catalogue!(await server(), localOutbound())).toEqual({
      tts: [
        {
          value: 'en-US',
          name: 'English (United States)',
          voices: [
            { value: 'English-US.Female-1', name: 'English-US Female-1' },
            { value: 'English-US.Male-1', name: 'English-US Male-1' },
            {
              value: 'Magpie-Multilingual.EN-US.Sofia',
              name: 'Magpie-Multilingual EN-US.Sofia',
            },
          ],
        },
        {
          value: 'es-US',
          name: 'Spanish (United States)',
          voices: [
            {
              value: 'Magpie-Multilingual.ES-US.Diego',
              name: 'Magpie-Multilingual ES-US.Diego',
            },
          ],
        },
      ],
      stt,
    })
  })

  it('offers what the server is configured for', async () => {
    expect(
      await nvidia.catalogue!(await server(Object.fromEntries([asr!])), localOutbound()),
    ).toEqual({
      stt,
    })
    expect(
      Object.keys(
        await nvidia.catalogue!(await server(Object.fromEntries([tts!])), localOutbound()),
      ),
    ).toEqual(['tts'])
  })

  it('synthesizes', async () => {
    const config = await server()
    expect(await nvidia.speak!(config, sentence, localOutbound())).toEqual({
      type: 'audio/wav',
      bytes: toWav(aTone(8_000), 8_000),
    })
    await expect(
      nvidia.speak!(config, { ...sentence, voice: 'x' }, localOutbound()),
    ).rejects.toMatchObject({
      message: 'the vendor answered INVALID_ARGUMENT: No such voice',
    })
    await expect(
      nvidia.speak!(config, { ...sentence, voice: 'silent' }, localOutbound()),
    ).rejects.toMatchObject({ name: 'Refused' })
  })

  it('transcribes', async () => {
    const config = await server()
    expect(await nvidia.recognize!(config, recording, localOutbound())).toBe('Hello world.')
    const quiet = { ...recording, pcm: silence(8_000), rate: 8_000 } as const
    expect(await nvidia.recognize!(config, quiet, localOutbound())).toBe('')
  })
})
