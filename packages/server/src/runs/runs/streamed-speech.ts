import { isRecord, type RunRequestName, t } from '@switchroom/contract'
import type { Call, StreamedSpeech } from './call.ts'
import { clip } from './recorder.ts'
import type { Members } from './run-application.ts'
import { speak } from './speech.ts'

/** Characters that the platform buffers of text not spoken yet. */
const BUFFER_CHARS = 1_000

export const noStreamedSpeech = (): StreamedSpeech => ({
  isOn: false,
  isInVerb: false,
  text: '',
  isPaused: false,
  spoken: 0,
})

/** Turns it on and off, as `ttsStream` of config does. */
export function setStreaming(call: Call, ttsStream: unknown) {
  if (!isRecord(ttsStream)) return
  const { streamed } = call
  const isOn = ttsStream.enable === true
  if (!isOn) flush(call)
  if (isOn !== streamed.isOn) tell(call, isOn ? 'stream_open' : 'stream_closed')
  Object.assign(streamed, { isOn, synthesizer: ttsStream.synthesizer })
}

/** Takes the next piece of text, and speaks the sentences it completes: the platform speaks whole sentences. */
export function takeTokens(call: Call, { id, tokens }: Members) {
  const { streamed, recorder } = call
  if (typeof tokens !== 'string')
    return reply(call, { id, status: 'failed', reason: 'missing tokens' })
  if (!streamed.isOn && !streamed.isInVerb) {
    recorder.event(
      'warn',
      t(
        'Nobody hears these tokens. Turn streaming on with ttsStream in config, or with stream in say.',
      ),
    )
    return reply(call, { id, status: 'failed' })
  }
  if (streamed.text.length + tokens.length > BUFFER_CHARS) return refuse(call, id)
  streamed.text += tokens
  reply(call, { id, status: 'ok' })
  const end = endOfSentences(streamed.text)
  if (end > 0) say(call, end)
}

/** The buffer is full: the application waits until it is spoken. */
function refuse(call: Call, id: unknown) {
  const { streamed } = call
  reply(call, { id, status: 'failed', reason: 'full' })
  if (!streamed.isPaused) tell(call, 'stream_paused')
  streamed.isPaused = true
  // a single piece that is too large never fits
  if (streamed.text !== '') flush(call)
  else
    call.recorder.event(
      'warn',
      t('The platform takes at most 1,000 characters at once. This piece never fits its buffer.'),
    )
}

/** Speaks the buffered text. */
export function flush(call: Call) {
  say(call, call.streamed.text.length)
}

/** Drops the text that is not spoken yet. */
export function clear({ streamed }: Call) {
  streamed.text = ''
  streamed.isPaused = false
}

/** Drops the text to be spoken, because the caller speaks. */
export function interrupt(call: Call) {
  if (!call.streamed.isOn) return
  clear(call)
  tell(call, 'user_interruption')
}

function say(call: Call, end: number) {
  const { streamed } = call
  const text = streamed.text.slice(0, end).trim()
  streamed.text = streamed.text.slice(end)
  if (text !== '') {
    speak(call, { name: 'say', data: { text, synthesizer: streamed.synthesizer } })
    streamed.spoken += 1
  }
  if (!streamed.isPaused) return
  streamed.isPaused = false
  tell(call, 'stream_resumed')
}

/** End of the last complete sentence; 0 if there is none. */
function endOfSentences(text: string) {
  const ends = [...text.matchAll(/[.!?…。！？]["')\]]*\s|\n/g)]
  const last = ends.at(-1)
  return last ? last.index + last[0].length : 0
}

function reply(call: Call, data: Members) {
  void call.socket?.send(envelope(call, 'tts:tokens-result', data), false)
}

function tell(call: Call, event_type: string) {
  const { socket, recorder } = call
  if (!socket) return
  const data = { event_type }
  void socket.send(envelope(call, 'tts:streaming-event', data), false)
  recorder.add({
    ...{ kind: 'request', name: 'tts:streaming-event', verb: null, method: 'WS' },
    ...{ url: clip(socket.url, 1_000), data: recorder.body(JSON.stringify(data)) },
    ...{ answer: null, ms: 0, attempts: 1, problems: [] },
  })
}

const envelope = ({ leg }: Call, type: RunRequestName, data: Members) => ({
  ...{ type, call_sid: leg.call_sid, data },
})
