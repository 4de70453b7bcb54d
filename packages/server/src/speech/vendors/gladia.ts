import { type ConfigOf, vendors } from '@switchroom/contract'
import { z } from 'zod'
import { askJson, optionsFor } from '../ask.ts'
import { COMMON, languages } from '../choices.ts'
import { converse } from '../converse.ts'
import { LIMITS, protocol, Refused } from '../protocol.ts'
import { nonsense, scrub } from '../refusal.ts'
import { withDeadline } from '../with-timeout.ts'

type Config = ConfigOf<typeof vendors.gladia>

const LIVE = 'https://api.gladia.io/v2/live'

const headers = (config: Config) => ({ 'x-gladia-key': String(config.api_key) })
const requestOptions = optionsFor(vendors.gladia)

// the URL contains a token and is valid for one session
const Session = z.object({ id: z.string(), url: z.url({ protocol: /^wss$/ }) })

const Message = z.object({
  type: z.string(),
  data: z
    .object({
      is_final: z.boolean().optional(),
      utterance: z.object({ text: z.string() }).optional(),
    })
    .nullish(),
  error: z.object({ message: z.string() }).nullish(),
})

export const gladia = protocol(vendors.gladia, {
  probe: {
    async stt(config, out) {
      await askJson(
        out,
        `${LIVE}?limit=1`,
        { headers: headers(config) },
        {
          ...requestOptions(config, 'probe'),
          shape: z.object({ items: z.array(z.unknown()) }),
        },
      )
    },
  },
  fallback: { stt: languages(`${COMMON} af bg ca et he hr id lt lv ms no sk sl sr ta te th vi`) },
  recognize: (config, { pcm, rate, language }, out) =>
    withDeadline(LIMITS.recognize, async () => {
      const options = requestOptions(config, 'recognize')
      const { url } = await askJson(
        out,
        `${LIVE}?${new URLSearchParams({ region: String(config.region || 'us-west') })}`,
        {
          headers: headers(config),
          json: {
            encoding: 'wav/pcm',
            bit_depth: 16,
            sample_rate: rate,
            channels: 1,
            model: 'solaria-1',
            language_config: {
              languages: language ? [language.split('-')[0]] : [],
              code_switching: false,
            },
            messages_config: {
              receive_partial_transcripts: false,
              receive_final_transcripts: true,
              receive_speech_events: false,
              receive_acknowledgments: false,
              receive_lifecycle_events: true,
              receive_errors: true,
            },
          },
        },
        { ...options, shape: Session },
      )
      const token = new URL(url).searchParams.get('token')
      const secrets = [...options.secrets, token]
      return converse(out, url, {}, { ...options, secrets }, async (line) => {
        await line.play(pcm, rate)
        line.say({ type: 'stop_recording' })
        const finals: string[] = []
        for (;;) {
          const { type, data, error } = await line.hear(Message)
          if (error) throw new Refused(scrub(error.message, secrets))
          if (type === 'end_session') return finals.join(' ').trim()
          if (type !== 'transcript') continue
          if (!data?.utterance) throw nonsense()
          if (data.is_final) finals.push(data.utterance.text.trim())
        }
      })
    }),
})
