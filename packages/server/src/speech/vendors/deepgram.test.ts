import { describe, expect, it } from 'vitest'
import {
  container,
  MODELS,
  rateLimited,
  deepgram as standIn,
} from '../../../test/stand-ins/speech/deepgram.ts'
import { KEY, TRANSCRIPT } from '../../../test/stand-ins/speech/strict.ts'
import { recorded, type StandIn } from '../../../test/stand-ins/speech-server.ts'
import { reaching, respondWith, silence, vendorCases } from '../../../test/vendor-faults.ts'
import { outbound } from '../../outbound/outbound.ts'
import { deepgram } from './deepgram.ts'

const config = { api_key: KEY, model_id: 'nova-3' }
const sentence = { text: 'Hello', language: 'en-US', voice: 'aura-2-thalia-en' }

vendorCases({
  protocol: deepgram,
  standIn,
  config,
  secret: 'api_key',
  sentence,
  wrongKey: 'invalid api key: Invalid credentials.',
  quota: rateLimited(),
  outOfQuota: 'quota or concurrency limit exceeded: Too many requests. Please try again later',
})

const offered = async (credential: object, from: StandIn = standIn) =>
  deepgram.catalogue!(credential, await reaching(from))

describe('what it offers', () => {
  it('names voices after their model and lists them by language', async () => {
    const { tts, models } = await offered(config)
    expect(tts?.map((l) => [l.value, l.voices.map((v) => v.value)])).toEqual([
      ['en', ['aura-2-thalia-en', 'aura-asteria-en']],
      ['en-US', ['aura-2-thalia-en', 'aura-asteria-en']],
      ['es', ['aura-2-celeste-es']],
      ['es-CO', ['aura-2-celeste-es']],
    ])
    expect(models?.map((m) => m.name)).toEqual(['Aura 2 Celeste', 'Aura 2 Thalia', 'Aura Asteria'])
  })

  it('lists the languages of the chosen model', async () => {
    const { stt, sttModels } = await offered(config)
    expect(stt).toEqual([
      { value: 'en', name: 'English' },
      { value: 'en-US', name: 'English (United States)' },
      { value: 'multi', name: 'Multilingual' },
    ])
    expect(sttModels?.map((m) => m.value)).toEqual([
      'nova-2',
      'nova-2-general',
      'nova-2-phonecall',
      'nova-3',
      'nova-3-general',
      'nova-3-medical',
    ])
  })

  it.each([undefined, 'own-model'])('lists all languages for the model %s', async (model_id) => {
    const { stt } = await offered({ ...config, model_id })
    expect(stt?.map((l) => l.value)).toEqual(['en', 'en-US', 'multi', 'th', 'th-TH'])
  })

  it('leaves out what a container cannot do', async () => {
    const listening = respondWith(container, { status: 200, body: { stt: MODELS.stt } })
    const found = await offered(
      {
        deepgram_stt_uri: 'deepgram.example.com:8080',
        deepgram_tts_uri: 'http://deepgram.example.com:8080',
      },
      listening,
    )
    expect(Object.keys(found).sort()).toEqual(['stt', 'sttModels'])
  })

  it('does not send a container’s key to the cloud', async () => {
    const own = { api_key: 'of the container', deepgram_stt_uri: 'deepgram.example.com:8080' }
    const listening = respondWith(container, { status: 200, body: { stt: MODELS.stt } })
    expect(Object.keys(await offered(own, listening))).toContain('stt')
  })
})

describe('where it is', () => {
  const requestsFor = async (credential: object, ask: 'probe' | 'speak' | 'recognize') => {
    const vendor = recorded('deepgram_tts_uri' in credential ? container : standIn)
    const out = await reaching(vendor)
    if (ask === 'probe') await deepgram.probe!.stt!(credential, out)
    else if (ask === 'speak') await deepgram.speak!(credential, sentence, out)
    else expect(await deepgram.recognize!(credential, silence(), out)).toBe(TRANSCRIPT)
    return vendor.requests.map((r) => `${r.host}${r.url.pathname}`)
  }

  it.each([
    ['', 'api.deepgram.com'],
    ['api.deepgram.com', 'api.deepgram.com'],
    ['api.eu.deepgram.com', 'api.eu.deepgram.com'],
  ])('transcribes in the region "%s"', async (deepgram_stt_uri, host) => {
    const european = { ...config, deepgram_stt_uri }
    expect(await requestsFor(european, 'recognize')).toEqual([`${host}/v1/listen`])
    expect(await requestsFor(european, 'probe')).toEqual([`${host}/v1/projects`])
    // regions are for listening
    expect(await requestsFor(european, 'speak')).toEqual(['api.deepgram.com/v1/speak'])
  })

  it.each([
    'deepgram.example.com:8080',
    'http://deepgram.example.com:8080/',
    'ws://deepgram.example.com:8080',
  ])('calls the container %s, without a key', async (uri) => {
    const own = { deepgram_stt_uri: uri, deepgram_tts_uri: 'http://deepgram.example.com:8080' }
    expect(await requestsFor(own, 'recognize')).toEqual(['deepgram.example.com:8080/v1/listen'])
    expect(await requestsFor(own, 'probe')).toEqual(['deepgram.example.com:8080/v1/models'])
    expect(await requestsFor(own, 'speak')).toEqual(['deepgram.example.com:8080/v1/speak'])
  })

  it('does not call a container in an internal network', async () => {
    const own = { deepgram_stt_uri: '10.0.0.7:8080', deepgram_tts_uri: 'http://169.254.169.254' }
    const refused = {
      name: 'Refused',
      message:
        'The address is in an internal network, which this server may only reach if SWITCHROOM_ALLOW_NETWORKS names it',
    }
    const out = outbound([])
    await expect(deepgram.probe!.stt!(own, out)).rejects.toMatchObject(refused)
    await expect(deepgram.probe!.tts!(own, out)).rejects.toMatchObject(refused)
    await expect(deepgram.catalogue!(own, out)).rejects.toMatchObject(refused)
    await expect(deepgram.speak!(own, sentence, out)).rejects.toMatchObject(refused)
    await expect(deepgram.recognize!(own, silence(), out)).rejects.toMatchObject(refused)
  })
})

it('reports an unknown model', async () => {
  const missing = { ...sentence, voice: 'aura-9-nobody-en' }
  await expect(deepgram.speak!(config, missing, await reaching(standIn))).rejects.toMatchObject({
    message: 'the vendor answered 400: No such model/version combination found.',
  })
  await expect(
    deepgram.recognize!({ ...config, model_id: 'nova-9' }, silence(), await reaching(standIn)),
  ).rejects.toMatchObject({
    message: 'the vendor answered 400: No such model/language/version/tier combination found.',
  })
})
