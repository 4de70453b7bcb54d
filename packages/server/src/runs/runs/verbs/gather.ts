import { type AnswerKind, isRecord, membersOf, t } from '@switchroom/contract'
import { ask } from '../ask.ts'
import type { Call } from '../call.ts'
import { afterDelay } from '../delay.ts'
import { postHook } from '../hooks.ts'
import { lapse } from '../lapse.ts'
import { overheard } from '../overheard.ts'
import { digitsOf, digitsWanted } from '../pressed.ts'
import { lowConfidence, minConfidence, recognized } from '../recognized.ts'
import type { Members, Verb } from '../run-application.ts'
import { delayOf } from '../settings.ts'
import { isEndless, play, speak } from '../speech.ts'
import { tellPlayback } from '../verb-status.ts'

const TIMEOUT_S = 15

/** Plays the prompt, listens, and posts the result. */
export async function gather(call: Call, verb: Verb) {
  const { data } = verb
  if (isRecord(data.say)) speak(call, { name: verb.name, data: data.say })
  if (isRecord(data.play)) play(call, { name: verb.name, data: data.play })
  const isPrompting = isRecord(data.say) || isRecord(data.play)
  if (isPrompting) tellPlayback(call, verb, 'start')
  const result = await listenOnce(call, verb)
  if (isPrompting) tellPlayback(call, verb, result?.reason === 'timeout' ? 'stop' : 'kill')
  if (!result || call.ended || call.isCalledGone) return
  if (!data.actionHook)
    return call.recorder.event('warn', t('The gather has no actionHook, so its result is dropped.'))
  const reply = await postHook(call, verb, result)
  if (reply) await afterDelay(call, data, reply)
  call.delay = delayOf(call, data)
}

/** Listens once, and resolves to the members for the hook. Undefined if there is nothing to post. */
export async function listenOnce(
  call: Call,
  verb: Verb,
  /** Answers that fit as well. */
  others: AnswerKind[] = [],
): Promise<Members | undefined> {
  const { data } = verb
  const input = Array.isArray(data.input) ? data.input : ['digits']
  const listens = input.includes('speech')
  // it begins when the prompt ends
  const isSpeaking = [data.say, data.play].some((prompt) => isEndless(membersOf(prompt)))
  const timeout_s = isSpeaking ? 0 : typeof data.timeout === 'number' ? data.timeout : TIMEOUT_S
  const answers: AnswerKind[] = [
    ...(listens ? speechAnswers(call, data) : []),
    ...(input.includes('digits') ? (['digits'] as const) : []),
    ...(timeout_s > 0 ? (['nothing'] as const) : []),
    ...others,
  ]
  const digits = digitsWanted(data)
  const answer = await ask(call, {
    verb: verb.name,
    answers,
    timeout_ms: timeout_s > 0 ? timeout_s * 1_000 : null,
    digits: input.includes('digits') ? digits : null,
  })
  switch (answer?.kind) {
    case 'digits': {
      const taken = digitsOf(answer.digits, digits)
      if (taken !== undefined) return { digits: taken, reason: 'dtmfDetected' }
      if (!(await lapse(call, timeout_s * 1_000))) return undefined
      call.recorder.event(
        'warn',
        t(
          'These digits do not complete the input. The platform waits for more and drops them at the timeout.',
        ),
      )
      return { reason: 'timeout' }
    }
    case 'speech':
      return spoken(call, verb, answer.text, answer.confidence)
    case 'low_confidence':
      return spoken(call, verb, answer.text, answer.confidence ?? lowConfidence(call, data))
    case 'nothing':
      return { reason: 'timeout' }
    case 'wait':
      await lapse(call, (answer.seconds ?? 0) * 1_000)
      return undefined
    case 'error':
      return { reason: 'error', details: answer.details ?? 'recognizer error' }
    default:
      return undefined
  }
}

/** Kinds of answers to speech: `low_confidence` only if a minimum confidence is set. */
const speechAnswers = (call: Call, data: Members): AnswerKind[] => [
  'speech',
  ...(minConfidence(call, data) > 0 ? (['low_confidence'] as const) : []),
  'error',
]

async function spoken(call: Call, verb: Verb, transcript: string, confidence?: number) {
  const { data } = verb
  const words = { transcript, ...(confidence !== undefined && { confidence }) }
  await overheard(call, words)
  if (data.partialResultHook)
    await postHook(
      call,
      verb,
      { speech: recognized(call, data, { ...words, is_final: false }) },
      { hook: data.partialResultHook, replaces: false },
    )
  const isLow = confidence !== undefined && confidence < minConfidence(call, data)
  return {
    speech: recognized(call, data, words),
    reason: isLow ? 'stt-low-confidence' : 'speechDetected',
  }
}
