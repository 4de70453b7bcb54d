import { type ConfigOf, t, vendors } from '@switchroom/contract'
import { z } from 'zod'
import type { Outbound } from '../../outbound/outbound.ts'
import { askJson, askSound, optionsFor } from '../ask.ts'
import { byLanguage, sameVoices } from '../choices.ts'
import { protocol, Refused } from '../protocol.ts'
import { INVALID_KEY } from '../refusal.ts'

const API = 'https://api.wellsaidlabs.com/v1'

const Avatars = z.object({
  avatars: z.array(
    z.object({
      id: z.union([z.number(), z.string()]),
      name: z.string(),
      style: z.string().nullish(),
      locale: z.string().nullish(),
    }),
  ),
})

type Config = ConfigOf<typeof vendors.wellsaid>

const headers = (config: Config) => ({ 'x-api-key': String(config.api_key) })
const requestOptions = optionsFor(vendors.wellsaid, { 403: INVALID_KEY })

const avatarsOf = (config: Config, call: 'probe' | 'catalogue', out: Outbound) =>
  askJson(
    out,
    `${API}/tts/avatars`,
    { headers: headers(config) },
    { ...requestOptions(config, call), shape: Avatars },
  )

export const wellsaid = protocol(vendors.wellsaid, {
  fallback: {
    tts: sameVoices('en-US', '3=Alana B., 4=Ramona J., 5=Ramona J. (promo), 13=Jeremy G.'),
  },

  probe: {
    async tts(config, out) {
      await avatarsOf(config, 'probe', out)
    },
  },

  async catalogue(config, out) {
    const { avatars } = await avatarsOf(config, 'catalogue', out)
    return {
      tts: byLanguage(
        avatars.map(({ id, name, style, locale }) => ({
          language: locale?.replace('_', '-') || 'en-US',
          value: String(id),
          name: style ? `${name} (${style.toLowerCase()})` : name,
        })),
      ),
    }
  },

  async speak(config, { text, voice }, out) {
    // the API takes a number
    if (!/^\d+$/.test(voice)) throw new Refused(t('a WellSaid voice must be a number'))
    return askSound(
      out,
      `${API}/tts/stream`,
      {
        headers: { ...headers(config), accept: 'audio/mpeg' },
        json: { text, speaker_id: Number(voice) },
      },
      requestOptions(config, 'speak'),
    )
  },
})
