import { type CallEvent, t } from '@switchroom/contract'
import { quoted, seconds } from './sentence.ts'
import {
  type CallSpan,
  type CallSpans,
  hookName,
  isHook,
  isVerb,
  numberOf,
  textOf,
} from './spans.ts'
import { isConnected, isTransferred } from './verbs.ts'

const STATUS = 'call-status:'

/** When a call was answered and ended, and by whom. Undefined where the trace does not show it. */
export type Course = {
  answered: number | undefined
  ended: number | undefined
  hung_up_by: 'caller' | 'application' | undefined
}

const FINAL = new Set(['completed', 'busy', 'no-answer', 'failed'])
const statusOf = ({ name }: CallSpan) => name.slice(STATUS.length)

export function courseOf({ all, root }: CallSpans): Course {
  const statuses = all.filter(({ name }) => name.startsWith(STATUS))
  const answer = statuses.find((span) => statusOf(span) === 'in-progress')
  const final = statuses.find((span) => FINAL.has(statusOf(span)))
  // of a call that was never answered, the root ends with it
  const isRefused = root && !answer && (numberOf(root, 'finalStatus') ?? 0) >= 300
  const isAnswered = final !== undefined && statusOf(final) === 'completed'
  return {
    answered: answer?.start,
    ended: final?.start ?? (isRefused ? root.end : undefined),
    hung_up_by:
      isAnswered && !all.some(isTransferred) && !isLeft(all, final) ? hungUpBy(final) : undefined,
  }
}

function hungUpBy(final: CallSpan): Course['hung_up_by'] {
  const by = textOf(final, 'callTerminationBy')
  return by === 'caller' ? by : by === 'jambonz' ? 'application' : undefined
}

/** Whether the platform ended the call because the party left whom the last verb had connected. */
function isLeft(all: readonly CallSpan[], final: CallSpan) {
  if (hungUpBy(final) !== 'application') return false
  const last = all.findLast(isVerb)
  return last !== undefined && isConnected(last) && last.end <= final.start
}

const event = (at: number, tone: CallEvent['tone'], text: string): CallEvent => ({
  kind: 'event',
  at,
  end: null,
  tone,
  text,
})

/** The answer of the call as an event. */
export function answerEvent({ answered }: Course, { all }: CallSpans): CallEvent | undefined {
  if (answered === undefined) return undefined
  const rang = all.find(
    ({ name }) => name === `${STATUS}ringing` || name === `${STATUS}early-media`,
  )
  if (!rang) return event(answered, 'info', t('The call was answered.'))
  const time = seconds(Math.max(0, answered - rang.start))
  return event(answered, 'info', t('The call was answered after ringing for {time}.', { time }))
}

/** What the platform writes of why a call ended, where it is no plain hangup. */
const CAUSES: Record<string, string> = {
  'media server failure': t('The call ended because no media server was free.'),
  'tasks completed without answering call': t(
    'The application ended the call without answering it.',
  ),
}

/** The end of the call as an event. */
export function endEvent(course: Course, { all, root }: CallSpans): CallEvent | undefined {
  const { ended, hung_up_by } = course
  if (ended === undefined) return undefined
  const final = all.find(
    ({ name }) => name.startsWith(STATUS) && FINAL.has(name.slice(STATUS.length)),
  )
  const status = (final && numberOf(final, 'sipStatus')) ?? (root && numberOf(root, 'finalStatus'))
  if (course.answered === undefined) {
    const cause = root && textOf(root, 'call.termination')
    if (cause !== undefined && Object.hasOwn(CAUSES, cause))
      return event(ended, 'warn', CAUSES[cause]!)
    const isGivenUp = status === 487 || cause === 'caller abandoned'
    if (isGivenUp) return event(ended, 'info', t('The caller hung up before an answer.'))
    return event(
      ended,
      'warn',
      status === undefined
        ? t('The call ended without an answer.')
        : t('The call ended without an answer, with SIP status {status}.', { status }),
    )
  }
  if (hung_up_by === 'caller') return event(ended, 'info', t('The caller hung up.'))
  if (hung_up_by === 'application') return event(ended, 'info', t('The application hung up.'))
  return final && isLeft(all, final)
    ? event(ended, 'info', t('The call ended with the connection to the called party.'))
    : event(ended, 'info', t('The call ended.'))
}

/** A webhook's failure; undefined if it answered well. */
export function failureOf(hook: CallSpan): string | undefined {
  const status = numberOf(hook, 'http.statusCode') ?? numberOf(hook, 'webhookStatus')
  const name = hook.name === 'performAppWebhook' ? undefined : hookName(hook)
  const url = name === undefined || name === 'verb:hook' ? textOf(hook, 'hook.url') : name
  if (status === undefined) {
    const time = seconds(hook.end - hook.start)
    return url === undefined
      ? t('The application’s webhook did not answer within {time}.', { time })
      : t('The webhook {url} did not answer within {time}.', { url: quoted(url), time })
  }
  if (status < 300) return undefined
  return url === undefined
    ? t('The application’s webhook answered with HTTP status {status}.', { status })
    : t('The webhook {url} answered with HTTP status {status}.', { url: quoted(url), status })
}

/** The webhooks that failed, as events. */
export const failedHooks = (all: readonly CallSpan[]): CallEvent[] =>
  all.filter(isHook).flatMap((hook) => {
    const text = failureOf(hook)
    return text === undefined ? [] : [event(hook.end, 'bad', text)]
  })
