import {
  type ConversationEntry,
  type Heard,
  type ModelTurn,
  type Recorded,
  type ResponsePart,
  type ResponseTime,
  type Said,
  t,
} from '@switchroom/contract'
import { msText, spentOn } from '../../calls/call/conversation/conversation-text'
import { saysSame } from './likeness'

/**
 * A difference between two entries side by side, as a sentence.
 * - `time`: in response time
 * - `course`: in what was said or done
 * - `detail`: in how
 * - `setting`: in what the application chose for the call, shown once
 */
export type Difference = {
  kind: 'time' | 'course' | 'detail' | 'setting'
  text: string
  /** Milliseconds by which call B answered later than call A. */
  later?: number
}

/** Smallest difference in response time that people notice, in milliseconds. */
export const LATER_MS = 200

type Later = { side: string; time: string; more: string }
const LATER: Record<ResponsePart, (values: Later) => string> = {
  recognition: (v) => t('Call {side} answered {time} later: {more} more for recognition', v),
  digits: (v) => t('Call {side} answered {time} later: {more} more for waiting for digits', v),
  webhook: (v) => t('Call {side} answered {time} later: {more} more for the webhook', v),
  application: (v) => t('Call {side} answered {time} later: {more} more for the application', v),
  hand_over: (v) => t('Call {side} answered {time} later: {more} more for the hand-over', v),
  pause: (v) => t('Call {side} answered {time} later: {more} more for pauses', v),
  voice: (v) => t('Call {side} answered {time} later: {more} more for the voice', v),
}

const course = (text: string): Difference => ({ kind: 'course', text })
const detail = (text: string): Difference => ({ kind: 'detail', text })
const setting = (text: string): Difference => ({ kind: 'setting', text })
const told = (differences: readonly (Difference | false | undefined)[]) =>
  differences.filter((d) => d !== undefined && d !== false)

/** A difference found in one call only. */
const onlyIn = (a: boolean, text: (side: string) => string) => text(a ? 'A' : 'B')

/** A setting whose value differs; undefined if it is the same, or unknown for one call. */
function unlike(name: string, a: string | null, b: string | null): Difference | undefined {
  if (a === null || b === null || a === b) return undefined
  return setting(t('{name}: {a} in call A, {b} in call B', { name, a, b }))
}

/** Differences between two entries side by side. */
export function differencesOf(a: ConversationEntry, b: ConversationEntry): Difference[] {
  if (a.kind === 'heard' && b.kind === 'heard') return heardDifferences(a, b)
  if (a.kind === 'said' && b.kind === 'said') return saidDifferences(a, b)
  if (a.kind === 'recorded' && b.kind === 'recorded') return recordedDifferences(a, b)
  // a model says the same in other words
  if (a.kind === 'model' && b.kind === 'model' && a.what === 'words')
    return recordedDifferences(a, b)
  return saysSame(a, b) ? [] : [course(t('Different outcome'))]
}

const isUnderstood = ({ outcome }: Heard) => outcome === 'speech' || outcome === 'digits'

/** Smallest difference in confidence that means anything across vendors. */
const CONFIDENCE = 0.1
const percent = (confidence: number) => `${Math.round(confidence * 100)} %`

function heardDifferences(a: Heard, b: Heard): Difference[] {
  const [inA, inB] = [isUnderstood(a), isUnderstood(b)]
  return told([
    inA !== inB && course(onlyIn(inA, (side) => t('Understood only in call {side}', { side }))),
    !inA && !inB && a.outcome !== b.outcome && course(t('Different outcome')),
    a.digits !== null &&
      b.digits !== null &&
      a.digits !== b.digits &&
      course(t('Different keys pressed')),
    a.confidence !== null &&
      b.confidence !== null &&
      Math.abs(a.confidence - b.confidence) >= CONFIDENCE &&
      detail(
        t('{name}: {a} in call A, {b} in call B', {
          name: t('Confidence'),
          a: percent(a.confidence),
          b: percent(b.confidence),
        }),
      ),
    a.asked_again !== b.asked_again &&
      detail(onlyIn(a.asked_again, (side) => t('Asked again only in call {side}', { side }))),
    unlike(t('Speech recognition'), a.vendor, b.vendor),
    unlike(t('Language of recognition'), a.language, b.language),
    ...(a.response && b.response ? timeDifferences(a.response, b.response) : []),
  ])
}

function saidDifferences(a: Said, b: Said): Difference[] {
  const known = (name: 'cached' | 'is_interrupted') =>
    a[name] !== null && b[name] !== null && a[name] !== b[name]
  const failed = a.failed.length > 0
  return told([
    !saysSame(a, b) && course(t('Different prompts')),
    a.is_spoken !== b.is_spoken &&
      course(onlyIn(a.is_spoken, (side) => t('Spoken only in call {side}', { side }))),
    known('is_interrupted') &&
      detail(onlyIn(!!a.is_interrupted, (side) => t('Interrupted only in call {side}', { side }))),
    failed !== b.failed.length > 0 &&
      detail(onlyIn(failed, (side) => t('A voice failed only in call {side}', { side }))),
    known('cached') &&
      detail(onlyIn(!!a.cached, (side) => t('From the cache only in call {side}', { side }))),
    unlike(t('Speech synthesis'), a.vendor, b.vendor),
    unlike(t('Voice'), a.voice, b.voice),
    unlike(t('Language of the voice'), a.language, b.language),
  ])
}

/** Callers say what they like: no difference. A model rarely says the same twice: a detail. */
const recordedDifferences = (a: Recorded | ModelTurn, b: Recorded | ModelTurn) =>
  a.side === 'caller' || saysSame(a, b) ? [] : [detail(t('Different words'))]

const isAnswered = ({ until }: ResponseTime) => until === 'voice' || until === 'verb'

/** True if both times start and end at the same kind of event, so that one can be called longer. */
const isComparable = (a: ResponseTime, b: ResponseTime) =>
  (a.since === 'result') === (b.since === 'result') &&
  (a.until === b.until || (isAnswered(a) && isAnswered(b)))

function timeDifferences(a: ResponseTime, b: ResponseTime): Difference[] {
  const [endsA, endsB] = [a.until === 'hangup', b.until === 'hangup']
  if (endsA !== endsB)
    return [course(onlyIn(endsA, (side) => t('Only call {side} ended before an answer', { side })))]
  // nobody answered
  if (endsA || !isComparable(a, b)) return []
  const later = spentOn(b) - spentOn(a)
  if (Math.abs(later) < LATER_MS) return []
  return [{ kind: 'time', later, text: laterText(a, b, later) }]
}

/** Names the slower call, the difference, and the part that caused most of it. */
function laterText(a: ResponseTime, b: ResponseTime, later: number): string {
  const [slow, fast] = later > 0 ? [b, a] : [a, b]
  const ms = Math.abs(later)
  const spent = new Map<ResponsePart, number>()
  for (const { part, ms } of slow.parts) spent.set(part, (spent.get(part) ?? 0) + ms)
  for (const { part, ms } of fast.parts) spent.set(part, (spent.get(part) ?? 0) - ms)
  const [part, more] = [...spent].reduce((most, next) => (next[1] > most[1] ? next : most))
  const side = later > 0 ? 'B' : 'A'
  return more >= ms / 2
    ? LATER[part]({ side, time: msText(ms), more: msText(more) })
    : t('Call {side} answered {time} later', { side, time: msText(ms) })
}
