import { describe, expect, it } from 'vitest'
import { playht as standIn, USER } from '../../../test/stand-ins/speech/playht.ts'
import { KEY } from '../../../test/stand-ins/speech/strict.ts'
import { recorded } from '../../../test/stand-ins/speech-server.ts'
import { reaching, vendorCases } from '../../../test/vendor-faults.ts'
import { outbound } from '../../outbound/outbound.ts'
import { playht } from './playht.ts'

const config = { api_key: KEY, user_id: USER, voice_engine: 'PlayHT2.0' }
const own = { ...config, playht_tts_uri: 'http://playht.example.com:7000' }
const sentence = {
  text: 'Hello',
  language: 'en-US',
  voice: playht.fallback!.tts![0]!.voices[0]!.value,
}
const sentBody = {
  wrongKey: 'invalid api key or user id: Access denied',
  quota: {
    status: 429,
    body: { error_id: 'RATE_LIMIT', error_message: 'Too many requests' },
  },
  outOfQuota: 'quota or concurrency limit exceeded: Too many requests',
}

describe('the cloud', () => {
  vendorCases({ protocol: playht, standIn, config, secret: 'api_key', sentence, ...sentBody })
})
describe('a container', () => {
  vendorCases({
    protocol: { probe: playht.probe!, speak: playht.speak! },
    standIn,
    config: own,
    secret: 'api_key',
    sentence,
    ...sentBody,
  })
})

const offered = async (voice_engine: string) => {
  const { tts } = await playht.catalogue!({ ...config, voice_engine }, await reaching(standIn))
  return tts!.map((l) => ({ ...l, voices: l.voices.map((v) => v.name) }))
}

it('offers the voices of the engine, cloned ones among them', async () => {
  expect(await offered('PlayHT2.0')).toEqual([
    { value: 'en-US', name: 'English (US)', voices: ['Cloned', 'Jennifer'] },
    { value: 'de-DE', name: 'German', voices: ['Anna'] },
  ])
})

it('offers all voices in English for the multilingual engine', async () => {
  const languages = await offered('Play3.0')
  expect(languages).toHaveLength(37)
  expect(languages.filter((l) => l.voices.length)).toEqual([
    { value: 'english', name: 'English', voices: ['Anna', 'Cloned', 'Jennifer', 'Old'] },
  ])
})

it.each([
  ['PlayHT2.0', {}],
  ['Play3.0', { language: 'german' }],
])('sends %s the language only if it supports it', async (voice_engine, languageSent) => {
  const vendor = recorded(standIn)
  await playht.speak!(
    { ...config, voice_engine, options: '{"quality":"medium","speed":1}' },
    { ...sentence, language: 'german' },
    await reaching(vendor),
  )
  expect(JSON.parse(String(vendor.requests.at(-1)!.body))).toEqual({
    text: 'Hello',
    voice: sentence.voice,
    output_format: 'mp3',
    voice_engine,
    quality: 'medium',
    speed: 1,
    ...languageSent,
  })
})

it('does not call a container in an internal network', async () => {
  const inside = { ...config, playht_tts_uri: '127.0.0.1:7000' }
  const refused = {
    name: 'Refused',
    message:
      'The address is in an internal network, which this server may only reach if SWITCHROOM_ALLOW_NETWORKS names it',
  }
  await expect(playht.probe!.tts!(inside, outbound([]))).rejects.toMatchObject(refused)
  await expect(playht.speak!(inside, sentence, outbound([]))).rejects.toMatchObject(refused)
})

it.each([
  [{ ...sentence, voice: 'none' }, config, 'the vendor answered 400: Invalid voice'],
  [sentence, { ...config, voice_engine: 'P9' }, 'the vendor answered 400: Invalid voice_engine P9'],
])('reports what is missing: %j', async (what, credential, message) => {
  await expect(playht.speak!(credential, what, await reaching(standIn))).rejects.toMatchObject({
    name: 'Refused',
    message,
  })
})
