import { createServer } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  certificateFor,
  grpcFaults,
  grpcStandIn,
  localOutbound,
  No,
  type Services,
} from '../../../test/stand-ins/speech/grpc.ts'
import {
  client,
  nuanceFaults,
  nuanceTokens,
  synthesizer,
} from '../../../test/stand-ins/speech/nuance.ts'
import { aTone } from '../../../test/stand-ins/speech/sounds.ts'
import { reaching, vendorFaults } from '../../../test/vendor-faults.ts'
import { toWav } from '../../audio/wav.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { nuance, nuanceAt } from './nuance.ts'

const sentence = { text: 'Hello', language: 'en-US', voice: 'Evan - enhanced' }
const sound = { type: 'audio/wav', bytes: toWav(aTone(8_000), 8_000) }
const tts = [
  {
    value: 'yue-HK',
    name: expect.any(String),
    voices: [{ value: 'Sin-ji - standard', name: 'Sin-ji - standard', model: 'standard' }],
  },
  {
    value: 'en-US',
    name: 'English (United States)',
    voices: [
      { value: 'Evan - enhanced', name: 'Evan - enhanced', model: 'enhanced' },
      { value: 'Evan - standard', name: 'Evan - standard', model: 'standard' },
    ],
  },
]

describe('on-premises Nuance', () => {
  const at = (port: number | string) => {
    const c = { nuance_tts_uri: typeof port === 'number' ? `127.0.0.1:${port}` : port }
    return {
      'probing tts': (out: Outbound) => nuance.probe!.tts!(c, out),
      'the catalogue': (out: Outbound) => nuance.catalogue!(c, out),
      speaking: (out: Outbound) => nuance.speak!(c, sentence, out),
    }
  }
  grpcFaults(synthesizer(), at)

  // with a client too: its token is the cloud's, and stays there
  const createServers = async () => ({
    ...client,
    nuance_tts_uri: `127.0.0.1:${await grpcStandIn(synthesizer())}`,
  })

  it('offers its voices by their name and model', async () => {
    const config = await createServers()
    await nuance.probe!.tts!(config, localOutbound())
    const { tts: found } = await nuance.catalogue!(config, localOutbound())
    expect(found).toHaveLength(2)
    expect(found).toEqual(expect.arrayContaining(tts))
  })

  it('synthesizes', async () => {
    const config = await createServers()
    expect(await nuance.speak!(config, sentence, localOutbound())).toEqual(sound)
    const ssml = { ...sentence, text: '<speak>Hello</speak>' }
    expect(await nuance.speak!(config, ssml, localOutbound())).toEqual(sound)
    await expect(
      nuance.speak!(config, { ...sentence, voice: 'Nobody' }, localOutbound()),
    ).rejects.toMatchObject({
      name: 'Refused',
      message: 'the vendor answered 404: Voice not found',
    })
  })

  it('is probed for speech-to-text by a gRPC server', async () => {
    const port = await grpcStandIn(synthesizer())
    await nuance.probe!.stt!({ nuance_stt_uri: `127.0.0.1:${port}` }, localOutbound())
    const mute = createServer((socket) => socket.destroy())
    await new Promise<void>((done) => mute.listen(0, '127.0.0.1', done))
    const { port: other } = mute.address() as { port: number }
    await expect(
      nuance.probe!.stt!({ nuance_stt_uri: `127.0.0.1:${other}` }, localOutbound()),
    ).rejects.toMatchObject({ name: 'Refused', message: 'the vendor cannot be reached' })
    mute.close()
  })
})

describe('Nuance in the cloud', () => {
  let tls: ReturnType<typeof certificateFor>
  beforeAll(() => {
    tls = certificateFor('tts.api.nuance.com')
  })

  /** The cloud at a port here, and a way out on which its name leads to it. */
  async function cloud({
    name = 'tts.api.nuance.com',
    services = synthesizer({ cloud: true }),
  } = {}) {
    const port = await grpcStandIn(services, tls)
    const faced = await reaching(nuanceTokens)
    const out: Outbound = {
      ...faced,
      guard: {
        ...faced.guard,
        lookup: (_, __, done) => done(null, '127.0.0.1', 4),
      },
    }
    const vendor = nuanceAt({
      token: 'https://auth.crt.nuance.com/oauth2/token',
      tts: { address: name, port, tls: true, ca: tls.cert },
    })
    return { vendor, out }
  }

  it('requests a token, and checks the server’s certificate', async () => {
    const { vendor, out } = await cloud()
    await vendor.probe!.tts!(client, out)
    await vendor.probe!.stt!(client, out)
    expect((await vendor.catalogue!(client, out)).tts).toEqual(expect.arrayContaining(tts))
    expect(await vendor.speak!(client, sentence, out)).toEqual(sound)
  })

  it('is not used when another server answers', async () => {
    const { vendor, out } = await cloud({ name: 'other.example.com' })
    await expect(vendor.probe!.tts!(client, out)).rejects.toMatchObject({
      name: 'Refused',
      message: 'the vendor cannot be reached',
    })
  })

  it('does not expose its token in errors', async () => {
    const telling: Services = {
      'nuance.tts.v1.Synthesizer': {
        proto: 'nuance-tts',
        methods: {
          GetVoices: (_, { token }) => {
            throw new No('INTERNAL', `no: ${token}`)
          },
          UnarySynthesize: (_, { token }) => ({
            status: { code: 500, message: `no: ${token}`, details: '' },
          }),
        },
      },
    }
    const { vendor, out } = await cloud({ services: telling })
    await expect(vendor.probe!.tts!(client, out)).rejects.toMatchObject({
      message: 'the vendor answered INTERNAL: no: Bearer ***',
    })
    await expect(vendor.speak!(client, sentence, out)).rejects.toMatchObject({
      message: 'the vendor answered 500: no: Bearer ***',
    })
  })

  const callsOf = (c: object) => ({
    'probing tts': (out: Outbound) => nuance.probe!.tts!(c, out),
    'probing stt': (out: Outbound) => nuance.probe!.stt!(c, out),
    'the catalogue': (out: Outbound) => nuance.catalogue!(c, out),
    speaking: (out: Outbound) => nuance.speak!(c, sentence, out),
  })
  vendorFaults({
    protocol: nuance,
    standIn: nuanceTokens,
    config: client,
    secret: 'secret',
    sentence,
    wrongKey: 'invalid client_id or secret: Client authentication failed',
    ...nuanceFaults,
  })

  it('requires a client id', async () => {
    for (const call of Object.values(callsOf({ client_id: 'x' })))
      await expect(call(await reaching(nuanceTokens))).rejects.toMatchObject({
        message: 'the client ID or secret is missing',
      })
  })
})
