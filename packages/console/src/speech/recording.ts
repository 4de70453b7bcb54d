import { t } from '@switchroom/contract'
import { mixToMono, wavOf } from './wav'

export const RECORDING_SECONDS = 30
const RATE = 16_000
// decoded audio takes many times the file's size in memory
const FILE_MAX_BYTES = 20_000_000

/** Why there is no recording. The message is for the user. */
export class RecordingError extends Error {
  override name = 'NoRecording'
}

const PROBLEMS: Record<string, string> = {
  NotAllowedError: t(
    'The browser blocks the microphone. Allow it in the address bar, or choose a file instead.',
  ),
  NotFoundError: t('No microphone found. Connect one, or choose a file instead.'),
  NotReadableError: t(
    'The microphone does not respond. Close other programs that use it, or choose a file instead.',
  ),
}

export type Running = {
  /** Stops recording; `recorded` then resolves. */
  stop: () => void
  /** The recording in the browser's own format. */
  recorded: Promise<Blob>
}

/** Records until stopped, or until the time limit. Throws `NoRecording`. */
export async function startRecording(): Promise<Running> {
  if (!navigator.mediaDevices || typeof MediaRecorder === 'undefined')
    throw new RecordingError(
      t('Browsers allow the microphone only over HTTPS. Use HTTPS, or choose a file instead.'),
    )
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true }).catch((error) => {
    const why =
      (error instanceof Error && PROBLEMS[error.name]) ||
      t('The microphone cannot be used. Try again, or choose a file instead.')
    throw new RecordingError(why, { cause: error })
  })
  const release = () => {
    for (const track of stream.getTracks()) track.stop()
  }
  const recorder = new MediaRecorder(stream)
  const parts: Blob[] = []
  recorder.ondataavailable = (e) => parts.push(e.data)
  const recorded = new Promise<Blob>((resolve, reject) => {
    recorder.onstop = () => {
      clearTimeout(timer)
      release()
      resolve(new Blob(parts, { type: recorder.mimeType }))
    }
    recorder.onerror = () => {
      clearTimeout(timer)
      release()
      reject(new RecordingError(t('The recording stopped. Try again, or choose a file instead.')))
    }
  })
  const stop = () => recorder.state !== 'inactive' && recorder.stop()
  const timer = setTimeout(stop, RECORDING_SECONDS * 1_000)
  recorder.start()
  return { stop, recorded }
}

export type Recorded = { wav: Uint8Array<ArrayBuffer>; seconds: number; cut: boolean }

/** Converts anything the browser can play to the WAV that the server takes. Throws `NoRecording`. */
export async function recordingOf(file: Blob): Promise<Recorded> {
  if (file.size > FILE_MAX_BYTES)
    throw new RecordingError(
      t('The file is too large. The limit is {FILE_MAX_BYTES} MB', {
        FILE_MAX_BYTES: FILE_MAX_BYTES / 1_000_000,
      }),
    )
  const context = new OfflineAudioContext(1, 1, RATE)
  // the browser resamples to the rate of the context
  const sound = await context.decodeAudioData(await file.arrayBuffer()).catch((cause) => {
    throw new RecordingError(t('This browser cannot read this audio file'), { cause })
  })
  const length = Math.min(sound.length, RECORDING_SECONDS * RATE)
  if (length === 0) throw new RecordingError(t('This recording is empty'))
  const channels = Array.from({ length: sound.numberOfChannels }, (_, i) =>
    sound.getChannelData(i).subarray(0, length),
  )
  return {
    wav: wavOf(mixToMono(channels), RATE),
    seconds: length / RATE,
    cut: sound.length > length,
  }
}
