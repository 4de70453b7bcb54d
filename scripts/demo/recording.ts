import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { PlannedCall } from './planned-call.ts'
import { Random } from './random.ts'

/** The audio of a call, made of vowels, and its upload as the media server does it. */

const RATE = 8_000
const BYTES_AT_ONCE = 32_000

/** Formants of vowels in Hz. */
const VOWELS = [
  [730, 1_090, 2_440],
  [530, 1_840, 2_480],
  [270, 2_290, 3_010],
  [570, 840, 2_410],
  [300, 870, 2_240],
] as const
const TABLE = 256

/** One period of each vowel at a pitch: its harmonics, louder near a formant. */
function tablesOf(pitch: number) {
  return VOWELS.map((formants) => {
    const table = new Float32Array(TABLE)
    for (let n = 1; n * pitch < RATE / 2; n++) {
      const near = formants.map((f, i) => Math.exp(-(((n * pitch - f) / 130) ** 2)) / (i + 1))
      const level = 0.25 / n + Math.max(...near)
      for (let i = 0; i < TABLE; i++) table[i]! += level * Math.sin((2 * Math.PI * n * i) / TABLE)
    }
    const loudest = Math.max(...table.map(Math.abs))
    return table.map((sample) => sample / loudest)
  })
}
const VOICES = {
  caller: { pitch: 118, tables: tablesOf(118) },
  platform: { pitch: 196, tables: tablesOf(196) },
} as const

export class RecordingRefused extends Error {
  override name = 'RecordingRefused'
}

/** Stereo, 16 bits: the caller left, the platform right. Silent where nobody speaks. */
export function audioOf(call: PlannedCall): Buffer {
  const from = call.answered_at!
  const samples = new Int16Array(Math.ceil(((call.ended_at - from) / 1_000) * RATE) * 2)
  const random = new Random(`audio ${call.call_sid}`)
  for (const { side, ...speech } of call.story?.speech ?? []) {
    const { pitch, tables } = VOICES[side]
    const begin = Math.max(0, Math.floor(((call.at + speech.from - from) / 1_000) * RATE))
    const end = Math.min(samples.length / 2, ((call.at + speech.to - from) / 1_000) * RATE)
    const channel = side === 'caller' ? 0 : 1
    let phase = 0
    for (let at = begin; at < end; ) {
      // a syllable
      const length = random.int(900, 1_900)
      const table = random.pick(tables)
      const level = random.int(4_500, 9_500)
      const tone = pitch * (0.9 + random.next() * 0.25)
      for (let i = 0; i < length && at < end; i++, at++) {
        phase = (phase + (tone * TABLE) / RATE) % TABLE
        const envelope = Math.sin((Math.PI * i) / length)
        samples[at * 2 + channel] = level * envelope * table[Math.floor(phase)]!
      }
      at += random.int(100, 500)
    }
  }
  return Buffer.from(samples.buffer)
}

/** Uploads a call's recording over the WebSocket for recordings. Throws `RecordingRefused`. */
export async function sendRecording(url: string, call: PlannedCall) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/record/aws`, 'audio.jambonz.org')
  await once(socket, 'open')
  const audio = audioOf(call)
  socket.send(
    JSON.stringify({
      sampleRate: RATE,
      accountSid: call.account.sid,
      callSid: call.call_sid,
      direction: call.direction,
      from: call.from,
      to: call.to,
      callId: call.sip_callid,
      applicationSid: call.application?.sid,
      originatingSipIp: call.remote_host,
      originatingSipTrunkName: call.trunk,
    }),
  )
  for (let at = 0; at < audio.length; at += BYTES_AT_ONCE)
    await new Promise<void>((resolve, reject) =>
      socket.send(audio.subarray(at, at + BYTES_AT_ONCE), (e) => (e ? reject(e) : resolve())),
    )
  const closed = once(socket, 'close') as Promise<[code: number, reason: Buffer]>
  socket.close()
  const [code, reason] = await closed
  if (code !== 1000 && code !== 1005)
    throw new RecordingRefused(`A recording was refused: ${reason}`)
}
