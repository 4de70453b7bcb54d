import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import type { Stretch } from './stretches.ts'

/** A recording of both sides of a call may not be longer or larger, nor take longer to decode. */
export const LONGEST_S = 4 * 3_600
export const LARGEST_BYTES = 500_000_000
const TIME_MS = 10 * 60_000

/** Why a recording cannot be read. */
export type Refusal = 'unreadable' | 'empty' | 'channels' | 'too_long' | 'too_slow'
/** A recording that cannot be read, which is not this server's fault. */
export class RecordingRefused extends Error {
  override name = 'RecordingRefused'
  why: Refusal
  constructor(why: Refusal) {
    super(`The recording is refused: ${why}`)
    this.why = why
  }
}

/** Bytes of the recording; null at its end. */
export type ToThread = Uint8Array | null
export type FromThread =
  | { kind: 'next' }
  | { kind: 'refused'; why: Refusal }
  | { kind: 'done'; length_ms: number; rate: 8_000 | 16_000; caller: Stretch[]; other: Stretch[] }

export type Part = Stretch & { side: 'caller' | 'other' }

/** A decoded recording. The speech is in files that nobody else can open, and that vanish with the process. */
export type ReadRecording = {
  length_ms: number
  rate: 8_000 | 16_000
  /** Parts with speech, by time. */
  parts: Part[]
  /** Mono, 16 bit. */
  pcmOf: (part: Part) => Promise<Buffer>
  close: () => Promise<void>
}

/** A file without a name. */
async function nameless(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, randomUUID())
  const handle = await open(file, 'wx+', 0o600)
  await unlink(file)
  return handle
}

type Source = { bytes: Readable; format: 'mp3' | 'wav'; signal: AbortSignal }

/**
 * Decodes a recording in a thread of its own. Four hours take some 150 MB of memory with the thread, and in `folder` at most
 * 0.9 GB, if they are wideband. Throws `RecordingRefused` if it cannot be read, or as its stream does.
 */
export async function readRecording(
  folder: string,
  { bytes, format, signal }: Source,
  longest_s = LONGEST_S,
): Promise<ReadRecording> {
  const files = [await nameless(folder), await nameless(folder)] as const
  const close = async () => {
    await Promise.all(files.map((file) => file.close()))
  }
  try {
    const fds = files.map(({ fd }) => fd)
    const worker = new Worker(new URL('./recording-thread.ts', import.meta.url), {
      workerData: { format, files: fds, longest_s },
      execArgv: [],
      // the decoder reports bad frames there
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    })
    const { length_ms, rate, caller, other } = await decoded(worker, bytes, signal)
    const sided = (side: Part['side'], stretches: Stretch[]) =>
      stretches.map((stretch) => ({ side, ...stretch }))
    const parts = [...sided('caller', caller), ...sided('other', other)].sort(
      (a, b) => a.from - b.from || (a.side < b.side ? -1 : 1),
    )
    return {
      ...{ length_ms, rate, parts, close },
      async pcmOf({ side, from, to }) {
        const per_ms = (rate * 2) / 1_000
        const pcm = Buffer.alloc((to - from) * per_ms)
        const file = files[side === 'caller' ? 0 : 1]
        const { bytesRead } = await file.read(pcm, 0, pcm.length, from * per_ms)
        return pcm.subarray(0, bytesRead & ~1)
      },
    }
  } catch (e) {
    await close()
    throw e
  }
}

async function decoded(worker: Worker, bytes: Readable, signal: AbortSignal) {
  worker.stderr.resume()
  const broken = new Promise<never>((_, reject) => {
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The decoder exited with code ${code}`)))
  })
  broken.catch(() => undefined)
  const late = AbortSignal.timeout(TIME_MS)
  const ending = AbortSignal.any([signal, late])
  ending.addEventListener('abort', () => bytes.destroy(new Error('It is not waited for')))
  const said = async (): Promise<FromThread> => {
    const [message] = await Promise.race([once(worker, 'message', { signal: ending }), broken])
    return message
  }
  try {
    let size = 0
    let answer = await said()
    for await (const chunk of bytes) {
      size += chunk.length
      if (size > LARGEST_BYTES) throw new RecordingRefused('too_long')
      // its buffer may be part of a larger one
      const sent = new Uint8Array<ArrayBuffer>(chunk)
      worker.postMessage(sent, [sent.buffer])
      answer = await said()
      if (answer.kind !== 'next') break
    }
    if (answer.kind === 'next') {
      worker.postMessage(null satisfies ToThread)
      answer = await said()
    }
    if (answer.kind === 'refused') throw new RecordingRefused(answer.why)
    if (answer.kind !== 'done') throw new Error('The decoder has not come to an end')
    return answer
  } catch (e) {
    throw late.aborted ? new RecordingRefused('too_slow') : e
  } finally {
    bytes.destroy()
    await worker.terminate()
  }
}
