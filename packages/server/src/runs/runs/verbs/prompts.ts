import { t } from '@switchroom/contract'
import { ask } from '../ask.ts'
import { type Call, isInterrupted } from '../call.ts'
import { postHook } from '../hooks.ts'
import { lapse } from '../lapse.ts'
import { clip } from '../recorder.ts'
import type { Verb } from '../run-application.ts'
import { isEndless, play as playSounds, speak, spokenMs, textOf, voiceOf } from '../speech.ts'
import { flush } from '../streamed-speech.ts'
import { tellPlayback, tellVerb } from '../verb-status.ts'
import { interrupted } from './barge-in.ts'

/** Duration of a sound on the run's clock, which `play` reports. */
const SOUND_MS = 1_000

export async function say(call: Call, verb: Verb) {
  speak(call, verb)
  if (verb.data.stream === true) await untilStreamed(call)
  tellSynthesis(call, verb)
  tellPlayback(call, verb, 'start')
  if (isEndless(verb.data)) return untilEnded(call, verb)
  // an application that cannot speak during it need not wait
  if (await interrupted(call, verb)) return
  const mayGoOn = !call.socket || call.socket.isDone() || (await lapse(call, spokenMs(verb.data)))
  tellPlayback(call, verb, mayGoOn ? 'stop' : 'kill')
}

function tellSynthesis(call: Call, verb: Verb) {
  const { vendor, language } = voiceOf(call, verb.data)
  tellVerb(call, verb, {
    ...{ event: 'synthesized-audio', verb: verb.name, vendor, language },
    ...{ characters: textOf(verb.data).length, elapsed_time: 0, served_from_cache: false },
  })
}

export async function play(call: Call, verb: Verb) {
  playSounds(call, verb)
  tellPlayback(call, verb, 'start')
  if (isEndless(verb.data)) return untilEnded(call, verb)
  if (!(await lapse(call, SOUND_MS))) return tellPlayback(call, verb, 'kill')
  if (await interrupted(call, verb)) return
  tellPlayback(call, verb, 'stop')
  // sounds for a waiting caller have no hook
  if (call.nested && call.nested !== 'confirm') return
  await postHook(call, verb, {
    playback_seconds: String(SOUND_MS / 1_000),
    playback_milliseconds: String(SOUND_MS),
    reason: 'playCompleted',
  })
}

/** Waits for the streamed text of a WebSocket application, until it is spoken. */
async function untilStreamed(call: Call) {
  const { socket, clock, limits, streamed } = call
  if (!socket || socket.isDone()) return
  const before = streamed.spoken
  streamed.isInVerb = true
  for (;;) {
    const hasBegun = streamed.spoken > before || streamed.text !== ''
    const isActive = await clock.measure(
      socket.activity(hasBegun ? limits.settle_ms : limits.silence_ms),
    )
    if (isInterrupted(call) || call.failure || !isActive) break
  }
  flush(call)
  streamed.isInVerb = false
  if (streamed.spoken === before && !isInterrupted(call))
    call.recorder.event('warn', t('Nothing was streamed, so the caller hears silence.'))
}

/** Waits until something ends a prompt that repeats for ever: the caller, or the application. */
async function untilEnded(call: Call, verb: Verb): Promise<void> {
  // the waiting caller hears it until the wait is over
  if (call.nested && call.nested !== 'confirm') return
  if (call.settings.bargeIn && !call.nested) return void (await interrupted(call, verb, 0))
  for (;;) {
    const answer = await ask(call, { verb: verb.name, answers: ['wait'] })
    if (answer?.kind !== 'wait' || !(await lapse(call, (answer.seconds ?? 0) * 1_000)))
      return tellPlayback(call, verb, 'kill')
  }
}

export async function pause(call: Call, verb: Verb) {
  const ms = Math.max(0, Number(verb.data.length) * 1_000)
  call.recorder.add({ kind: 'paused', ms: Math.round(Math.min(ms, call.limits.clock_ms)) })
  if (await lapse(call, ms)) await interrupted(call, verb)
}

/** Keys that the platform presses, and how long that takes. */
export async function dtmf(call: Call, { data }: Verb) {
  const keys = String(data.dtmf)
  const duration = typeof data.duration === 'number' ? data.duration : 500
  call.recorder.event('info', t('The platform sends the DTMF digits {keys}.', { keys: clip(keys) }))
  await lapse(call, keys.length * Math.max(0, duration + 250) + 750)
}
