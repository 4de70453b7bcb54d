import type { Random } from '../random.ts'
import type { Telling } from './telling.ts'
import type { Attributes } from './trace.ts'

/** Who speaks and listens for an account. */
const VOICES = [
  { tts: 'elevenlabs', voice: 'EXAVITQu4vr4xnSDxMaL', stt: 'deepgram' },
  { tts: 'google', voice: 'en-US-Wavenet-C', stt: 'google' },
  { tts: 'microsoft', voice: 'en-GB-SoniaNeural', stt: 'microsoft' },
] as const
export const voiceOf = (name: string) => VOICES[name.length % VOICES.length]!

/** How long it takes to say this. */
export const speakingMs = (text: string, random: Random) =>
  Math.round(text.split(' ').length * random.int(300, 360) + 350)

const summary = (text: string) => `say{text=${text.length > 15 ? `${text.slice(0, 15)}...` : text}}`

type Say = { text: string; parent: string; at: number; prefix: 'verb:' | 'nested:' }

/** Says a text: the verb with the synthesis below it. Returns when it is over. */
export function say(telling: Telling, { text, parent, at, prefix }: Say) {
  const { call, random, trace, speech, alerts } = telling
  const { tts, voice } = voiceOf(call.account.name)
  const common = {
    'tts.vendor': tts,
    'tts.language': 'en-US',
    'tts.voice': voice,
    'tts.label': 'None',
  }
  let begins = at + 1
  let fallback: Attributes | undefined
  if (random.chance(0.0015)) {
    // the vendor fails, and the other one takes over
    const failed = begins + random.int(900, 2_200)
    const [other, name] =
      tts === 'google' ? ['microsoft', 'en-US-AvaNeural'] : ['google', 'en-US-Standard-C']
    fallback = { ...common, 'tts.vendor': other, 'tts.voice': name, 'tts.label': 'backup' }
    alerts.push({
      type: 'tts-failure',
      vendor: tts,
      message: `${tts} text-to-speech failed`,
      detail: '503 upstream connect error or disconnect before headers',
    })
    begins = failed + 2
  }
  const isCached = !fallback && random.chance(0.3)
  const first = begins + (isCached ? random.int(2, 6) : Math.round(random.skewed(290, 0.3)))
  const ends = first + speakingMs(text, random)
  const id = trace.add(`${prefix}${summary(text)}`, parent, at, ends)
  if (fallback) trace.add('tts-generation', id, at + 1, begins - 2, common)
  trace.add('tts-generation', id, begins, first, {
    ...(fallback ?? common),
    'tts.cached': isCached,
    ...(!isCached &&
      tts === 'elevenlabs' && {
        time_to_first_byte_ms: String(first - begins - random.int(20, 60)),
        connect_ms: String(random.int(18, 44)),
      }),
  })
  speech.push({ side: 'platform', from: first, to: ends })
  return ends
}

/** What a recognizer reports of an utterance. */
export const recognized = (telling: Telling, transcript: string, confidence: number) => ({
  'stt.label': 'None',
  'stt.result': JSON.stringify({
    language_code: 'en-US',
    channel_tag: 1,
    is_final: true,
    alternatives: [{ confidence, transcript }],
    vendor: { name: voiceOf(telling.call.account.name).stt },
  }),
})
