import type { SpeechCatalogue, VendorId } from '@switchroom/contract'

import { COMMON, choices, languages, nameOf, shared } from '../speech/choices.ts'

const aura = (model: string, voices: string) =>
  voices.split(' ').map((voice) => ({
    value: `${model}-${voice}-en`,
    name: `${model === 'aura' ? 'Aura' : 'Aura 2'} ${voice[0]!.toUpperCase()}${voice.slice(1)}`,
  }))
const AURA = [
  ...aura('aura', 'asteria luna stella athena hera orion arcas perseus angus orpheus helios zeus'),
  ...aura('aura-2', 'thalia andromeda helena apollo arcas aries'),
]
const OPENAI_VOICES = 'alloy=Alloy, echo=Echo, fable=Fable, nova=Nova, onyx=Onyx, shimmer=Shimmer'
const OPENAI_MODELS = choices('tts-1 tts-1-hd gpt-4o-mini-tts')

/** What a vendor offers to everybody, as far as it is commonly used; of the others their protocol knows it. */
export const CATALOGUE: Partial<Record<VendorId, SpeechCatalogue>> = {
  deepgram: {
    tts: [{ value: 'en-US', name: nameOf('en-US'), voices: AURA }],
    stt: [
      { value: 'multi', name: 'Multilingual' },
      ...languages(
        'bg ca cs da de de-CH el en en-AU en-GB en-IN en-NZ en-US es es-419 et fi fr fr-CA hi hu id it ja ko lt lv ms nl nl-BE no pl pt pt-BR ro ru sk sv th tr uk vi zh zh-CN zh-TW',
      ),
    ],
    models: AURA,
    sttModels: choices(
      'base base-phonecall enhanced enhanced-phonecall nova nova-phonecall nova-2 nova-2-general nova-2-meeting nova-2-phonecall nova-2-conversationalai nova-3 nova-3-general nova-3-medical whisper whisper-large whisper-medium whisper-small',
    ),
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
  wellsaid: { tts: shared('en-US', '3=Alana B., 4=Ramona J., 5=Ramona J. (promo), 13=Jeremy G.') },
}
