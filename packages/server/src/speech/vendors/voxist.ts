import { type ConfigOf, t, vendors } from '@switchroom/contract'
import { z } from 'zod'
import { askJson, optionsFor } from '../ask.ts'
import { choices } from '../choices.ts'
import { converse } from '../converse.ts'
import { LIMITS, protocol, Refused } from '../protocol.ts'
import { scrub } from '../refusal.ts'
import { withDeadline } from '../with-timeout.ts'

type Config = ConfigOf<typeof vendors.voxist>

const API = 'https://api-asr.voxist.com'

const headers = (config: Config) => ({ 'x-lvl-key': String(config.api_key) })

const Message = z.object({
  type: z.string(),
  text: z.string().optional(),
  message: z.string().optional(),
})

const requestOptions = optionsFor(vendors.voxist)

/** The protocol has no end of transcript, so this much silence ends it. */
const QUIET_MS = 2_000

export const voxist = protocol(vendors.voxist, {
  probe: {
    async stt(config, out) {
      await askJson(
        out,
        `${API}/clients`,
        { headers: headers(config) },
        requestOptions(config, 'probe'),
      )
    },
  },
  fallback: { stt: choices('en=English fr=French de=German nl=Dutch it=Italian sp=Spanish') },
  recognize: (config, { pcm, rate, language }, out) =>
    withDeadline(LIMITS.recognize, async () => {
      const options = requestOptions(config, 'recognize')
      const { url } = await askJson(
        out,
        `${API}/websocket?engine=voxist-rt-2`,
        { headers: headers(config) },
        // the URL contains a token and is valid for one session
        { ...options, shape: z.object({ url: z.url({ protocol: /^wss$/ }) }) },
      )
      const secrets = [...options.secrets, ...new URL(url).searchParams.values()]
      return converse(out, url, {}, { ...options, secrets }, async (line) => {
        line.say({ config: { lang: language || 'en', sample_rate: rate } })
        await line.play(pcm, rate)
        line.say('Done')
        const finals: string[] = []
        for (;;) {
          const message = await line.next(Message, finals.length ? QUIET_MS : undefined)
          if (!message) return finals.join(' ')
          if (message.type === 'error')
            throw new Refused(scrub(message.message || t('no reason given'), secrets))
          if (message.type === 'final' && message.text) finals.push(message.text.trim())
        }
      })
    }),
})
