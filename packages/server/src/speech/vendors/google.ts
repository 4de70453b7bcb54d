import { membersOf, readServiceKey, t, vendors } from '@switchroom/contract'
import { importPKCS8, SignJWT } from 'jose'
import { z } from 'zod'
import type { Outbound } from '../../outbound/outbound.ts'
import { askJson, secretsOf, soundOf } from '../ask.ts'
import { byLanguage, LOCALES, languages, nameOf, voicesByLanguage } from '../choices.ts'
import { type CustomVoice, LIMITS, protocol, Refused } from '../protocol.ts'
import type { RequestOptions } from '../refusal.ts'

// fixed, whatever a service key contains; Google's own library does not accept a guarded agent (ADR 006)
const TOKEN = 'https://oauth2.googleapis.com/token'
const SPEAKING = 'https://texttospeech.googleapis.com/v1'
const SPEAKING_BETA = 'https://texttospeech.googleapis.com/v1beta1'
const LISTENING = 'https://speech.googleapis.com'

type Config = { service_key?: string | boolean; model_id?: string | boolean }

const Token = z.object({ access_token: z.string().min(1) })
const Voices = z.object({
  voices: z
    .array(
      z.object({
        name: z.string(),
        languageCodes: z.array(z.string()).min(1),
        ssmlGender: z.string().optional(),
      }),
    )
    .default([]),
})
const Location = z.object({
  metadata: z.object({ languages: z.object({ models: z.record(z.string(), z.unknown()) }) }),
})
const Sound = z.object({ audioContent: z.string() })
const Recognized = z.object({
  results: z
    .array(
      z.object({ alternatives: z.array(z.object({ transcript: z.string().default('') })).min(1) }),
    )
    .default([]),
})
/** Google's error for an empty recording, which proves that the key is accepted. */
const Invalid = z.object({ error: z.object({ status: z.literal('INVALID_ARGUMENT') }) })

/** Exchanges the service key for a token. Returns the headers and the secrets to remove from messages. */
async function signedIn(config: Config, out: Outbound, limit: RequestOptions['limit']) {
  const key = readServiceKey(String(config.service_key))
  const secrets = secretsOf(vendors.google, config)
  const signing = key && (await importPKCS8(key.private_key, 'RS256').catch(() => undefined))
  if (!signing) throw new Refused(t('the service key has no private key that can sign'))
  const assertion = await new SignJWT({ scope: 'https://www.googleapis.com/auth/cloud-platform' })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(key.client_email)
    .setAudience(TOKEN)
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(signing)
  const invalid = (reason: string) =>
    reason ? t('invalid service key: {reason}', { reason }) : t('invalid service key')
  const { access_token } = await askJson(
    out,
    TOKEN,
    { form: { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion } },
    {
      secrets: [...secrets, assertion],
      limit,
      shape: Token,
      // invalid_grant, invalid_client: unknown account or wrong key
      says: { 400: invalid, 401: invalid },
    },
  )
  return {
    headers: { authorization: `Bearer ${access_token}` },
    requestOptions: {
      secrets: [...secrets, assertion, access_token],
      limit,
      says: { 401: invalid },
    },
  }
}

async function voices(config: Config, out: Outbound, limit: RequestOptions['limit']) {
  const { headers, requestOptions } = await signedIn(config, out, limit)
  const shape = Voices
  const found = await askJson(out, `${SPEAKING}/voices`, { headers }, { ...requestOptions, shape })
  return { voices: found.voices, headers, requestOptions }
}

/** Gemini voices have names of stars. Chirp 3 HD has the same names, per language. */
const chirpName = (name: string) => /^(?:.+-Chirp3-HD-)?([A-Z][a-z]+)$/.exec(name)?.[1]

/** The languages from version 2 of the API, if the project has enabled it. */
async function recognized(
  config: Config,
  out: Outbound,
  how: object,
  requestOptions: RequestOptions,
) {
  const { project_id } = membersOf(JSON.parse(String(config.service_key)))
  if (typeof project_id !== 'string') return undefined
  try {
    const { metadata } = await askJson(
      out,
      `${LISTENING}/v2/projects/${encodeURIComponent(project_id)}/locations/global`,
      how,
      { ...requestOptions, shape: Location },
    )
    const codes = Object.keys(metadata.languages.models).filter((code) => code !== 'auto')
    return codes.map((value) => ({ value, name: nameOf(value) }))
  } catch (e) {
    // most projects enable only version 1, which has no such list
    if (e instanceof Refused) return undefined
    throw e
  }
}

/** Synthesizes with a custom voice. Cloned voices need the beta API. */
async function transcriptOf(
  custom: CustomVoice,
  { text, language }: { text: string; language: string },
  {
    headers,
    requestOptions,
  }: Pick<Awaited<ReturnType<typeof signedIn>>, 'headers' | 'requestOptions'>,
  out: Outbound,
) {
  const cloned = 'cloning_key' in custom
  const voice = cloned
    ? { voiceClone: { voiceCloningKey: custom.cloning_key } }
    : { customVoice: { model: custom.model, reportedUsage: custom.reported_usage } }
  const { audioContent } = await askJson(
    out,
    `${cloned ? SPEAKING_BETA : SPEAKING}/text:synthesize`,
    {
      headers,
      json: {
        input: text.startsWith('<speak') ? { ssml: text } : { text },
        voice: { languageCode: language, ...voice },
        audioConfig: { audioEncoding: 'MP3' },
      },
    },
    {
      ...requestOptions,
      secrets: [...requestOptions.secrets, ...(cloned ? [custom.cloning_key] : [])],
      shape: Sound,
    },
  )
  return soundOf(Buffer.from(audioContent, 'base64'))
}

export const google = protocol(vendors.google, {
  probe: {
    tts: async (config, out) => void (await voices(config, out, LIMITS.probe)),
    async stt(config, out) {
      const { headers, requestOptions } = await signedIn(config, out, LIMITS.probe)
      await askJson(
        out,
        `${LISTENING}/v1/speech:recognize`,
        { headers, json: { config: { languageCode: 'en-US' }, audio: {} } },
        { ...requestOptions, takes: [400], shape: Invalid },
      )
    },
  },

  async catalogue(config, out) {
    const { voices: found, headers, requestOptions } = await voices(config, out, LIMITS.catalogue)
    const stt = await recognized(config, out, { headers }, requestOptions)
    const offered = found.flatMap(({ name, languageCodes, ssmlGender }) => {
      const language = languageCodes[0]!
      const star = chirpName(name)
      const value = config.model_id ? star : star === name ? undefined : name
      if (!value) return []
      const short = value.startsWith(`${language}-`) ? value.slice(language.length + 1) : value
      return [{ language, value, name: ssmlGender ? `${short} (${ssmlGender})` : short }]
    })
    return { tts: byLanguage(offered), ...(stt?.length && { stt }) }
  },

  async speak(config, { text, language, voice, custom }, out) {
    const { headers, requestOptions } = await signedIn(config, out, LIMITS.speak)
    if (custom) return transcriptOf(custom, { text, language }, { headers, requestOptions }, out)
    const gemini = typeof config.model_id === 'string' && config.model_id
    const { audioContent } = await askJson(
      out,
      `${SPEAKING}/text:synthesize`,
      {
        headers,
        json: {
          input: text.startsWith('<speak') && !gemini ? { ssml: text } : { text },
          voice: { languageCode: language, name: voice, ...(gemini && { modelName: gemini }) },
          audioConfig: { audioEncoding: 'MP3' },
        },
      },
      { ...requestOptions, shape: Sound },
    )
    return soundOf(Buffer.from(audioContent, 'base64'))
  },

  async recognize(config, { pcm, rate, language }, out) {
    const { headers, requestOptions } = await signedIn(config, out, LIMITS.recognize)
    const { results } = await askJson(
      out,
      `${LISTENING}/v1/speech:recognize`,
      {
        headers,
        json: {
          config: { encoding: 'LINEAR16', sampleRateHertz: rate, languageCode: language },
          audio: { content: pcm.toString('base64') },
        },
      },
      { ...requestOptions, shape: Recognized },
    )
    return results
      .map((r) => r.alternatives[0]!.transcript.trim())
      .join(' ')
      .trim()
  },

  fallback: {
    tts: voicesByLanguage(
      {
        'en-US':
          'en-US-Standard-A=Standard-A (MALE), en-US-Standard-B=Standard-B (MALE), en-US-Standard-C=Standard-C (FEMALE), en-US-Standard-D=Standard-D (MALE), en-US-Standard-E=Standard-E (FEMALE), en-US-Wavenet-C=Wavenet-C (FEMALE), en-US-Wavenet-D=Wavenet-D (MALE), en-US-Neural2-C=Neural2-C (FEMALE), en-US-Neural2-D=Neural2-D (MALE)',
        'en-GB':
          'en-GB-Standard-A=Standard-A (FEMALE), en-GB-Standard-B=Standard-B (MALE), en-GB-Wavenet-A=Wavenet-A (FEMALE), en-GB-Wavenet-B=Wavenet-B (MALE)',
        'en-AU': 'en-AU-Standard-A=Standard-A (FEMALE), en-AU-Standard-B=Standard-B (MALE)',
        'de-DE':
          'de-DE-Standard-A=Standard-A (FEMALE), de-DE-Standard-B=Standard-B (MALE), de-DE-Wavenet-A=Wavenet-A (FEMALE), de-DE-Wavenet-B=Wavenet-B (MALE)',
        'es-ES': 'es-ES-Standard-A=Standard-A (FEMALE), es-ES-Standard-B=Standard-B (MALE)',
        'es-US': 'es-US-Standard-A=Standard-A (FEMALE), es-US-Standard-B=Standard-B (MALE)',
        'fr-FR': 'fr-FR-Standard-A=Standard-A (FEMALE), fr-FR-Standard-B=Standard-B (MALE)',
        'fr-CA': 'fr-CA-Standard-A=Standard-A (FEMALE), fr-CA-Standard-B=Standard-B (MALE)',
        'it-IT': 'it-IT-Standard-A=Standard-A (FEMALE), it-IT-Standard-C=Standard-C (MALE)',
        'ja-JP': 'ja-JP-Standard-A=Standard-A (FEMALE), ja-JP-Standard-C=Standard-C (MALE)',
        'nl-NL': 'nl-NL-Standard-A=Standard-A (FEMALE), nl-NL-Standard-B=Standard-B (MALE)',
        'pt-BR': 'pt-BR-Standard-A=Standard-A (FEMALE), pt-BR-Standard-B=Standard-B (MALE)',
      },
      ', ',
    ),
    stt: languages(LOCALES),
  },
})
