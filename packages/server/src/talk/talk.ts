import type { Said, Trace } from '@switchroom/contract'
import { talkIn } from './conversation.ts'
import { type Count, type CountedBy, keyOf, type Talk } from './counts.ts'
import { answerTime, hasGivenUp, isBeforeResult, knownTime } from './figures.ts'
import { type Gathering, utterances } from './heard.ts'
import { type Interruptions, interruptionsOf } from './interruptions.ts'
import { type CallSpan, isHook, isJson, jsonOf, textOf } from './spans.ts'
import { wordsOf } from './words.ts'

/** The most recognizers, voices or vendors of one call. Others are counted as unknown. */
const MAX_KEYS = 40

/** Rounds a time to two digits. Larger times are never rounded to smaller ones. */
export function roundTime(ms: number) {
  const whole = Math.round(ms)
  const unit = 10 ** Math.max(0, String(whole).length - 2)
  return Math.round(whole / unit) * unit
}

/**
 * Counts for figures and words of a call's conversation. Undefined while the call is not over, as its root span tells.
 */
export function talkOf(trace: Trace): Talk | undefined {
  const { spans, course, gathered, said } = talkIn(trace)
  const { root } = spans
  if (!root) return undefined
  const counts = new Counts()
  const turns = gathered.filter(
    ({ heard: { side, outcome } }) => side === 'caller' && outcome !== 'stopped',
  )
  const isTold = turns.length > 0 || said.length > 0
  if (isTold) {
    counts.add('all', '', 'calls')
    if (course.hung_up_by === 'caller') counts.add('all', '', 'ended_by_caller')
    if (course.hung_up_by === 'application') counts.add('all', '', 'ended_by_application')
  }
  const voiced = new Map(
    said.flatMap((one) => (one.voice_ms === null ? [] : [[one.at + one.voice_ms, one] as const])),
  )
  const isLeftByCaller = course.hung_up_by === 'caller'
  for (const turn of turns) addTurn(counts, turn, { isLeftByCaller, voiced })
  for (const one of said) addPrompt(counts, one)
  addInterruptions(counts, interruptionsOf(spans.all, { gathered, said, course }))
  return {
    began: root.start,
    call_sid: textOf(root, 'callSid'),
    counts: counts.all(),
    tag: tagOf(spans.all),
    words: wordsOf(
      [
        ...gathered.map(({ heard: { at, transcript } }) => ({ at, text: transcript })),
        ...utterances(spans.all).map(({ at, transcript }) => ({ at, text: transcript })),
        ...said,
      ]
        .sort((a, b) => a.at - b.at)
        .map(({ text }) => text ?? ''),
    ),
  }
}

/** More of a tag is not read. */
const MAX_TAG = 50

/** Data of the last `tag` verb, which later webhooks have. */
function tagOf(all: readonly CallSpan[]): Talk['tag'] {
  const last = all.findLast(
    (span) => isHook(span) && textOf(span, 'http.body')?.includes('"customerData"'),
  )
  const { customerData } = jsonOf(last, 'http.body')
  return isJson(customerData)
    ? Object.fromEntries(
        Object.entries(customerData)
          .slice(0, MAX_TAG)
          .filter(([, value]) => typeof value !== 'object'),
      )
    : {}
}

class Counts {
  #all = new Map<string, Count>()
  #keys = new Map<CountedBy, Set<string>>()

  add(by: CountedBy, key: string, measure: Count['measure'], { value = 0, n = 1 } = {}) {
    const kept = this.#kept(by, key)
    const id = JSON.stringify([by, kept, measure, value])
    const count = this.#all.get(id)
    if (count) count.n += n
    else this.#all.set(id, { by, key: kept, measure, value, n })
  }

  /** A trace may name as many vendors as it likes. */
  #kept(by: CountedBy, key: string) {
    const keys = this.#keys.get(by) ?? new Set()
    this.#keys.set(by, keys)
    if (keys.size >= MAX_KEYS && !keys.has(key))
      return keyOf(by === 'vendor' ? key.split('\n')[0]! : null, null)
    keys.add(key)
    return key
  }

  all = () => [...this.#all.values()]
}

type Voiced = ReadonlyMap<number, Said>

function addTurn(
  counts: Counts,
  { heard }: Gathering,
  { isLeftByCaller, voiced }: { isLeftByCaller: boolean; voiced: Voiced },
) {
  const { outcome, vendor, language, instead_of, response, asked_again } = heard
  const isOfRecognizer = outcome !== 'digits' && (outcome !== 'nothing' || vendor !== null)
  const recognizer = keyOf(vendor, language)
  const add = (measure: Count['measure'], options?: { value: number }) => {
    counts.add('all', '', measure, options)
    if (isOfRecognizer) counts.add('recognizer', recognizer, measure, options)
  }
  add('turns')
  if (outcome === 'low_confidence' || (outcome === 'speech' && asked_again)) add('not_understood')
  if (outcome === 'nothing') add('timed_out')
  if (outcome === 'error') add('failed')
  if (isLeftByCaller && hasGivenUp(response)) add('hung_up')
  if (isOfRecognizer && vendor !== null)
    addRequest(counts, 'recognition', vendor, outcome === 'error')
  if (instead_of !== null) addRequest(counts, 'recognition', instead_of, true)
  const answered = answerTime(heard)
  if (answered === null || !response) return
  add('answer', { value: roundTime(answered) })
  const ms = knownTime(heard)
  if (ms !== null) add('response', { value: roundTime(ms) })
  for (const { part, ms: spent } of response.parts)
    if (ms !== null || !isBeforeResult(part))
      counts.add('all', '', `spent_on_${part}`, { n: Math.round(spent) })
  const said = response.ms === null ? undefined : voiced.get(response.began + response.ms)
  if (!said || said.vendor === null) return
  const voice = keyOf(said.vendor, said.voice)
  counts.add('voice', voice, 'answer', { value: roundTime(answered) })
  if (ms !== null) counts.add('voice', voice, 'response', { value: roundTime(ms) })
}

function addPrompt(counts: Counts, { vendor, voice, cached, voice_ms, failed, is_spoken }: Said) {
  for (const { vendor: name } of failed) addRequest(counts, 'voice', name, true)
  if (!is_spoken) return
  const add = (measure: Count['measure'], options?: { value: number }) => {
    counts.add('all', '', measure, options)
    if (vendor !== null) counts.add('voice', keyOf(vendor, voice), measure, options)
  }
  add('prompts')
  if (cached === true) add('cached')
  if (cached !== false) return
  add('not_cached')
  if (vendor !== null) addRequest(counts, 'voice', vendor, false)
  if (voice_ms !== null) add('first_audio', { value: roundTime(voice_ms) })
}

function addInterruptions(
  counts: Counts,
  { barge_ins, barge_in_known, turns, talk }: Interruptions,
) {
  const add = (measure: Count['measure'], options: { value?: number; n?: number }) => {
    if (options.n !== 0) counts.add('all', '', measure, options)
  }
  add('barge_ins', { n: barge_ins })
  add('barge_in_known', { n: barge_in_known })
  for (const { talk_over, silence_before } of turns) {
    if (talk_over !== null) add('talk_over', { value: roundTime(talk_over) })
    if (silence_before !== null) add('silence_before', { value: roundTime(silence_before) })
  }
  if (!talk) return
  add('talk_known', {})
  add('caller_talk', { n: Math.round(talk.caller_ms) })
  add('application_talk', { n: Math.round(talk.application_ms) })
}

function addRequest(
  counts: Counts,
  service: 'recognition' | 'voice',
  vendor: string,
  hasFailed: boolean,
) {
  counts.add('vendor', keyOf(service, vendor), 'requests')
  if (hasFailed) counts.add('vendor', keyOf(service, vendor), 'failed')
}
