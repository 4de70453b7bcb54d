import { t, vendors } from '@switchroom/contract'
import { z } from 'zod'
import { toWav } from '../../audio/wav.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { askBytes, askJson, askSound, hostPart, secretsOf } from '../ask.ts'
import { byLanguage, LOCALES, languages, nameOf, voicesByLanguage } from '../choices.ts'
import { LIMITS, protocol, Refused, type Sentence } from '../protocol.ts'
import { INVALID_KEY_OR_REGION, nonsense, type RequestOptions } from '../refusal.ts'
import { recognizeWav, transcriptOf } from './microsoft-socket.ts'

type Config = Partial<
  Record<
    | 'region'
    | 'api_key'
    | 'custom_tts_endpoint'
    | 'custom_tts_endpoint_url'
    | 'custom_stt_endpoint'
    | 'custom_stt_endpoint_url',
    string | boolean
  >
>

const Voices = z.array(
  z.object({
    ShortName: z.string(),
    DisplayName: z.string(),
    Gender: z.string().optional(),
    Locale: z.string(),
    LocaleName: z.string().optional(),
    Status: z.string().optional(),
  }),
)
const Locales = z.array(z.string())
const Status = z.object({ apiStatus: z.string(), apiStatusMessage: z.string().optional() })
const Recognized = z.object({ RecognitionStatus: z.string(), DisplayText: z.string().optional() })

/** The authentication of requests. */
function key(config: Config, limit: RequestOptions['limit']) {
  const invalid = INVALID_KEY_OR_REGION
  return {
    headers: config.api_key ? { 'ocp-apim-subscription-key': String(config.api_key) } : undefined,
    requestOptions: {
      secrets: secretsOf(vendors.microsoft, config),
      limit,
      says: { 401: invalid, 403: invalid },
    } satisfies RequestOptions,
  }
}

/** The hosts of a region. Government regions have other domains. */
function hosted(config: Config) {
  const region = hostPart(config.region, t('the region'))
  const gov = region.startsWith('usgov')
  const cloud = gov ? 'azure.us' : 'microsoft.com'
  return {
    api: `https://${region}.api.cognitive.microsoft.${gov ? 'us' : 'com'}`,
    tts: `https://${region}.tts.speech.${cloud}/cognitiveservices`,
    stt: `https://${region}.stt.speech.${cloud}/speech/recognition/conversation/cognitiveservices/v1`,
    // the host of custom voices
    voice: `https://${region}.voice.speech.${cloud}/cognitiveservices`,
  }
}

/** The URL of a container, with the default path if the setting has none. */
function containerUrl(url: string | boolean, path: string): URL {
  const address = URL.parse(String(url).replace(/^ws/i, 'http'))
  if (!address?.protocol.startsWith('http')) throw new Refused(t('the container URL is invalid'))
  if (address.pathname === '/') address.pathname = path
  return address
}

/** Asks a container for the status of its own key, which is free. */
async function checkContainer(url: string | boolean, config: Config, out: Outbound) {
  const { headers, requestOptions } = key(config, LIMITS.probe)
  const { apiStatus, apiStatusMessage } = await askJson(
    out,
    new URL('/status', containerUrl(url, '/')).href,
    { ...(headers && { headers }) },
    { ...requestOptions, shape: Status },
  )
  if (apiStatus.toLowerCase() !== 'valid')
    throw new Refused(
      t('the container says {status}', { status: apiStatusMessage ?? apiStatus }).slice(0, 200),
    )
}

async function issuesToken(config: Config, out: Outbound) {
  const { headers, requestOptions } = key(config, LIMITS.probe)
  const { bytes } = await askBytes(
    out,
    `${hosted(config).api}/sts/v1.0/issueToken`,
    { method: 'POST', ...(headers && { headers }), body: '' },
    requestOptions,
  )
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(String(bytes))) throw nonsense()
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
const xml = (text: string) =>
  text
    // characters that XML does not allow
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, ' ')
    .replace(/[&<>"']/g, (c) => ENTITIES[c]!)

/** Wraps text in SSML. SSML stays unchanged. */
const ssml = ({ text, language, voice }: Sentence) =>
  text.startsWith('<speak')
    ? text
    : `<speak version="1.0" xmlns="http://www.w3.org/2001/10/synthesis" xml:lang="${xml(language)}"><voice name="${xml(voice)}">${xml(text)}</voice></speak>`

export const microsoft = protocol(vendors.microsoft, {
  probe: {
    tts: (config, out) =>
      config.custom_tts_endpoint_url
        ? checkContainer(config.custom_tts_endpoint_url, config, out)
        : issuesToken(config, out),
    stt: (config, out) =>
      config.custom_stt_endpoint_url
        ? checkContainer(config.custom_stt_endpoint_url, config, out)
        : issuesToken(config, out),
  },

  async catalogue(config, out) {
    const { headers, requestOptions } = key(config, LIMITS.catalogue)
    const onPrem = config.custom_tts_endpoint_url
    const how = { ...(headers && { headers }) }
    if (!config.region && !onPrem) throw new Refused(t('containers offer no list of languages'))
    const voices = await askJson(
      out,
      onPrem
        ? new URL('/cognitiveservices/voices/list', containerUrl(onPrem, '/')).href
        : `${hosted(config).tts}/voices/list`,
      how,
      { ...requestOptions, shape: Voices },
    )
    const tts = byLanguage(
      voices
        .filter((v) => v.Status !== 'Deprecated')
        .map((v) => ({
          language: v.Locale,
          ...(v.LocaleName && { languageName: v.LocaleName }),
          value: v.ShortName,
          name: v.Gender ? `${v.DisplayName} (${v.Gender})` : v.DisplayName,
        })),
    )
    if (onPrem) return { tts }
    const locales = await askJson(
      out,
      `${hosted(config).api}/speechtotext/transcriptions/locales?api-version=2024-11-15`,
      how,
      { ...requestOptions, shape: Locales },
    )
    return { tts, stt: locales.map((value) => ({ value, name: nameOf(value) })) }
  },

  async speak(config, sentence, out) {
    const { headers, requestOptions } = key(config, LIMITS.speak)
    const onPrem = config.custom_tts_endpoint_url
    const deployed = config.custom_tts_endpoint
    const url = onPrem
      ? containerUrl(onPrem, '/cognitiveservices/v1').href
      : deployed
        ? `${hosted(config).voice}/v1?${new URLSearchParams({ deploymentId: String(deployed) })}`
        : `${hosted(config).tts}/v1`
    return askSound(
      out,
      url,
      {
        headers: {
          ...headers,
          'content-type': 'application/ssml+xml',
          'x-microsoft-outputformat': 'audio-16khz-32kbitrate-mono-mp3',
          'user-agent': 'switchroom',
        },
        body: ssml(sentence),
      },
      requestOptions,
    )
  },

  async recognize(config, { pcm, rate, language }, out) {
    const { headers, requestOptions } = key(config, LIMITS.recognize)
    const onPrem = config.custom_stt_endpoint_url
    const path = '/speech/recognition/conversation/cognitiveservices/v1'
    // containers support speech-to-text only over WebSocket
    if (onPrem) {
      const url = containerUrl(onPrem, path)
      url.protocol = url.protocol.replace('http', 'ws')
      url.searchParams.set('language', language)
      url.searchParams.set('format', 'simple')
      return recognizeWav(out, url.href, headers ?? {}, toWav(pcm, rate), requestOptions)
    }
    const query = new URLSearchParams({ language, format: 'simple' })
    if (config.custom_stt_endpoint) query.set('cid', String(config.custom_stt_endpoint))
    const { RecognitionStatus, DisplayText } = await askJson(
      out,
      `${hosted(config).stt}?${query}`,
      {
        headers: {
          ...headers,
          'content-type': `audio/wav; codecs=audio/pcm; samplerate=${rate}`,
        },
        body: toWav(pcm, rate),
      },
      { ...requestOptions, shape: Recognized },
    )
    return transcriptOf(RecognitionStatus, DisplayText)
  },

  fallback: {
    tts: voicesByLanguage({
      'en-US':
        'en-US-AriaNeural=Aria en-US-AvaNeural=Ava en-US-DavisNeural=Davis en-US-GuyNeural=Guy en-US-JennyNeural=Jenny',
      'en-GB': 'en-GB-LibbyNeural=Libby en-GB-RyanNeural=Ryan en-GB-SoniaNeural=Sonia',
      'en-AU': 'en-AU-NatashaNeural=Natasha en-AU-WilliamNeural=William',
      'de-DE': 'de-DE-ConradNeural=Conrad de-DE-KatjaNeural=Katja',
      'es-ES': 'es-ES-AlvaroNeural=Álvaro es-ES-ElviraNeural=Elvira',
      'es-MX': 'es-MX-DaliaNeural=Dalia es-MX-JorgeNeural=Jorge',
      'fr-FR': 'fr-FR-DeniseNeural=Denise fr-FR-HenriNeural=Henri',
      'it-IT': 'it-IT-DiegoNeural=Diego it-IT-ElsaNeural=Elsa',
      'ja-JP': 'ja-JP-KeitaNeural=Keita ja-JP-NanamiNeural=Nanami',
      'nl-NL': 'nl-NL-ColetteNeural=Colette nl-NL-MaartenNeural=Maarten',
      'pt-BR': 'pt-BR-AntonioNeural=Antônio pt-BR-FranciscaNeural=Francisca',
    }),
    stt: languages(LOCALES),
  },
})
