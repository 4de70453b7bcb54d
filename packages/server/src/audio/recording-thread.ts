import { writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { MPEGDecoder } from 'mpg123-decoder'
import { mp3Frames } from './frames.ts'
import type { FromThread, Refusal, ToThread } from './read-recording.ts'
import { sideOf } from './side.ts'
import { stretchesIn } from './stretches.ts'
import { wavStream } from './wav-stream.ts'

// Decodes one recording in a thread of its own, as it arrives: only levels are kept in memory. The starter ends the
// thread once it has the answer.

type Data = { format: 'mp3' | 'wav'; files: [number, number]; longest_s: number }
const { format, files, longest_s }: Data = workerData
const port = parentPort!

/** A recording that cannot be read, with the reason for the user. */
class Refused extends Error {
  why: Refusal
  constructor(why: Refusal) {
    super(why)
    this.why = why
  }
}

let sides: ReturnType<typeof sideOf>[] = []
let rate = 0
let target: 8_000 | 16_000 = 8_000
let samples = 0

function begin(form: { rate: number; channels: number }) {
  if (sides.length > 0) return
  if (form.channels !== 2) throw new Refused('channels')
  if (form.rate < 8_000 || form.rate > 192_000) throw new Refused('unreadable')
  rate = form.rate
  target = rate < 16_000 ? 8_000 : 16_000
  sides = files.map((file) => sideOf(rate, target, (pcm) => writeSync(file, pcm)))
}

function add(left: Float32Array, right: Float32Array) {
  samples += left.length
  if (samples > longest_s * rate) throw new Refused('too_long')
  sides[0]!.add(left)
  sides[1]!.add(right)
}

async function mp3Reader() {
  const decoder = new MPEGDecoder()
  await decoder.ready
  const frames = mp3Frames()
  return (bytes: Buffer) => {
    const whole = frames.take(bytes)
    if (whole.length === 0) return
    begin(frames.form()!)
    const { channelData, samplesDecoded } = decoder.decode(whole)
    const [left, right] = channelData
    if (samplesDecoded > 0 && left && right) add(left, right)
  }
}

function wavReader() {
  const wav = wavStream()
  let rest: Buffer = Buffer.alloc(0)
  return (bytes: Buffer) => {
    const taken = wav.take(bytes)
    const form = wav.form()
    if (wav.isBroken()) throw new Refused('unreadable')
    if (!form || taken.length === 0) return
    if (form.format !== 1 || form.bits !== 16) throw new Refused('unreadable')
    begin(form)
    const whole = rest.length > 0 ? Buffer.concat([rest, taken]) : taken
    const count = whole.length >> 2
    const [left, right] = [new Float32Array(count), new Float32Array(count)]
    for (let i = 0; i < count; i++) {
      left[i] = whole.readInt16LE(i * 4) / 32_768
      right[i] = whole.readInt16LE(i * 4 + 2) / 32_768
    }
    rest = whole.subarray(count * 4)
    add(left, right)
  }
}

const read = format === 'mp3' ? await mp3Reader() : wavReader()
const tell = (message: FromThread) => port.postMessage(message)

function end() {
  if (samples === 0) throw new Refused(sides.length > 0 ? 'empty' : 'unreadable')
  const [caller, other] = sides.map((side) => stretchesIn(side.end()))
  tell({
    kind: 'done',
    length_ms: Math.round((samples / rate) * 1_000),
    rate: target,
    caller: caller!,
    other: other!,
  })
}

port.on('message', (message: ToThread) => {
  try {
    if (message === null) return end()
    read(Buffer.from(message.buffer, message.byteOffset, message.byteLength))
    tell({ kind: 'next' })
  } catch (e) {
    if (!(e instanceof Refused)) throw e
    tell({ kind: 'refused', why: e.why })
  }
})
tell({ kind: 'next' })
