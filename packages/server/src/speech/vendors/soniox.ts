import { type ConfigOf, t, vendors } from '@switchroom/contract'
import { z } from 'zod'
import type { Outbound } from '../../outbound/outbound.ts'
import { askJson, optionsFor } from '../ask.ts'
import { languages } from '../choices.ts'
import { converse } from '../converse.ts'
import { type Call, LIMITS, protocol, Refused } from '../protocol.ts'
import { refusal } from '../refusal.ts'
import { withDeadline } from '../with-timeout.ts'

type Config = ConfigOf<typeof vendors.soniox>

const Models = z.object({
  models: z.array(
    z.object({
      id: z.string(),
      aliased_model_id: z.string().nullish(),
      transcription_mode: z.string(),
      languages: z.array(z.object({ code: z.string(), name: z.string() })),
    }),
  ),
})

const requestOptions = optionsFor(vendors.soniox)

/** The real-time models, newest first, without aliases. */
async function models(config: Config, out: Outbound, call: Call) {
  const { models } = await askJson(
    out,
    'https://api.soniox.com/v1/models',
    { headers: { authorization: `Bearer ${config.api_key}` } },
    { ...requestOptions(config, call), shape: Models },
  )
  return models.filter((m) => m.transcription_mode === 'real_time' && !m.aliased_model_id)
}

const Message = z.object({
  tokens: z.array(z.object({ text: z.string(), is_final: z.boolean().optional() })).default([]),
  finished: z.boolean().optional(),
  error_code: z.number().optional(),
  error_message: z.string().optional(),
})

export const soniox = protocol(vendors.soniox, {
  probe: {
    async stt(config, out) {
      await models(config, out, 'probe')
    },
  },
  async catalogue(config, out) {
    const offered = (await models(config, out, 'catalogue')).flatMap((m) => m.languages)
    const names = new Map(offered.map(({ code, name }) => [code, name]))
    return {
      stt: [...names]
        .map(([value, name]) => ({ value, name }))
        .sort((a, b) => a.name.localeCompare(b.name, 'en')),
    }
  },
  fallback: { stt: languages('en-US') },
  recognize: (config, { pcm, rate, language }, out) =>
    withDeadline(LIMITS.recognize, async () => {
      const [model] = await models(config, out, 'recognize')
      if (!model) throw new Refused(t('this key has no model for live speech'))
      const options = requestOptions(config, 'recognize')
      return converse(
        out,
        'wss://stt-rt.soniox.com/transcribe-websocket',
        {},
        options,
        async (line) => {
          line.say({
            api_key: config.api_key,
            model: model.id,
            audio_format: 'pcm_s16le',
            sample_rate: rate,
            num_channels: 1,
            ...(language && { language_hints: [language.split('-')[0]] }),
          })
          await line.play(pcm, rate)
          line.say('')
          let text = ''
          for (;;) {
            const message = await line.hear(Message)
            if (message.error_code !== undefined)
              throw refusal(
                {
                  status: message.error_code,
                  text: JSON.stringify({ message: message.error_message }),
                },
                options,
              )
            // tokens that are not final are sent again
            for (const token of message.tokens) if (token.is_final) text += token.text
            if (message.finished) return text.replace(/<(?:end|fin)>/g, '').trim()
          }
        },
      )
    }),
})
