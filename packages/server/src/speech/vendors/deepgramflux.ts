import { vendors } from '@switchroom/contract'
import { z } from 'zod'
import { optionsFor } from '../ask.ts'
import { converse } from '../converse.ts'
import { protocol, Refused } from '../protocol.ts'
import { scrub } from '../refusal.ts'
import { tokenOf, verifyKey } from './deepgram.ts'

const requestOptions = optionsFor(vendors.deepgramflux)

const Message = z.union([
  z.object({ type: z.literal('TurnInfo'), turn_index: z.number(), transcript: z.string() }),
  z.object({ type: z.literal('Error'), description: z.string() }),
  z.object({ type: z.literal('Connected') }),
])

/** There is one model for English and one for other languages. */
const modelFor = (language: string): Record<string, string> =>
  /^(?:en\b|$)/.test(language)
    ? { model: 'flux-general-en' }
    : { model: 'flux-general-multi', language_hint: language.split('-')[0]! }

export const deepgramflux = protocol(vendors.deepgramflux, {
  probe: {
    stt: (config, out) =>
      verifyKey('https://api.deepgram.com', config.api_key, requestOptions(config, 'probe'), out),
  },

  recognize(config, { pcm, rate, language }, out) {
    const options = requestOptions(config, 'recognize')
    const query = new URLSearchParams({
      ...modelFor(language),
      encoding: 'linear16',
      sample_rate: String(rate),
    })
    return converse(
      out,
      `wss://api.deepgram.com/v2/listen?${query}`,
      { headers: tokenOf(config.api_key) },
      options,
      async (line) => {
        // a turn is sent again with every word
        const turns = new Map<number, string>()
        const take = (message: z.output<typeof Message>) => {
          if (message.type === 'Error')
            throw new Refused(scrub(message.description, options.secrets))
          if (message.type === 'TurnInfo') turns.set(message.turn_index, message.transcript)
        }
        take(await line.hear(Message))
        await line.play(pcm, rate)
        line.say({ type: 'CloseStream' })
        for (;;) {
          const message = await line.next(Message)
          if (!message) break
          take(message)
        }
        return [...turns.values()].join(' ').trim()
      },
    )
  },
})
