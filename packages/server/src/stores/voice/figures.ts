import {
  HOURLY_MAX_MS,
  hoursOfDay,
  type InterruptionCounts,
  isTimedMeasure,
  keysOf,
  type Percentiles,
  type PromptCounts,
  type ResponsePart,
  type TimedMeasure,
  type TurnCounts,
  type VoiceFigures,
  zoneClock,
} from '@switchroom/contract'
import { isBeforeResult } from '../../talk/figures.ts'
import type { Span } from '../calls/store.ts'
import { HOUR_MS } from '../calls/sums.ts'
import type { Sum } from './store.ts'

/** The most rows of a table. */
const MAX_ROWS = 500

/** Number of occurrences of each time. */
type Times = Map<number, number>

/** The nearest-rank percentiles of times. */
function percentilesOf(times: Times): Percentiles {
  const sorted = [...times].filter(([, n]) => n > 0).sort(([a], [b]) => a - b)
  const known = sorted.reduce((sum, [, n]) => sum + n, 0)
  const at = (percent: number) => {
    let rank = Math.ceil((known * percent) / 100)
    for (const [ms, n] of sorted) {
      rank -= n
      if (rank <= 0) return ms
    }
    return null
  }
  return { known, p50: at(50), p95: at(95), p99: at(99) }
}

/** Sums of the same things. */
class Group {
  #counts = new Map<string, number>()
  #times = new Map<string, Times>()

  add({ measure, value, n }: Sum) {
    this.#counts.set(measure, this.count(measure) + n)
    if (!isTimedMeasure(measure)) return
    const times = this.#times.get(measure) ?? new Map<number, number>()
    this.#times.set(measure, times)
    times.set(value, (times.get(value) ?? 0) + n)
  }

  count = (measure: Sum['measure']) => this.#counts.get(measure) ?? 0
  times = (measure: TimedMeasure) => percentilesOf(this.#times.get(measure) ?? new Map())

  turns = (): TurnCounts => ({
    turns: this.count('turns'),
    not_understood: this.count('not_understood'),
    timed_out: this.count('timed_out'),
    failed: this.count('failed'),
    hung_up: this.count('hung_up'),
    response: this.times('response'),
    answer: this.times('answer'),
  })

  interruptions = (): InterruptionCounts => ({
    barge_ins: this.count('barge_ins'),
    barge_in_known: this.count('barge_in_known'),
    talk_over: this.times('talk_over'),
    silence_before: this.times('silence_before'),
    talk_known: this.count('talk_known'),
    caller_talk: this.count('caller_talk'),
    application_talk: this.count('application_talk'),
  })

  prompts = (): PromptCounts => ({
    prompts: this.count('prompts'),
    cached: this.count('cached'),
    not_cached: this.count('not_cached'),
  })
}

class Groups<K> extends Map<K, Group> {
  at(key: K): Group {
    const kept = this.get(key)
    if (kept) return kept
    const made = new Group()
    this.set(key, made)
    return made
  }

  /** Rows of a table, the largest first. */
  rows<R>(make: (key: K, group: Group) => R, size: (row: R) => number): R[] {
    return [...this]
      .map(([key, group]) => make(key, group))
      .filter((row) => size(row) > 0)
      .sort((a, b) => size(b) - size(a))
      .slice(0, MAX_ROWS)
  }
}

const PARTS = {
  spent_on_recognition: 'recognition',
  spent_on_digits: 'digits',
  spent_on_webhook: 'webhook',
  spent_on_application: 'application',
  spent_on_hand_over: 'hand_over',
  spent_on_pause: 'pause',
  spent_on_voice: 'voice',
} as const satisfies Record<`spent_on_${ResponsePart}`, ResponsePart>

/** The hour, or in a long span the day, that an hour belongs to. */
export function slots({ from, to }: Span, time_zone: string) {
  const clock = zoneClock(time_zone)
  const isHourly = to - from <= HOURLY_MAX_MS
  const kept = new Map<number, readonly [from: number, to: number]>()
  return (hour: number) => {
    const slot =
      kept.get(hour) ?? (isHourly ? ([hour, hour + HOUR_MS] as const) : hoursOfDay(clock, hour))
    kept.set(hour, slot)
    return slot
  }
}

const nameOf = (name: string | undefined) => name || null
const namesOf = (key: string) => key.split('\n').map(nameOf)

/** Figures of a store that keeps none. */
export const noVoiceFigures = (span: Span): VoiceFigures => ({
  ...voiceFigures([], span),
  is_kept: false,
})

/** The figures of a span. Sums by `all` have the hour they are of; of others the hour does not matter. */
export function voiceFigures(sums: Iterable<Sum>, span: Span, time_zone = 'UTC'): VoiceFigures {
  const total = new Group()
  const times = new Groups<number>()
  const slotOf = slots(span, time_zone)
  const groups = {
    application: new Groups<string>(),
    recognizer: new Groups<string>(),
    voice: new Groups<string>(),
    vendor: new Groups<string>(),
    version: new Groups<string>(),
  }
  for (const sum of sums) {
    if (sum.by !== 'all') groups[sum.by].at(sum.key).add(sum)
    else {
      total.add(sum)
      times.at(slotOf(sum.at!)[0]).add(sum)
    }
  }
  const known = {
    response: total.times('response').known,
    answer: total.times('answer').known,
  }
  return {
    is_kept: true,
    from: new Date(span.from).toISOString(),
    until: new Date(span.to).toISOString(),
    ...total.turns(),
    ...total.prompts(),
    ...total.interruptions(),
    calls: total.count('calls'),
    ended_by_caller: total.count('ended_by_caller'),
    ended_by_application: total.count('ended_by_application'),
    times: [...times]
      .sort(([a], [b]) => a - b)
      .map(([from, group]) => ({
        time: new Date(Math.max(from, span.from)).toISOString(),
        until: new Date(Math.min(slotOf(from)[1], span.to)).toISOString(),
        calls: group.count('calls'),
        ...group.turns(),
        ...group.interruptions(),
      }))
      .filter(({ calls }) => calls > 0),
    applications: groups.application.rows(
      (key, group) => ({
        application_sid: nameOf(key),
        calls: group.count('calls'),
        ...group.turns(),
        ...group.interruptions(),
      }),
      ({ calls }) => calls,
    ),
    versions: groups.version.rows(
      (key, group) => {
        const [application_sid = null, version = null] = namesOf(key)
        return {
          application_sid,
          version,
          calls: group.count('calls'),
          ended_by_caller: group.count('ended_by_caller'),
          ended_by_application: group.count('ended_by_application'),
          ...group.turns(),
          ...group.prompts(),
          ...group.interruptions(),
          first_audio: group.times('first_audio'),
        }
      },
      ({ calls }) => calls,
    ),
    recognizers: groups.recognizer.rows(
      (key, group) => {
        const [vendor = null, language = null] = namesOf(key)
        return { vendor, language, ...group.turns() }
      },
      ({ turns }) => turns,
    ),
    voices: groups.voice.rows(
      (key, group) => {
        const [vendor = null, voice = null] = namesOf(key)
        return {
          vendor,
          voice,
          ...group.prompts(),
          first_audio: group.times('first_audio'),
          response: group.times('response'),
          answer: group.times('answer'),
        }
      },
      ({ prompts }) => prompts,
    ),
    vendors: groups.vendor.rows(
      (key, group) => {
        const [service, vendor] = key.split('\n')
        return {
          service: service === 'voice' ? ('voice' as const) : ('recognition' as const),
          vendor: vendor ?? '',
          requests: group.count('requests'),
          failed: group.count('failed'),
        }
      },
      ({ requests }) => requests,
    ),
    parts: keysOf(PARTS)
      .map((measure) => {
        const part = PARTS[measure]
        const times = isBeforeResult(part) ? known.response : known.answer
        return { part, ms: times > 0 ? total.count(measure) / times : 0 }
      })
      .filter(({ ms }) => ms > 0),
  }
}
