import { vendors } from '@switchroom/contract'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  standIns,
  type VendorRequest,
  type VendorResponse,
} from '../../test/stand-ins/speech-server.ts'
import { pcmOf, toWav } from '../audio/wav.ts'
import { outbound } from '../outbound/outbound.ts'
import { askBytes, askJson, askSound, secretsOf } from './ask.ts'
import { scrub } from './refusal.ts'

const open: { close: () => Promise<void> }[] = []
afterEach(() => Promise.all(open.splice(0).map((s) => s.close())))

const KEY = 'canary-9b1f'
const asking = { secrets: [KEY], limit: { timeout_ms: 500, max_bytes: 1_000 } }
async function vendor(answer: VendorResponse | ((request: VendorRequest) => VendorResponse)) {
  const s = await standIns({
    hosts: ['api.example.com'],
    http: (request) => (typeof answer === 'function' ? answer(request) : answer),
  })
  open.push(s)
  return s.out
}
const URL = 'https://api.example.com/v1/x'

describe('a vendor request', () => {
  it('sends JSON, forms and bytes with their types', async () => {
    const out = await vendor(({ method, headers, body }) => ({
      status: 200,
      body: { method, type: headers['content-type'], body: String(body) },
    }))
    expect(await askJson(out, URL, { json: { a: 1 } }, asking)).toEqual({
      method: 'POST',
      type: 'application/json',
      body: '{"a":1}',
    })
    expect(await askJson(out, URL, { form: { a: 'b c' } }, asking)).toEqual({
      method: 'POST',
      type: 'application/x-www-form-urlencoded',
      body: 'a=b+c',
    })
    expect(await askJson(out, URL, {}, asking)).toMatchObject({ method: 'GET', body: '' })
  })

  it.each<[string, VendorResponse, string]>([
    ['a wrong key', { status: 401 }, 'invalid api key'],
    [
      'a quota',
      { status: 429, body: { error: { message: 'slow down' } } },
      'quota or concurrency limit exceeded: slow down',
    ],
    [
      'a redirect',
      { status: 302, headers: { location: 'http://10.0.0.1' } },
      'the vendor redirects, and redirects are not followed',
    ],
    [
      'an unknown status',
      { status: 418, body: { detail: [{ msg: 'teapot' }] } },
      'the vendor answered 418: teapot',
    ],
    ['a page', { status: 500, body: '<html>oops' }, 'the vendor answered 500'],
    ['garbage', { status: 200, body: 'garbage' }, 'the vendor returned an unexpected answer'],
    ['another shape', { status: 200, body: { b: 1 } }, 'the vendor returned an unexpected answer'],
    ['too much', { status: 200, body: 'x'.repeat(2_000) }, 'the vendor’s response is too large'],
    [
      'silence',
      { status: 200, body: {}, after: new Promise(() => {}) },
      'no answer within 1 seconds',
    ],
    [
      'its key',
      { status: 400, body: { message: `no: ${KEY}` } },
      'the vendor answered 400: no: ***',
    ],
  ])('explains the error: %s', async (_, answer, message) => {
    const out = await vendor(answer)
    const shape = z.object({ a: z.number() })
    await expect(askJson(out, URL, {}, { ...asking, shape })).rejects.toMatchObject({
      name: 'Refused',
      message,
    })
  })

  it('distinguishes unreachable and blocked addresses', async () => {
    const out = await vendor({ status: 200 })
    await expect(askBytes(out, 'https://elsewhere.example.com', {}, asking)).rejects.toMatchObject({
      name: 'Refused',
      message: 'the vendor cannot be reached',
    })
    await expect(askBytes(outbound([]), 'http://10.0.0.1/', {}, asking)).rejects.toMatchObject({
      name: 'Refused',
      message:
        'The address is in an internal network, which this server may only reach if SWITCHROOM_ALLOW_NETWORKS names it',
    })
    await expect(askBytes(outbound([]), 'no address', {}, asking)).rejects.toMatchObject({
      name: 'Refused',
      message: 'the address or key contains invalid characters',
    })
    await expect(
      askBytes(outbound([]), 'http://8.8.8.8/', { headers: { a: 'b\nc' } }, asking),
    ).rejects.toMatchObject({ name: 'Refused' })
  })

  it('accepts only audio as audio', async () => {
    const mp3 = Buffer.concat([Buffer.from([0xff, 0xf3, 0x44, 0xc4]), Buffer.alloc(100)])
    expect(await askSound(await vendor({ status: 200, body: mp3 }), URL, {}, asking)).toEqual({
      type: 'audio/mpeg',
      bytes: mp3,
    })
    await expect(
      askSound(await vendor({ status: 200, body: '{"error":1}' }), URL, {}, asking),
    ).rejects.toMatchObject({ name: 'Refused' })
  })
})

describe('secrets', () => {
  it('are found in every mode, and inside a key file', () => {
    expect(secretsOf(vendors.aws, { access_key_id: 'AKIA', secret_access_key: KEY })).toEqual([KEY])
    expect(
      secretsOf(vendors.google, { service_key: JSON.stringify({ private_key: KEY }) }),
    ).toContain(KEY)
  })

  it('are removed from a text, also when encoded', () => {
    const secret = 'a/b+canary'
    const text = `${secret} ${encodeURIComponent(secret)} ${Buffer.from(secret).toString('base64')}`
    expect(scrub(text, [secret, undefined, ''])).toBe('*** *** ***')
  })
})

describe('WAV', () => {
  it('round-trips', () => {
    const pcm = Buffer.from([1, 2, 3, 4])
    expect(pcmOf(toWav(pcm, 8_000))).toEqual({ pcm, rate: 8_000 })
  })

  it('is rejected unless mono and 16 bit', () => {
    const stereo = toWav(Buffer.alloc(4), 8_000)
    stereo.writeUInt16LE(2, 22)
    expect(pcmOf(stereo)).toBeUndefined()
    expect(pcmOf(Buffer.from('ID3'))).toBeUndefined()
    expect(pcmOf(toWav(Buffer.alloc(4), 8_000).subarray(0, 30))).toBeUndefined()
  })
})
