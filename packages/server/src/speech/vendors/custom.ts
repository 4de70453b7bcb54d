import { type ConfigOf, t, vendors } from '@switchroom/contract'
import { z } from 'zod'
import { toWav } from '../../audio/wav.ts'
import { askBytes, optionsFor, soundOf } from '../ask.ts'
import { converse } from '../converse.ts'
import { protocol, Refused, type Sound } from '../protocol.ts'
import { scrub } from '../refusal.ts'

type Config = ConfigOf<typeof vendors.custom>

const headers = ({ auth_token }: Config): Record<string, string> =>
  auth_token ? { authorization: `Bearer ${auth_token}` } : {}
const requestOptions = optionsFor(vendors.custom, {
  401: (reason) =>
    reason
      ? t('invalid authentication token: {reason}', { reason })
      : t('invalid authentication token'),
})

const TYPES: Record<string, Sound['type']> = {
  'audio/mpeg': 'audio/mpeg',
  'audio/mp3': 'audio/mpeg',
  'audio/wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/x-wav': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/ogg': 'audio/ogg',
}

const Message = z.object({
  type: z.string(),
  is_final: z.boolean().optional(),
  alternatives: z.array(z.object({ transcript: z.string() })).optional(),
  error: z.string().optional(),
})

/** The platform's protocol has no end of transcript, so this much silence ends it. */
const QUIET_MS = 2_000

export const custom = protocol(vendors.custom, {
  probe: {
    // an HTTP URL is not probed: its only known call is the synthesis itself
    stt: (config, out) =>
      converse(
        out,
        String(config.custom_stt_url),
        { headers: headers(config) },
        requestOptions(config, 'probe'),
        async () => {},
      ),
  },
  async speak(config, { text, language, voice }, out) {
    if (!config.custom_tts_url)
      throw new Refused(t('only an HTTP URL can be tested, and this credential has none'))
    const { bytes, type, parameters } = await askBytes(
      out,
      String(config.custom_tts_url),
      {
        headers: headers(config),
        json: { language, voice, type: text.startsWith('<speak') ? 'ssml' : 'text', text },
      },
      requestOptions(config, 'speak'),
    )
    const kind = type.trim().toLowerCase()
    if (kind === 'audio/l16') {
      const rate = Number(/rate=(\d+)/i.exec(parameters)?.[1] ?? 8000)
      return { type: 'audio/wav', bytes: toWav(bytes, rate) }
    }
    return soundOf(bytes, TYPES[kind] ?? 'audio/mpeg')
  },
  recognize(config, { pcm, rate, language }, out) {
    const recognizeOptions = requestOptions(config, 'recognize')
    const url = String(config.custom_stt_url)
    return converse(out, url, { headers: headers(config) }, recognizeOptions, async (line) => {
      line.say({
        type: 'start',
        language: language || 'en-US',
        format: 'raw',
        encoding: 'LINEAR16',
        interimResults: false,
        sampleRateHz: rate,
        options: {},
      })
      await line.play(pcm, rate)
      line.say({ type: 'stop' })
      const finals: string[] = []
      for (;;) {
        const message = await line.next(Message, finals.length ? QUIET_MS : undefined)
        if (!message) return finals.join(' ').trim()
        if (message.type === 'error')
          throw new Refused(scrub(message.error || t('no reason given'), recognizeOptions.secrets))
        const [best] = message.alternatives ?? []
        if (message.type === 'transcription' && message.is_final && best)
          finals.push(best.transcript.trim())
      }
    })
  },
})
