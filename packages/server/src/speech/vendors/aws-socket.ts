import type { EventStreamCodec } from '@smithy/core/event-streams'
import { z } from 'zod'
import type { Outbound } from '../../outbound/outbound.ts'
import { converse } from '../converse.ts'
import { Refused } from '../protocol.ts'
import { answered, nonsense, type RequestOptions, scrub } from '../refusal.ts'
import { explainError } from './aws-signed.ts'

const Transcript = z.object({
  Transcript: z.object({
    Results: z.array(
      z.object({
        IsPartial: z.boolean().default(false),
        Alternatives: z.array(z.object({ Transcript: z.string() })).default([]),
      }),
    ),
  }),
})
const Exception = z.object({ Message: z.string() })

// the chunk size that Transcribe recommends
const CHUNK_BYTES = 8_192

/** Transcribes audio over a presigned URL of Transcribe. */
export async function transcribe(
  out: Outbound,
  url: string,
  pcm: Buffer,
  requestOptions: RequestOptions,
): Promise<string> {
  const { EventStreamCodec } = await import('@smithy/core/event-streams')
  const codec: EventStreamCodec = new EventStreamCodec(
    (bytes) => (typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8')),
    (text) => Buffer.from(text),
  )
  const stringHeader = (value: string) => ({ type: 'string', value }) as const
  const audio = (body: Uint8Array) =>
    Buffer.from(
      codec.encode({
        headers: {
          ':message-type': stringHeader('event'),
          ':event-type': stringHeader('AudioEvent'),
          ':content-type': stringHeader('application/octet-stream'),
        },
        body,
      }),
    )
  const signature = new URL(url).searchParams.get('X-Amz-Signature')
  const options = { ...requestOptions, secrets: [...requestOptions.secrets, signature] }
  return converse(out, url, {}, options, async (line) => {
    for (let at = 0; at < pcm.length; at += CHUNK_BYTES)
      line.say(audio(pcm.subarray(at, at + CHUNK_BYTES)))
    // an empty message ends the audio
    line.say(audio(new Uint8Array()))
    const transcripts: string[] = []
    for (;;) {
      const message = await line.raw()
      // a close ends the transcript
      if (!message) return transcripts.join(' ').trim()
      if (!message.binary) throw nonsense()
      const { type, name, json } = decoded(codec, message.bytes)
      if (type !== 'event') {
        const reason = scrub(Exception.safeParse(json).data?.Message ?? '', requestOptions.secrets)
        const words = explainError(name) ?? answered(scrub(name, requestOptions.secrets))
        throw new Refused(words(reason))
      }
      if (name !== 'TranscriptEvent') continue
      const parsed = Transcript.safeParse(json)
      if (!parsed.success) throw nonsense()
      for (const { IsPartial, Alternatives } of parsed.data.Transcript.Results)
        if (!IsPartial && Alternatives[0]) transcripts.push(Alternatives[0].Transcript)
    }
  })
}

/** Decodes an event stream message. Throws `Refused` if it is invalid. */
function decoded(codec: EventStreamCodec, data: Buffer) {
  try {
    const { headers, body } = codec.decode(data)
    const header = (name: string) => String(headers[name]?.value ?? '')
    const json: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
    return {
      type: header(':message-type'),
      name: header(':event-type') || header(':exception-type') || header(':error-code'),
      json,
    }
  } catch {
    throw nonsense()
  }
}
