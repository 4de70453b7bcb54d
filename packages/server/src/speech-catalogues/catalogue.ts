import type { SpeechCatalogue, VendorId } from '@switchroom/contract'

import { choices, LOCALES, languages, nameOf, spoken } from '../speech/choices.ts'

/** What a vendor offers to everybody, as far as it is commonly used; of the others their protocol knows it. */
export const CATALOGUE: Partial<Record<VendorId, SpeechCatalogue>> = {
  google: {
    tts: spoken(
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
  ibm: {
    tts: spoken({
      'en-US':
        'en-US_AllisonV3Voice=Allison en-US_EmilyV3Voice=Emily en-US_HenryV3Voice=Henry en-US_MichaelV3Voice=Michael',
      'en-GB': 'en-GB_CharlotteV3Voice=Charlotte en-GB_JamesV3Voice=James en-GB_KateV3Voice=Kate',
      'de-DE': 'de-DE_BirgitV3Voice=Birgit de-DE_DieterV3Voice=Dieter de-DE_ErikaV3Voice=Erika',
      'es-ES': 'es-ES_EnriqueV3Voice=Enrique es-ES_LauraV3Voice=Laura',
      'fr-FR': 'fr-FR_NicolasV3Voice=Nicolas fr-FR_ReneeV3Voice=Renée',
    }),
    stt: [
      'ar-MS',
      'de-DE',
      'en-AU',
      'en-GB',
      'en-IN',
      'en-US',
      'es-ES',
      'fr-CA',
      'fr-FR',
      'it-IT',
      'nl-NL',
      'pt-BR',
    ].map((code) => ({ value: `${code}_Telephony`, name: `${nameOf(code)} telephony` })),
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
