import { type ConfigOf, t, vendors } from '@switchroom/contract'
import { z } from 'zod'
import type { Outbound } from '../../outbound/outbound.ts'
import { askJson, optionsFor } from '../ask.ts'
import { languages, nameOf } from '../choices.ts'
import { converse } from '../converse.ts'
import { type Call, protocol, type Recording, Refused } from '../protocol.ts'
import { INVALID_KEY, NO_CREDIT, NOT_ALLOWED, OVER_QUOTA, scrub, type Words } from '../refusal.ts'

type Config = ConfigOf<typeof vendors.speechmatics>

const isOurs = ({ speechmatics_stt_uri }: Config) =>
  /^(wss:\/\/)?[\w.-]+\.speechmatics\.com(\/|$)/i.test(String(speechmatics_stt_uri))

const headers = (config: Config) => ({ authorization: `Bearer ${config.api_key}` })
const requestOptions = optionsFor(vendors.speechmatics)

/** The real-time URL of the stored host, which may have a scheme or a path. */
function address({ speechmatics_stt_uri }: Config) {
  const uri = String(speechmatics_stt_uri).replace(/\/+$/, '')
  const [, scheme = 'wss://', place = ''] = /^(wss?:\/\/)?(.*)$/i.exec(uri)!
  return `${scheme}${place}${place.includes('/') ? '' : '/v2'}`
}

const Message = z.object({
  message: z.string(),
  type: z.string().optional(),
  reason: z.string().optional(),
  metadata: z.object({ transcript: z.string().optional() }).optional(),
})

/** A transcription session. Free of charge without audio. */
const listen = (config: Config, { pcm, rate, language }: Recording, out: Outbound, call: Call) => {
  const options = requestOptions(config, call)
  return converse(out, address(config), { headers: headers(config) }, options, async (line) => {
    const awaitTranscript = async () => {
      const message = await line.hear(Message)
      if (message.message !== 'Error') return message
      const reason = scrub(message.reason || message.type || t('no reason given'), options.secrets)
      throw new Refused(
        REFUSALS[message.type ?? '']?.(reason) ??
          t('the vendor rejected the request: {reason}', { reason }),
      )
    }
    line.say({
      message: 'StartRecognition',
      audio_format: { type: 'raw', encoding: 'pcm_s16le', sample_rate: rate },
      transcription_config: {
        language: language || 'en',
        operating_point: 'enhanced',
        enable_partials: false,
      },
    })
    while ((await awaitTranscript()).message !== 'RecognitionStarted');
    line.say({ message: 'EndOfStream', last_seq_no: await line.play(pcm, rate) })
    let text = ''
    for (;;) {
      const { message, metadata } = await awaitTranscript()
      if (message === 'AddTranscript') text += metadata?.transcript ?? ''
      if (message === 'EndOfTranscript') return text.trim()
    }
  })
}

const REFUSALS: Record<string, Words> = {
  not_authorised: INVALID_KEY,
  not_allowed: NOT_ALLOWED,
  insufficient_funds: NO_CREDIT,
  quota_exceeded: OVER_QUOTA,
}

const Features = z.object({
  metadata: z.object({
    language_pack_info: z.record(
      z.string(),
      z.object({ language_description: z.string().optional() }),
    ),
  }),
  realtime: z.object({ transcription: z.array(z.object({ languages: z.array(z.string()) })) }),
})

export const speechmatics = protocol(vendors.speechmatics, {
  probe: {
    async stt(config, out) {
      if (isOurs(config)) {
        await askJson(
          out,
          'https://mp.speechmatics.com/v1/api_keys?type=rt',
          { headers: headers(config), json: { ttl: 60 } },
          {
            ...requestOptions(config, 'probe'),
            says: { 403: INVALID_KEY },
            shape: z.object({ key_value: z.string() }),
          },
        )
        return
      }
      const nothing = { pcm: Buffer.alloc(0), rate: 8000, language: '' } as const
      await listen(config, nothing, out, 'probe')
    },
  },
  async catalogue(config, out) {
    if (!isOurs(config)) throw new Refused(t('containers offer no list'))
    const { realtime, metadata } = await askJson(
      out,
      'https://eu1.asr.api.speechmatics.com/v1/discovery/features',
      {},
      { ...requestOptions(config, 'catalogue'), shape: Features },
    )
    const codes = new Set(realtime.transcription.flatMap((t) => t.languages))
    const name = (code: string) =>
      metadata.language_pack_info[code]?.language_description ?? nameOf(code)
    return {
      stt: [...codes]
        .map((value) => ({ value, name: name(value) }))
        .sort((a, b) => a.name.localeCompare(b.name, 'en')),
    }
  },
  fallback: {
    stt: [
      { value: 'auto', name: 'Automatic' },
      ...languages(
        'ar bg ca cmn cs da de el en es et fi fr he hi hr hu id it ja ko lt lv ms nl no pl pt ro ru sk sl sv ta th tr uk vi yue',
      ),
    ],
  },
  recognize: (config, recording, out) => listen(config, recording, out, 'recognize'),
})
