import { pcmOf } from '../../../src/audio/wav.ts'
import type { StandIn, VendorRequest, VendorResponse } from '../speech-server.ts'
import { aFrame } from './sounds.ts'

export const ibmKeys = { tts: 'canary-tts-key', stt: 'canary-stt-key' }

const error = (code: number, message: string): VendorResponse => ({
  status: code,
  body: { code, error: message, code_description: 'No' },
})
const TTS = 'api.eu-de.text-to-speech.watson.cloud.ibm.com'
const STT = 'api.eu-de.speech-to-text.watson.cloud.ibm.com'

const basic = (key: string) => `Basic ${Buffer.from(`apikey:${key}`).toString('base64')}`

function speak({ url, headers, body }: VendorRequest): VendorResponse {
  if (headers.accept !== 'audio/mp3') return error(406, 'Unsupported media')
  if (headers['content-type'] !== 'application/json')
    return error(415, 'The request Content-Type is not supported')
  const { text } = JSON.parse(String(body)) as { text?: unknown }
  if (typeof text !== 'string') return error(400, 'Required parameter text is missing')
  if (url.searchParams.get('voice') !== 'en-US_AllisonV3Voice') return error(404, 'Model not found')
  return { status: 200, headers: { 'content-type': 'audio/mp3' }, body: aFrame }
}

function listen({ url, headers, body }: VendorRequest): VendorResponse {
  if (headers['content-type'] !== 'audio/wav')
    return error(415, 'The request Content-Type is not supported')
  const wav = pcmOf(body)
  if (!wav) return error(400, 'unable to transcode data stream audio/wav')
  if (url.searchParams.get('model') !== 'en-US_Telephony')
    return error(404, `Model ${url.searchParams.get('model')} not found`)
  const hasSound = wav.pcm.some((b) => b !== 0)
  return {
    status: 200,
    body: {
      result_index: 0,
      results: hasSound ? [{ final: true, alternatives: [{ transcript: 'hello world ' }] }] : [],
    },
  }
}

/** Both Watson services in Frankfurt, with a speech-to-text instance `canary-1`. */
export const ibmStandIn: StandIn = {
  hosts: [TTS, STT],
  http(request) {
    const { host, method, url, headers } = request
    const key = host === TTS ? ibmKeys.tts : ibmKeys.stt
    if (headers.authorization !== basic(key)) return error(401, 'Unauthorized')
    switch (`${method} ${host}${url.pathname}`) {
      case `GET ${TTS}/v1/voices`:
        return {
          status: 200,
          body: {
            voices: [
              { name: 'en-US_AllisonV3Voice', language: 'en-US', gender: 'female' },
              { name: 'de-DE_DieterV3Voice', language: 'de-DE', gender: 'male' },
            ],
          },
        }
      case `POST ${TTS}/v1/synthesize`:
        return speak(request)
      case `GET ${STT}/instances/canary-1/v1/models`:
        return {
          status: 200,
          body: {
            models: [
              {
                name: 'en-US_Telephony',
                language: 'en-US',
                rate: 8_000,
                description: 'US English telephony model for narrowband audio.',
              },
              { name: 'de-DE_Telephony', language: 'de-DE', rate: 8_000 },
            ],
          },
        }
      case `POST ${STT}/instances/canary-1/v1/recognize`:
        return listen(request)
    }
    return error(404, 'Not Found')
  },
}

export const ibmFaults = {
  quota: error(429, 'Too many requests'),
  outOfQuota: 'quota or concurrency limit exceeded: Too many requests',
  echo: (reason: string) => error(400, reason),
}
