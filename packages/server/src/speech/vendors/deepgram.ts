import { type ConfigOf, type SpeechCatalogue, vendors } from '@switchroom/contract'
import { z } from 'zod'
import { toWav } from '../../audio/wav.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { addressOf, askJson, askSound, optionsFor } from '../ask.ts'
import { byLanguage, choices, languages, nameOf } from '../choices.ts'
import { protocol } from '../protocol.ts'
import type { RequestOptions } from '../refusal.ts'

type Config = ConfigOf<typeof vendors.deepgram>
/** `selfHosted`: a container of the customer's, not Deepgram's cloud. */
type Server = { url: string; selfHosted: boolean }

const CLOUD = 'https://api.deepgram.com'

/** The speech-to-text URL: the cloud, a region or a container. */
function sttServerOf({ deepgram_stt_uri: uri, deepgram_stt_use_tls: tls }: Config): Server {
  if (!uri) return { url: CLOUD, selfHosted: false }
  const cloud = /^(?:https:\/\/)?[\w.-]+\.deepgram\.com$/.test(String(uri))
  return { url: addressOf(uri, cloud || tls), selfHosted: !cloud }
}

/** The text-to-speech URL. Regions have only speech-to-text, so the platform uses the cloud for the rest. */
const ttsServerOf = ({ deepgram_tts_uri: uri }: Config): Server =>
  uri ? { url: addressOf(uri, false), selfHosted: true } : { url: CLOUD, selfHosted: false }

/** The authorization header. Containers may have no key. */
export const tokenOf = (key: unknown): Record<string, string> =>
  key ? { authorization: `Token ${key}` } : {}

const requestOptions = optionsFor(vendors.deepgram)

const SpeechModel = z.object({
  name: z.string(),
  canonical_name: z.string(),
  architecture: z.string().optional(),
  languages: z.array(z.string()).default([]),
})
const Models = z.object({
  stt: z.array(SpeechModel).optional(),
  tts: z.array(SpeechModel).optional(),
  languages: z.record(z.string(), z.string()).optional(),
})

const nonEmpty = <T extends z.ZodType>(item: T) => z.tuple([item]).rest(item)
const Transcript = z.object({
  results: z.object({
    channels: nonEmpty(z.object({ alternatives: nonEmpty(z.object({ transcript: z.string() })) })),
  }),
})

type SpeechModel = z.infer<typeof SpeechModel>

const modelsAt = (url: string, config: Config, call: 'probe' | 'catalogue', out: Outbound) =>
  askJson(
    out,
    `${url}/v1/models`,
    { headers: tokenOf(config.api_key) },
    {
      ...requestOptions(config, call),
      shape: Models.refine(({ stt, tts }) => stt || tts),
    },
  )

/** Verifies a key by listing its projects. */
export async function verifyKey(url: string, key: unknown, options: RequestOptions, out: Outbound) {
  const shape = z.object({ projects: z.array(z.unknown()) })
  await askJson(out, `${url}/v1/projects`, { headers: tokenOf(key) }, { ...options, shape })
}

async function probe({ url, selfHosted }: Server, config: Config, out: Outbound) {
  if (selfHosted) await modelsAt(url, config, 'probe', out)
  else await verifyKey(url, config.api_key, requestOptions(config, 'probe'), out)
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
const unique = <T>(list: T[]) => [...new Set(list)]

const voice = ({ name, canonical_name, architecture }: SpeechModel) => ({
  value: canonical_name,
  name: [architecture?.replace('-', ' '), name]
    .filter((part) => part !== undefined)
    .map(capitalized)
    .join(' '),
})

/** `nova-3-general` is the same as `nova-3`. */
const namesOf = ({ canonical_name: name }: SpeechModel) =>
  name.endsWith('-general') ? [name.slice(0, -'-general'.length), name] : [name]

function sttCatalogue(
  models: SpeechModel[],
  names: Record<string, string>,
  chosen: unknown,
): SpeechCatalogue {
  const ofModel = models.filter((m) => namesOf(m).includes(String(chosen)))
  const codes = unique((ofModel.length ? ofModel : models).flatMap((m) => m.languages))
  return {
    stt: codes.sort().map((value) => ({
      value,
      name: value === 'multi' ? 'Multilingual' : (names[value] ?? nameOf(value)),
    })),
    sttModels: unique(models.flatMap(namesOf))
      .sort()
      .map((value) => ({ value, name: value })),
  }
}

function ttsCatalogue(models: SpeechModel[]): SpeechCatalogue {
  const each = models.map((model) => ({ ...voice(model), languages: model.languages }))
  return {
    tts: byLanguage(each.flatMap((v) => v.languages.map((language) => ({ ...v, language })))),
    models: each.sort((a, b) => a.name.localeCompare(b.name, 'en')),
  }
}

const auraVoices = (model: string, voices: string) =>
  voices.split(' ').map((name) => ({
    value: `${model}-${name}-en`,
    name: `${capitalized(model.replace('-', ' '))} ${capitalized(name)}`,
  }))
const AURA = [
  ...auraVoices(
    'aura',
    'asteria luna stella athena hera orion arcas perseus angus orpheus helios zeus',
  ),
  ...auraVoices('aura-2', 'thalia amalthea andromeda helena apollo arcas aries'),
]

export const deepgram = protocol(vendors.deepgram, {
  fallback: {
    tts: [{ value: 'en-US', name: nameOf('en-US'), voices: AURA }],
    stt: [
      { value: 'multi', name: 'Multilingual' },
      ...languages(
        'bg ca cs da de de-CH el en en-AU en-GB en-IN en-NZ en-US es es-419 et fi fr fr-CA hi hu id it ja ko lt lv ms nl nl-BE no pl pt pt-BR ro ru sk sv th tr uk vi zh zh-CN zh-TW',
      ),
    ],
    models: AURA,
    sttModels: choices(
      'nova-3 nova-3-general nova-3-medical nova-2 nova-2-general nova-2-meeting nova-2-phonecall nova-2-conversationalai nova nova-phonecall enhanced enhanced-phonecall base base-phonecall whisper whisper-large whisper-medium whisper-small',
    ),
  },

  probe: {
    tts: (config, out) => probe(ttsServerOf(config), config, out),
    stt: (config, out) => probe(sttServerOf(config), config, out),
  },

  async catalogue(config, out) {
    const [ttsServer, sttServer] = [ttsServerOf(config), sttServerOf(config)]
    // a container's key may be unknown to the cloud
    const modelsOf = async ({ url, selfHosted }: Server): Promise<z.infer<typeof Models>> =>
      selfHosted || !(ttsServer.selfHosted || sttServer.selfHosted)
        ? modelsAt(url, config, 'catalogue', out)
        : {}
    const modelsOfTts = modelsOf(ttsServer)
    const [ttsModels, sttModels] = await Promise.all([
      modelsOfTts,
      sttServer.url === ttsServer.url ? modelsOfTts : modelsOf(sttServer),
    ])
    return {
      ...(ttsModels.tts?.length && ttsCatalogue(ttsModels.tts)),
      ...(sttModels.stt?.length &&
        sttCatalogue(sttModels.stt, sttModels.languages ?? {}, config.model_id)),
    }
  },

  speak(config, { text, voice }, out) {
    const query = new URLSearchParams({ model: voice, encoding: 'mp3' })
    return askSound(
      out,
      `${ttsServerOf(config).url}/v1/speak?${query}`,
      { headers: tokenOf(config.api_key), json: { text } },
      requestOptions(config, 'speak'),
    )
  },

  async recognize(config, { pcm, rate, language }, out) {
    const { url, selfHosted } = sttServerOf(config)
    // a container has only the models installed in it
    const model = config.model_id || (selfHosted ? undefined : 'nova-3')
    const query = new URLSearchParams({
      punctuate: 'true',
      ...(model && { model: String(model) }),
      ...(language && { language }),
    })
    const { results } = await askJson(
      out,
      `${url}/v1/listen?${query}`,
      {
        headers: { ...tokenOf(config.api_key), 'content-type': 'audio/wav' },
        body: toWav(pcm, rate),
      },
      { ...requestOptions(config, 'recognize'), shape: Transcript },
    )
    return results.channels[0].alternatives[0].transcript
  },
})
