import { createHmac, randomUUID } from 'node:crypto'
import { type ConfigOf, t, vendors } from '@switchroom/contract'
import { z } from 'zod'
import type { Outbound } from '../../outbound/outbound.ts'
import { optionsFor } from '../ask.ts'
import { languages } from '../choices.ts'
import { converse, type Line } from '../converse.ts'
import { type Call, protocol, Refused } from '../protocol.ts'
import { scrub } from '../refusal.ts'

type Config = ConfigOf<typeof vendors.houndify>

const CLOUD = 'wss://apiws-polaris.houndify.com/v2/transcription'

const Message = z.object({
  status: z.string().optional(),
  nonce: z.string().optional(),
  Format: z.string().optional(),
  Transcript: z.string().optional(),
  PartialTranscript: z.string().optional(),
  FinalTranscript: z.string().optional(),
  error: z.string().optional(),
  ErrorMessage: z.string().optional(),
})

/** Signs as the vendor's clients do: URL-safe base64 with padding. */
const sign = (nonce: string, client_key: string) =>
  createHmac('sha256', Buffer.from(client_key, 'base64url'))
    .update(nonce)
    .digest('base64')
    .replaceAll('+', '-')
    .replaceAll('/', '_')

const requestOptions = optionsFor(vendors.houndify)

type Format = { rate: number; language: string }
type Hear = () => Promise<z.infer<typeof Message>>

/** Authenticates, requests a transcription and runs `talk`. Costs nothing if no audio is sent. */
const transcription = <T>(
  config: Config,
  { rate, language }: Format,
  out: Outbound,
  call: Call,
  talk: (line: Line, awaitResult: Hear) => Promise<T>,
) => {
  const options = requestOptions(config, call)
  const url = String(config.houndify_server_uri || CLOUD)
  return converse(out, url, {}, options, async (line) => {
    const awaitResult = async () => {
      const message = await line.hear(Message)
      const error = message.ErrorMessage ?? message.error
      if (error === undefined && message.status !== 'error') return message
      const reason = scrub(error || t('no reason given'), options.secrets)
      throw new Refused(t('the vendor rejected the request: {reason}', { reason }))
    }
    let greeting = await awaitResult()
    while (greeting.nonce === undefined) greeting = await awaitResult()
    line.say({
      version: '1.1',
      access_id: config.client_id,
      signature: sign(greeting.nonce, String(config.client_key)),
    })
    line.say({
      RequestID: randomUUID(),
      UserID: config.user_id ?? '',
      ClientID: config.client_id,
      TimeStamp: Math.floor(Date.now() / 1_000),
      InputLanguageIETFTag: language || 'en',
      AudioFormat: 'S16LE',
      SampleRate: rate,
      Model: rate === 8000 ? 'base_8k' : 'base_16k',
    })
    // the request is accepted
    while (!/QueryIDMessage/.test((await awaitResult()).Format ?? ''));
    return talk(line, awaitResult)
  })
}

export const houndify = protocol(vendors.houndify, {
  probe: {
    stt: (config, out) =>
      transcription(config, { rate: 8000, language: '' }, out, 'probe', async () => {}),
  },
  fallback: { stt: languages('en es pt fr en-IN de nl it ko ja zh-CN ru pl sv ar tr he') },
  recognize: (config, { pcm, ...format }, out) =>
    transcription(config, format, out, 'recognize', async (line, awaitResult) => {
      await line.play(pcm, format.rate)
      line.say('Done')
      for (;;) {
        const { Format, FinalTranscript, Transcript } = await awaitResult()
        if (/Final/.test(Format ?? '')) return (FinalTranscript ?? Transcript ?? '').trim()
      }
    }),
})
