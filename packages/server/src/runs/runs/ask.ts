import { type Answer, type AnswerKind, type Question, t } from '@switchroom/contract'
import { type Call, checkStopped } from './call.ts'
import { hangUp } from './hang-up.ts'
import { lapse } from './lapse.ts'
import { LOW_CONFIDENCE } from './recognized.ts'
import { clip } from './recorder.ts'
import type { Verb } from './run-application.ts'
import { flush } from './streamed-speech.ts'

type Asked = { verb: Verb['name']; answers: AnswerKind[] } & Partial<Question>

/** Longer ones are cut. */
const TARGET_CHARS = 1_000
/** Longer timeouts end the run anyway. */
const DAY_MS = 86_400_000

/**
 * Asks the tester. Undefined if the application moved on before there was an answer. Whoever hangs up has done so when
 * this resolves.
 */
export async function ask(
  call: Call,
  { verb, answers, targets = [], timeout_ms = null, ...rest }: Asked,
) {
  const { recorder, side } = call
  const question: Question = {
    verb,
    side,
    digits: null,
    ...rest,
    timeout_ms: timeout_ms === null ? null : Math.round(Math.min(Math.max(timeout_ms, 0), DAY_MS)),
    answers: [...answers, 'hang_up'],
    targets: targets.slice(0, 10).map(({ type, to }) => ({ type, to: clip(to, TARGET_CHARS) })),
  }
  // what is left is spoken once nothing follows it
  flush(call)
  recorder.add({ kind: 'asked', question })
  const given = await answerOf(call, question)
  checkStopped(call)
  if (call.failure) throw call.failure
  if (!given) {
    recorder.event('info', t('The application moved on before the caller answered.'))
    return undefined
  }
  flush(call)
  const answer = fitting(call, question, given)
  if (!(await lapse(call, timeOf(question, answer)))) return undefined
  recorder.add({ kind: 'answered', answer })
  if (answer.kind !== 'hang_up') return answer
  if (side === 'called') {
    call.isCalledGone = true
    recorder.event('info', t('The called party hangs up.'))
  } else {
    const text =
      call.leg.answered_at === undefined
        ? t('The caller gives up before the call is answered.')
        : t('The caller hangs up.')
    await hangUp(call, { by: 'caller', text })
  }
  return answer
}

/** A scripted answer may be meant for what the application asked before it was changed. */
function fitting({ recorder }: Call, { answers }: Question, answer: Answer): Answer {
  if (answers.includes(answer.kind)) return answer
  // words are words where nothing says how certain they must be
  if (answer.kind === 'low_confidence' && answers.includes('speech'))
    return { confidence: LOW_CONFIDENCE, ...answer, kind: 'speech' }
  recorder.event(
    'bad',
    t('The answer “{kind}” does not fit this question, so the caller hangs up.', {
      kind: answer.kind,
    }),
  )
  return { kind: 'hang_up' }
}

function timeOf({ timeout_ms }: Question, answer: Answer) {
  if (answer.kind === 'nothing' || answer.kind === 'no_answer') return timeout_ms ?? 0
  return 'after_ms' in answer ? (answer.after_ms ?? 0) : 0
}

function answerOf(call: Call, question: Question) {
  const signal = AbortSignal.any([call.interrupt.signal, call.stop])
  return new Promise<Answer | undefined>((resolve, reject) => {
    const stopped = () => resolve(undefined)
    if (signal.aborted) return stopped()
    signal.addEventListener('abort', stopped, { once: true })
    call.caller
      .ask(question, signal)
      .then(resolve, (e: unknown) => (signal.aborted ? stopped() : reject(e)))
      .finally(() => signal.removeEventListener('abort', stopped))
  })
}
