import { vendors } from '@switchroom/contract'
import { z } from 'zod'
import type { Outbound } from '../../outbound/outbound.ts'
import { askJson, askSound } from '../ask.ts'
import { byLanguage, LOCALES, languages, voicesByLanguage } from '../choices.ts'
import { LIMITS, protocol } from '../protocol.ts'
import type { RequestOptions } from '../refusal.ts'
import { type Config, aws as signing } from './aws-signed.ts'
import { transcribe } from './aws-socket.ts'

const Voices = z.object({
  Voices: z.array(
    z.object({
      Id: z.string(),
      Name: z.string(),
      Gender: z.string().optional(),
      LanguageCode: z.string(),
      LanguageName: z.string().optional(),
      AdditionalLanguageCodes: z.array(z.string()).nullish(),
      SupportedEngines: z.array(z.string()).default(['standard']),
    }),
  ),
  NextToken: z.string().nullish(),
})
type Voice = z.output<typeof Voices>['Voices'][number]
const Vocabularies = z.object({ Vocabularies: z.array(z.unknown()) })

// there are two pages of voices; the cap stops an endless list
const PAGES = 20

async function* voices(
  config: Config,
  out: Outbound,
  limit: RequestOptions['limit'],
  pages: number,
) {
  const { region, requestOptions, sign } = await signing(config, 'polly', out, limit)
  const url = new URL(`https://polly.${region}.amazonaws.com/v1/voices`)
  url.searchParams.set('IncludeAdditionalLanguageCodes', 'yes')
  for (let page = 0; page < pages; page++) {
    const headers = await sign('GET', url, {})
    const { Voices: offered, NextToken } = await askJson(
      out,
      url.href,
      { headers },
      { ...requestOptions, shape: Voices },
    )
    yield* offered
    if (!NextToken) return
    url.searchParams.set('NextToken', NextToken)
  }
}

/** Lists the engines of a voice that the default engine does not support. */
const nameOf = ({ Name, Gender, SupportedEngines }: Voice) => {
  const about = [
    ...(Gender ? [Gender] : []),
    ...(SupportedEngines.includes('standard') ? [] : SupportedEngines),
  ]
  return about.length ? `${Name} (${about.join(', ')})` : Name
}

export const aws = protocol(vendors.aws, {
  probe: {
    async tts(config, out) {
      await voices(config, out, LIMITS.probe, 1).next()
    },
    async stt(config, out) {
      const { region, requestOptions, sign } = await signing(
        config,
        'transcribe',
        out,
        LIMITS.probe,
      )
      const url = new URL(`https://transcribe.${region}.amazonaws.com/`)
      const body = JSON.stringify({ MaxResults: 1 })
      const headers = {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': 'Transcribe.ListVocabularies',
      }
      await askJson(
        out,
        url.href,
        { method: 'POST', headers: await sign('POST', url, headers, body), body },
        { ...requestOptions, shape: Vocabularies },
      )
    },
  },

  // Transcribe lists its languages only in its documentation
  async catalogue(config, out) {
    const offered = await Array.fromAsync(voices(config, out, LIMITS.catalogue, PAGES))
    const languageNames = new Map(offered.map((v) => [v.LanguageCode, v.LanguageName]))
    return {
      tts: byLanguage(
        offered.flatMap((voice) =>
          [voice.LanguageCode, ...(voice.AdditionalLanguageCodes ?? [])].map((language) => {
            const languageName = languageNames.get(language)
            return {
              language,
              ...(languageName && { languageName }),
              value: voice.Id,
              name: nameOf(voice),
            }
          }),
        ),
      ),
    }
  },

  async speak(config, { text, language, voice, engine = 'standard' }, out) {
    const { region, requestOptions, sign } = await signing(config, 'polly', out, LIMITS.speak)
    const url = new URL(`https://polly.${region}.amazonaws.com/v1/speech`)
    const body = JSON.stringify({
      Engine: engine,
      LanguageCode: language,
      OutputFormat: 'mp3',
      Text: text,
      TextType: text.startsWith('<speak') ? 'ssml' : 'text',
      VoiceId: voice,
    })
    const headers = await sign('POST', url, { 'content-type': 'application/json' }, body)
    return askSound(out, url.href, { method: 'POST', headers, body }, requestOptions)
  },

  async recognize(config, { pcm, rate, language }, out) {
    const { region, requestOptions, presign } = await signing(
      config,
      'transcribe',
      out,
      LIMITS.recognize,
    )
    const url = new URL(
      `wss://transcribestreaming.${region}.amazonaws.com:8443/stream-transcription-websocket`,
    )
    url.search = String(
      new URLSearchParams({
        'language-code': language,
        'media-encoding': 'pcm',
        'sample-rate': String(rate),
      }),
    )
    return transcribe(out, await presign(url), pcm, requestOptions)
  },

  fallback: {
    tts: voicesByLanguage({
      'en-US': 'Joanna Joey Kendra Kimberly Matthew Ruth Salli Stephen',
      'en-GB': 'Amy Brian Emma Arthur',
      'en-AU': 'Nicole Olivia Russell',
      'de-DE': 'Daniel Hans Marlene Vicki',
      'es-ES': 'Conchita Enrique Lucia Sergio',
      'es-US': 'Lupe Miguel Penelope Pedro',
      'fr-FR': 'Celine=Céline Lea=Léa Mathieu Remi=Rémi',
      'fr-CA': 'Chantal Gabrielle Liam',
      'it-IT': 'Bianca Carla Giorgio',
      'ja-JP': 'Kazuha Mizuki Takumi',
      'nl-NL': 'Laura Lotte Ruben',
      'pt-BR': 'Camila Ricardo Thiago Vitoria=Vitória',
    }),
    stt: languages(LOCALES),
  },
})
