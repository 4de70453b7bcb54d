import { afterEach, describe, expect, it, vi } from 'vitest'
import type { WebSocket } from 'ws'
import {
  assumed,
  awsFaults,
  awsKey,
  awsStandIn,
  message,
  roleArn,
} from '../../../test/stand-ins/speech/aws.ts'
import { aFrame, aTone, silence } from '../../../test/stand-ins/speech/sounds.ts'
import { recorded } from '../../../test/stand-ins/speech-server.ts'
import { reaching, respondWith, vendorCases } from '../../../test/vendor-faults.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { aws } from './aws.ts'

const config = {
  access_key_id: awsKey.id,
  secret_access_key: awsKey.secret,
  aws_region: 'us-east-1',
}
const sentence = { text: 'Hello', language: 'en-US', voice: 'Joanna' }
const recording = { pcm: aTone(16_000), rate: 16_000, language: 'en-US' } as const
const allOf = (c: object) => ({
  'probing tts': (out: Outbound) => aws.probe!.tts!(c, out),
  'probing stt': (out: Outbound) => aws.probe!.stt!(c, out),
  'the catalogue': (out: Outbound) => aws.catalogue!(c, out),
  speaking: (out: Outbound) => aws.speak!(c, sentence, out),
  recognizing: (out: Outbound) => aws.recognize!(c, recording, out),
})

vendorCases({
  protocol: aws,
  standIn: awsStandIn(),
  config,
  secret: 'secret_access_key',
  sentence,
  recording,
  transcript: 'Hello world.',
  wrongKey: (call) =>
    call === 'recognize'
      ? 'the key is not allowed to do this'
      : 'invalid access key or secret: The security token included in the request is invalid.',
  ...awsFaults,
  stages: { recognize: ['socket'] },
})

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('aws', () => {
  it('is probed by free list calls', async () => {
    const out = await reaching(awsStandIn())
    await aws.probe!.tts!(config, out)
    await aws.probe!.stt!(config, out)
  })

  it.each(['eu-west-1', 'evil.example.com/', ''])(
    'connects to no other host: %s',
    async (region) => {
      const vendor = recorded(awsStandIn())
      const out = await reaching(vendor)
      for (const call of Object.values(allOf({ ...config, aws_region: region })))
        await expect(call(out)).rejects.toMatchObject({ name: 'Refused' })
      expect(vendor.requests).toEqual([])
    },
  )

  it('offers the voices of every page, under all of their languages, with their engines', async () => {
    expect(await aws.catalogue!(config, await reaching(awsStandIn()))).toEqual({
      tts: [
        {
          value: 'hi-IN',
          name: 'Hindi (India)',
          voices: [{ value: 'Aditi', name: 'Aditi (Female)' }],
        },
        {
          value: 'en-IN',
          name: 'Indian English',
          voices: [{ value: 'Aditi', name: 'Aditi (Female)' }],
        },
        {
          value: 'en-US',
          name: 'US English',
          voices: [
            { value: 'Joanna', name: 'Joanna (Female)' },
            { value: 'Ruth', name: 'Ruth (Female, neural, generative)' },
          ],
        },
      ],
    })
  })

  it('limits the pages it follows', async () => {
    const vendor = recorded(awsStandIn({ endless: true }))
    await aws.catalogue!(config, await reaching(vendor))
    expect(vendor.requests).toHaveLength(20)
  })

  it('synthesizes', async () => {
    const out = await reaching(awsStandIn())
    const sound = { type: 'audio/mpeg', bytes: aFrame }
    expect(await aws.speak!(config, sentence, out)).toEqual(sound)
    expect(await aws.speak!(config, { ...sentence, text: '<speak>Hi</speak>' }, out)).toEqual(sound)
    const ruth = { ...sentence, voice: 'Ruth' }
    expect(await aws.speak!(config, { ...ruth, engine: 'generative' }, out)).toEqual(sound)
    await expect(aws.speak!(config, ruth, out)).rejects.toMatchObject({
      message: 'the vendor answered 400: This voice does not support the selected engine',
    })
  })

  it('transcribes', async () => {
    const out = await reaching(awsStandIn())
    expect(await aws.recognize!(config, recording, out)).toBe('Hello world.')
    const quiet = { ...recording, pcm: silence(8_000), rate: 8_000 } as const
    expect(await aws.recognize!(config, quiet, out)).toBe('')
    await expect(
      aws.recognize!(config, { ...recording, language: 'xx-XX' }, out),
    ).rejects.toMatchObject({
      name: 'Refused',
      message: 'the vendor answered BadRequestException: Language not supported',
    })
    await expect(aws.recognize!(config, recording, await reaching())).rejects.toMatchObject({
      message: 'the vendor cannot be reached',
    })
  })

  const exception = (name: string, text: string) => message('exception', name, { Message: text })
  it.each<[string, (socket: WebSocket) => void, RegExp]>([
    ['garbled', (s) => s.send(Buffer.from('garbage')), /unexpected answer/],
    [
      'busy',
      (s) => s.send(exception('LimitExceededException', 'Too many streams')),
      /^quota or concurrency limit exceeded: Too many streams$/,
    ],
    [
      'telling',
      (s) => s.send(exception('BadRequestException', `no: ${awsKey.secret}`)),
      /: no: \*\*\*$/,
    ],
  ])('is refused when its socket is %s', async (_, open, message) => {
    const out = await reaching({ ...awsStandIn(), socket: { open } })
    await expect(aws.recognize!(config, recording, out)).rejects.toMatchObject({
      name: 'Refused',
      message: expect.stringMatching(message),
    })
  })
})

describe('aws as this server itself', () => {
  const profile = { aws_region: 'us-east-1' }
  const role = { ...profile, role_arn: roleArn }
  const as = (id: string, secret: string) => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', id)
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', secret)
  }

  it('uses the server’s own identity', async () => {
    as(awsKey.id, awsKey.secret)
    const out = await reaching(awsStandIn())
    for (const call of Object.values(allOf(profile))) await call(out)
  })

  it('uses the role that the server assumes', async () => {
    as(awsKey.id, awsKey.secret)
    const out = await reaching(awsStandIn({ by: assumed }))
    for (const call of Object.values(allOf(role))) await call(out)
  })

  it('reports that the role cannot be assumed, without the server’s identity', async () => {
    as(awsKey.id, 'wrong-canary')
    const out = await reaching(awsStandIn({ by: assumed }))
    for (const call of Object.values(allOf(role)))
      await expect(call(out)).rejects.toMatchObject({
        name: 'Refused',
        message: 'this server is not allowed to assume the role',
      })
  })

  it.each([
    ['has a quota', awsFaults.quota],
    ['answers garbage', { status: 200, body: 'garbage' }],
    ['does not stop', { status: 200, body: `[${'0,'.repeat(60_000)}0]` }],
  ])('fails if the token service %s', async (_, answer) => {
    as(awsKey.id, awsKey.secret)
    const vendor = recorded(respondWith(awsStandIn({ by: assumed }), answer))
    await expect(aws.probe!.tts!(role, await reaching(vendor))).rejects.toMatchObject({
      name: 'Refused',
    })
    expect(vendor.requests).toHaveLength(1)
  })

  it('reports that the server has no AWS identity', async () => {
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
    vi.stubEnv('AWS_CONFIG_FILE', '/dev/null')
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/dev/null')
    const out = await reaching(awsStandIn())
    await expect(aws.probe!.tts!(profile, out)).rejects.toMatchObject({
      name: 'Refused',
      message: 'this server has no AWS identity',
    })
  })
})
