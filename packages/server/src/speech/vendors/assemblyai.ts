import { setTimeout } from 'node:timers/promises'
import { type ConfigOf, t, vendors } from '@switchroom/contract'
import { z } from 'zod'
import { toWav } from '../../audio/wav.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { askJson, optionsFor, type Question } from '../ask.ts'
import { choices } from '../choices.ts'
import { converse } from '../converse.ts'
import { LIMITS, protocol, type Recording, Refused } from '../protocol.ts'
import { nonsense, scrub } from '../refusal.ts'
import { withDeadline } from '../with-timeout.ts'

type Config = ConfigOf<typeof vendors.assemblyai>

const FILES = 'https://api.assemblyai.com/v2'
const LIVE = 'streaming.assemblyai.com/v3'

const headers = (config: Config) => ({ authorization: String(config.api_key) })
const requestOptions = optionsFor(vendors.assemblyai)

const Transcript = z.object({
  id: z.string().regex(/^[\w-]+$/),
  status: z.enum(['queued', 'processing', 'completed', 'error']),
  text: z.string().nullish(),
  error: z.string().nullish(),
})

/** V2 transcribes files: upload, enqueue and poll. */
const fromFile = (config: Config, { pcm, rate, language }: Recording, out: Outbound) =>
  withDeadline(LIMITS.recognize, async (end) => {
    const ask = <S extends z.ZodType>(path: string, how: Question, shape: S) =>
      askJson(
        out,
        `${FILES}/${path}`,
        { ...how, headers: { ...headers(config), ...how.headers } },
        { ...requestOptions(config, 'recognize'), shape },
      )
    const { upload_url } = await ask(
      'upload',
      { body: toWav(pcm, rate), headers: { 'content-type': 'application/octet-stream' } },
      z.object({ upload_url: z.string() }),
    )
    let transcript = await ask(
      'transcript',
      { json: { audio_url: upload_url, ...(language && { language_code: language }) } },
      Transcript,
    )
    while (transcript.status === 'queued' || transcript.status === 'processing') {
      await setTimeout(500, undefined, { signal: end })
      transcript = await ask(`transcript/${transcript.id}`, {}, Transcript)
    }
    if (transcript.status === 'completed') return transcript.text ?? ''
    const { secrets } = requestOptions(config, 'recognize')
    throw new Refused(scrub(transcript.error || t('the vendor gave no reason'), secrets))
  })

const Message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Begin') }),
  z.object({ type: z.literal('Turn'), turn_order: z.number(), transcript: z.string() }),
  z.object({ type: z.literal('Termination') }),
  z.object({ type: z.literal('Error'), error: z.string() }),
])

/** V3 transcribes a live stream. */
const live = (config: Config, { pcm, rate, language }: Recording, out: Outbound) => {
  const options = requestOptions(config, 'recognize')
  const query = new URLSearchParams({
    sample_rate: String(rate),
    encoding: 'pcm_s16le',
    format_turns: 'true',
    speech_model: `universal-streaming-${/^en|^$/.test(language) ? 'english' : 'multilingual'}`,
  })
  return converse(
    out,
    `wss://${LIVE}/ws?${query}`,
    { headers: headers(config) },
    options,
    async (line) => {
      if ((await line.hear(Message)).type !== 'Begin') throw nonsense()
      await line.play(pcm, rate)
      line.say({ type: 'Terminate' })
      // a turn is sent repeatedly and improves with time
      const turns = new Map<number, string>()
      for (;;) {
        const message = await line.hear(Message)
        if (message.type === 'Error') throw new Refused(scrub(message.error, options.secrets))
        if (message.type === 'Turn') turns.set(message.turn_order, message.transcript)
        if (message.type === 'Termination') return [...turns.values()].join(' ').trim()
      }
    },
  )
}

export const assemblyai = protocol(vendors.assemblyai, {
  probe: {
    async stt(config, out) {
      await (config.service_version === 'v3'
        ? askJson(
            out,
            `https://${LIVE}/token?expires_in_seconds=60`,
            { headers: headers(config) },
            { ...requestOptions(config, 'probe'), shape: z.object({ token: z.string() }) },
          )
        : askJson(
            out,
            `${FILES}/transcript?limit=1`,
            { headers: headers(config) },
            {
              ...requestOptions(config, 'probe'),
              shape: z.object({ transcripts: z.array(z.unknown()) }),
            },
          ))
    },
  },
  fallback: {
    stt: choices(
      'en=English (global), en_au=English (Australia), en_uk=English (United Kingdom), en_us=English (United States), es=Spanish, fr=French, de=German, it=Italian, pt=Portuguese, nl=Dutch, hi=Hindi, ja=Japanese, zh=Chinese, fi=Finnish, ko=Korean, pl=Polish, ru=Russian, tr=Turkish, uk=Ukrainian, vi=Vietnamese',
      ', ',
    ),
  },
  recognize: (config, recording, out) =>
    config.service_version === 'v3'
      ? live(config, recording, out)
      : fromFile(config, recording, out),
})
