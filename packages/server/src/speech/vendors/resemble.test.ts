import { describe, expect, it } from 'vitest'
import { resemble as standIn } from '../../../test/stand-ins/speech/resemble.ts'
import { KEY } from '../../../test/stand-ins/speech/strict.ts'
import type { StandIn } from '../../../test/stand-ins/speech-server.ts'
import { reaching, vendorCases } from '../../../test/vendor-faults.ts'
import { outbound } from '../../outbound/outbound.ts'
import { resemble } from './resemble.ts'

const config = { api_key: KEY }
const sentence = { text: 'Hello', language: 'en-US', voice: '3f5fb9f1' }
const sentBody = {
  wrongKey: 'invalid api key: HTTP Token: Access denied.',
  quota: { status: 429, body: { success: false, message: 'Rate limit exceeded' } },
  outOfQuota: 'quota or concurrency limit exceeded: Rate limit exceeded',
}

describe('the cloud', () => {
  vendorCases({ protocol: resemble, standIn, config, secret: 'api_key', sentence, ...sentBody })
})
describe('a container', () => {
  vendorCases({
    protocol: { probe: resemble.probe!, speak: resemble.speak! },
    standIn,
    config: { ...config, resemble_tts_uri: 'http://resemble.example.com:9000' },
    secret: 'api_key',
    sentence,
    ...sentBody,
  })
})

it('offers the ready voices of all pages', async () => {
  const { tts } = await resemble.catalogue!(config, await reaching(standIn))
  expect(tts?.map((l) => [l.value, l.voices.length])).toEqual([
    ['en-gb', 148],
    ['en-US', 3],
  ])
  expect(tts?.[1]?.voices).toEqual([
    { value: '3f5fb9f1', name: 'Adam' },
    { value: '0000000a', name: 'Old' },
    { value: 'e28236ee', name: 'Samantha' },
  ])
})

it('limits the pages it follows', async () => {
  let pages = 0
  const endless: StandIn = {
    ...standIn,
    http: () => {
      pages++
      return { status: 200, body: { num_pages: 1e9, items: [] } }
    },
  }
  await resemble.catalogue!(config, await reaching(endless))
  expect(pages).toBe(20)
})

it.each([
  [undefined, undefined, 'https://f.cluster.resemble.ai/synthesize'],
  ['resemble.example.com:9000', true, 'https://resemble.example.com:9000/synthesize'],
  ['resemble.example.com:9000/', false, 'http://resemble.example.com:9000/synthesize'],
  ['http://resemble.example.com:9000', true, 'http://resemble.example.com:9000/synthesize'],
])('synthesizes at %s, TLS %s', async (resemble_tts_uri, resemble_tts_use_tls, url) => {
  const urls: string[] = []
  const credential = {
    ...config,
    ...(resemble_tts_uri !== undefined && { resemble_tts_uri, resemble_tts_use_tls }),
  }
  const out = await reaching(standIn)
  await resemble.speak!(credential, sentence, {
    ...out,
    fetch(to, how) {
      urls.push(to)
      return out.fetch(to, how)
    },
  })
  expect(urls).toEqual([url])
})

it('does not call a container in an internal network', async () => {
  const own = { ...config, resemble_tts_uri: 'http://192.168.1.1:9000' }
  const refused = {
    name: 'Refused',
    message:
      'The address is in an internal network, which this server may only reach if SWITCHROOM_ALLOW_NETWORKS names it',
  }
  await expect(resemble.probe!.tts!(own, outbound([]))).rejects.toMatchObject(refused)
  await expect(resemble.speak!(own, sentence, outbound([]))).rejects.toMatchObject(refused)
})

it('reports an unknown voice', async () => {
  await expect(
    resemble.speak!(config, { ...sentence, voice: 'none' }, await reaching(standIn)),
  ).rejects.toMatchObject({ name: 'Refused', message: 'not found at the vendor: Voice not found' })
})
