import type { SpeechCatalogue, VendorId } from '@switchroom/contract'

import { COMMON, choices, LOCALES, languages, shared, spoken } from '../speech/choices.ts'

const OPENAI_VOICES = 'alloy=Alloy, echo=Echo, fable=Fable, nova=Nova, onyx=Onyx, shimmer=Shimmer'
const OPENAI_MODELS = choices('tts-1 tts-1-hd gpt-4o-mini-tts')

/** What a vendor offers to everybody, as far as it is commonly used; of the others their protocol knows it. */
export const CATALOGUE: Partial<Record<VendorId, SpeechCatalogue>> = {
  aws: {
    tts: spoken({
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
  microsoft: {
    tts: spoken({
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
  elevenlabs: {
    tts: shared(
      'en ar bg cs da de el es fi fil fr hi hr hu id it ja ko ms nl pl pt ro ru sk sv ta tr uk zh',
      '21m00Tcm4TlvDq8ikWAM=Rachel, EXAVITQu4vr4xnSDxMaL=Sarah, ErXwobaYiN019PkySvjV=Antoni, TxGEqnHWrfWFTfGW9XjX=Josh, pNInz6obpgDQGcFmaJgB=Adam, onwK4e9ZLuTAKqWW03F9=Daniel',
    ),
    models: choices(
      'eleven_turbo_v2 eleven_turbo_v2_5 eleven_flash_v2 eleven_flash_v2_5 eleven_multilingual_v1 eleven_multilingual_v2 eleven_multilingual_sts_v2 eleven_monolingual_v1 eleven_english_sts_v2',
    ),
  },
  whisper: { tts: shared('en-US', OPENAI_VOICES), models: OPENAI_MODELS },
  openai: {
    stt: [{ value: 'auto', name: 'Automatic' }, ...languages(COMMON)],
    models: OPENAI_MODELS,
    sttModels: choices('whisper-1 gpt-4o-mini-transcribe gpt-4o-transcribe'),
  },
  cartesia: {
    tts: shared('en', 'a0e99841-438c-4a64-b679-ae501e7d6091=Barbershop Man'),
    stt: languages('en'),
    models: choices(
      'sonic sonic-2 sonic-3 sonic-turbo sonic-preview sonic-2024-12-12 sonic-2024-10-19 sonic-english sonic-multilingual',
    ),
    sttModels: choices('ink-whisper'),
  },
  playht: {
    tts: shared(
      'en-US en-GB en-AU en-CA en-IE',
      's3://voice-cloning-zero-shot/d9ff78ba-d016-47f6-b0ef-dd630f59414e/female-cs/manifest.json=Jennifer',
    ),
    models: choices('Play3.0 PlayHT2.0-turbo PlayHT2.0 PlayHT1.0 PlayDialog'),
  },
  rimelabs: {
    tts: [
      { value: 'eng', name: 'English', voices: choices('luna astra celeste orion') },
      { value: 'spa', name: 'Spanish', voices: choices('sirius nova pola') },
    ],
    models: choices('arcana mist mistv2 v1'),
  },
  inworld: {
    tts: shared('en de es fr it ja ko nl pl pt zh', 'Ashley, Alex, Craig, Deborah, Dennis'),
    models: choices('inworld-tts-1.5-max inworld-tts-1.5-mini inworld-tts-1 inworld-tts-1-max'),
  },
  resemble: { tts: shared('en-US en-GB', 'e28236ee=Samantha (v1)') },
  nvidia: {
    tts: spoken({
      'en-US':
        'English-US.Female-1=Female English-US.Male-1=Male English-US.Female-Calm=Female-Calm English-US.Male-Calm=Male-Calm',
      'es-US': 'Spanish-US.Female-1=Female Spanish-US.Male-1=Male',
      'de-DE': 'German-DE.Male-1=Male',
    }),
    stt: languages(
      'ar-AR de-DE en-GB en-US es-ES es-US fr-FR hi-IN it-IT ja-JP ko-KR pt-BR ru-RU zh-CN',
    ),
  },
  nuance: {
    tts: spoken({
      'en-US': 'Allison Ava=Ava Evan=Evan Samantha Tom Zoe',
      'en-GB': 'Kate Malcolm Serena',
      'de-DE': 'Anna Markus Petra',
      'fr-FR': 'Audrey Aurelie=Aurélie Thomas',
      'es-ES': 'Jorge Monica=Mónica',
    }),
    stt: languages(
      'de-DE en-AU en-GB en-IN en-US es-ES es-US fr-CA fr-FR it-IT ja-JP nl-NL pl-PL pt-BR',
    ),
  },
  verbio: {
    tts: spoken({
      'en-US': 'tommy_en_us=Tommy',
      'es-ES': 'david_es_es=David',
      'es-PE': 'luz_es_pe=Luz',
      'pt-BR': 'bel_pt_br=Bel',
    }),
    stt: languages('en-US en-GB es pt-BR'),
  },
  cobalt: {
    stt: choices(
      'en_US-8khz=English (United States), en_UK-8khz=English (United Kingdom), es_xx-8khz=Spanish, fr_fr-8khz=French, pt_br-8khz=Portuguese (Brazil), ru_ru-8khz=Russian',
      ', ',
    ),
  },
  soniox: { stt: languages('en-US') },
  gladia: { stt: languages(`${COMMON} af bg ca et he hr id lt lv ms no sk sl sr ta te th vi`) },
  speechmatics: {
    stt: [
      { value: 'auto', name: 'Automatic' },
      ...languages(
        'ar bg ca cmn cs da de el en es et fi fr he hi hr hu id it ja ko lt lv ms nl no pl pt ro ru sk sl sv ta th tr uk vi yue',
      ),
    ],
  },
  houndify: { stt: languages('en es pt fr en-IN de nl it ko ja zh-CN ru pl sv ar tr he') },
  voxist: { stt: choices('en=English fr=French de=German nl=Dutch it=Italian sp=Spanish') },
}
