import { generateKeyPairSync } from 'node:crypto'
import { jwtVerify } from 'jose'
import type { StandIn, VendorRequest, VendorResponse } from '../speech-server.ts'
import { aFrame } from './sounds.ts'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const pem = (key: typeof privateKey) => String(key.export({ type: 'pkcs8', format: 'pem' }))
const email = 'speech@canary.iam.gserviceaccount.com'
const token = 'ya29.canary-token'

/** A valid service key. Its URLs must be ignored. */
export const serviceKey = (change: object = {}) =>
  JSON.stringify({
    type: 'service_account',
    project_id: 'canary',
    client_email: email,
    private_key: pem(privateKey),
    token_uri: 'http://169.254.169.254/token',
    ...change,
  })
export const otherKey = () => pem(generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey)

const error = (code: number, status: string, message: string): VendorResponse => ({
  status: code,
  body: { error: { code, message, status } },
})
const voice = (name: string, ssmlGender: string, ...languageCodes: string[]) => ({
  languageCodes,
  name,
  ssmlGender,
  naturalSampleRateHertz: 24_000,
})

async function grant({ method, headers, body }: VendorRequest): Promise<VendorResponse> {
  const form = new URLSearchParams(String(body))
  const { scope } = (
    await jwtVerify(form.get('assertion') ?? '', publicKey, {
      issuer: email,
      audience: 'https://oauth2.googleapis.com/token',
      maxTokenAge: '1h',
    }).catch(() => ({ payload: { scope: undefined } }))
  ).payload
  if (
    method !== 'POST' ||
    headers['content-type'] !== 'application/x-www-form-urlencoded' ||
    form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer'
  )
    return { status: 400, body: { error: 'unsupported_grant_type' } }
  if (scope !== 'https://www.googleapis.com/auth/cloud-platform')
    return {
      status: 400,
      body: { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' },
    }
  return { status: 200, body: { access_token: token, expires_in: 3_599, token_type: 'Bearer' } }
}

type Synthesis = {
  input?: { text?: string; ssml?: string }
  voice: { name: string; languageCode: string; modelName?: string }
  audioConfig?: { audioEncoding?: string }
}
function synthesise({ input, voice: v, audioConfig }: Synthesis): VendorResponse {
  const gemini = /^[A-Z][a-z]+$/.test(v.name)
  if (typeof input?.text !== 'string' && typeof input?.ssml !== 'string')
    return error(400, 'INVALID_ARGUMENT', 'Input is empty')
  if (audioConfig?.audioEncoding !== 'MP3') return error(400, 'INVALID_ARGUMENT', 'No encoding')
  if (gemini !== !!v.modelName)
    return error(400, 'INVALID_ARGUMENT', 'This voice requires a model name to be specified.')
  if (!gemini && !v.name.startsWith(`${v.languageCode}-`))
    return error(400, 'INVALID_ARGUMENT', 'Requested language code does not match the voice.')
  return { status: 200, body: { audioContent: aFrame.toString('base64') } }
}

type Recognition = {
  config?: { encoding?: string; sampleRateHertz?: number }
  audio?: { content?: string }
}
function listen({ config, audio }: Recognition): VendorResponse {
  if (!audio?.content) return error(400, 'INVALID_ARGUMENT', 'RecognitionAudio not set.')
  if (config?.encoding !== 'LINEAR16' || ![8_000, 16_000].includes(config.sampleRateHertz ?? 0))
    return error(400, 'INVALID_ARGUMENT', 'Invalid recognition config: bad encoding..')
  const pcm = Buffer.from(audio.content, 'base64')
  if (!pcm.some((b) => b !== 0)) return { status: 200, body: {} }
  return {
    status: 200,
    body: {
      results: [
        { alternatives: [{ transcript: 'hello', confidence: 0.9 }] },
        { alternatives: [{ transcript: ' world' }] },
      ],
    },
  }
}

/** Google's token service, Text-to-Speech v1, Speech v1, and the locations of v2 if enabled. */
export const googleStandIn = ({ v2 = true } = {}): StandIn => ({
  hosts: ['oauth2.googleapis.com', 'texttospeech.googleapis.com', 'speech.googleapis.com'],
  async http(request) {
    const { host, method, url, headers } = request
    if (host === 'oauth2.googleapis.com')
      return url.pathname === '/token' ? grant(request) : { status: 404 }
    if (headers.authorization !== `Bearer ${token}`)
      return error(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.')
    const json =
      method === 'POST' && headers['content-type'] === 'application/json'
        ? JSON.parse(String(request.body))
        : undefined
    switch (`${method} ${host}${url.pathname}`) {
      case 'GET texttospeech.googleapis.com/v1/voices':
        return {
          status: 200,
          body: {
            voices: [
              voice('en-US-Standard-C', 'FEMALE', 'en-US'),
              voice('en-US-Chirp3-HD-Kore', 'FEMALE', 'en-US'),
              voice('Kore', 'FEMALE', 'en-US'),
              voice('cmn-CN-Standard-B', 'MALE', 'cmn-CN', 'zh-CN'),
            ],
          },
        }
      case 'POST texttospeech.googleapis.com/v1/text:synthesize':
        return synthesise(json)
      case 'POST speech.googleapis.com/v1/speech:recognize':
        return listen(json)
      case 'GET speech.googleapis.com/v2/projects/canary/locations/global':
        return v2
          ? {
              status: 200,
              body: {
                locationId: 'global',
                metadata: { languages: { models: { auto: {}, 'en-US': {}, 'de-DE': {} } } },
              },
            }
          : error(403, 'PERMISSION_DENIED', 'Cloud Speech-to-Text API has not been used.')
    }
    return { status: 404 }
  },
})

export const googleFaults = {
  quota: error(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded for quota metric'),
  outOfQuota: 'quota or concurrency limit exceeded: Quota exceeded for quota metric',
  echo: (reason: string) => error(400, 'FAILED_PRECONDITION', reason),
  echoed:
    /^((invalid service key|the vendor answered 400): no: |the vendor returned an unexpected answer$)/,
}
