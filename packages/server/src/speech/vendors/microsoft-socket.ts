import { randomUUID } from 'node:crypto'
import { t } from '@switchroom/contract'
import { z } from 'zod'
import type { Outbound } from '../../outbound/outbound.ts'
import { converse } from '../converse.ts'
import { Refused } from '../protocol.ts'
import type { RequestOptions } from '../refusal.ts'
import { nonsense } from '../refusal.ts'

const Phrase = z.object({ RecognitionStatus: z.string(), DisplayText: z.string().optional() })

const CHUNK_BYTES = 8_192
const id = () => randomUUID().replaceAll('-', '')

/** The transcript; empty for silence. Throws `Refused` for an error. */
export function transcriptOf(status: string, text = ''): string {
  if (status === 'Success') return text
  if (['NoMatch', 'InitialSilenceTimeout', 'BabbleTimeout', 'EndOfDictation'].includes(status))
    return ''
  throw new Refused(t('the vendor could not recognize speech: {status}', { status }).slice(0, 100))
}

/** Transcribes a WAV in a speech container, with the protocol of Microsoft's own clients. */
export function recognizeWav(
  out: Outbound,
  url: string,
  headers: Record<string, string>,
  wav: Buffer,
  requestOptions: RequestOptions,
): Promise<string> {
  const request = id()
  const head = (path: string, type: string) =>
    `Path: ${path}\r\nX-RequestId: ${request}\r\nX-Timestamp: ${new Date().toISOString()}\r\nContent-Type: ${type}\r\n`
  const audio = (bytes: Buffer) => {
    const header = Buffer.from(head('audio', 'audio/x-wav'), 'ascii')
    const length = Buffer.alloc(2)
    length.writeUInt16BE(header.length)
    return Buffer.concat([length, header, bytes])
  }
  const identified = { ...headers, 'x-connectionid': id() }
  return converse(out, url, { headers: identified }, requestOptions, async (line) => {
    const system = { name: 'switchroom', version: '1' }
    line.say(
      `${head('speech.config', 'application/json')}\r\n${JSON.stringify({ context: { system } })}`,
    )
    for (let at = 0; at < wav.length; at += CHUNK_BYTES)
      line.say(audio(wav.subarray(at, at + CHUNK_BYTES)))
    // an empty message ends the audio
    line.say(audio(Buffer.alloc(0)))
    const phrases: string[] = []
    for (;;) {
      const message = await line.raw()
      if (!message) throw new Refused(t('the vendor closed the connection before it answered'))
      const text = String(message.bytes)
      const path = /^path: *(\S+)/im.exec(text)?.[1]?.toLowerCase()
      if (message.binary || !path) throw nonsense()
      if (path === 'speech.phrase') {
        const phrase = Phrase.safeParse(body(text))
        if (!phrase.data) throw nonsense()
        const spoken = transcriptOf(phrase.data.RecognitionStatus, phrase.data.DisplayText)
        if (spoken) phrases.push(spoken)
      }
      if (path === 'turn.end') return phrases.join(' ')
    }
  })
}

function body(text: string): unknown {
  try {
    return JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))
  } catch {
    return undefined
  }
}
