import { describe, expect, it } from 'vitest'
import { cubic } from '../../../test/stand-ins/speech/cobalt.ts'
import { grpcFaults, grpcStandIn, localOutbound } from '../../../test/stand-ins/speech/grpc.ts'
import { aTone, silence } from '../../../test/stand-ins/speech/sounds.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { cobalt } from './cobalt.ts'

const recording = { pcm: aTone(8_000), rate: 8_000, language: 'en_US-8khz' } as const
grpcFaults(cubic, (port) => {
  const c = { cobalt_server_uri: typeof port === 'number' ? `127.0.0.1:${port}` : port }
  return {
    'probing stt': (out: Outbound) => cobalt.probe!.stt!(c, out),
    'the catalogue': (out: Outbound) => cobalt.catalogue!(c, out),
    recognizing: (out: Outbound) => cobalt.recognize!(c, recording, out),
  }
})

describe('cobalt', () => {
  const server = async () => ({ cobalt_server_uri: `127.0.0.1:${await grpcStandIn(cubic)}` })

  it('is probed by listing its models', async () => {
    const config = await server()
    await cobalt.probe!.stt!(config, localOutbound())
    expect(await cobalt.catalogue!(config, localOutbound())).toEqual({
      stt: [
        { value: 'en_US-8khz', name: 'English' },
        { value: 'es_xx-8khz', name: 'es_xx-8khz' },
      ],
    })
  })

  it('transcribes', async () => {
    const config = await server()
    expect(await cobalt.recognize!(config, recording, localOutbound())).toBe('hello world')
    const quiet = { ...recording, pcm: silence(8_000) }
    expect(await cobalt.recognize!(config, quiet, localOutbound())).toBe('')
    await expect(
      cobalt.recognize!(config, { ...recording, language: 'x' }, localOutbound()),
    ).rejects.toMatchObject({
      name: 'Refused',
      message: 'the vendor answered NOT_FOUND: No such model',
    })
  })
})
