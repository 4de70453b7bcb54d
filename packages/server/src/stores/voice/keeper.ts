import type { Call } from '@switchroom/contract'
import { every } from '../../live/every.ts'
import { type Count, keyOf, type Talk } from '../../talk/counts.ts'
import type { CallStore } from '../calls/store.ts'
import { failureLog } from '../kit/failure-log.ts'
import type { Arrival, Arrivals } from '../traces/store.ts'
import type { VersionsOf, VoiceCall, VoiceStore } from './store.ts'

const EVERY_MS = 2_000
/** Silence after which a trace is complete. Spans arrive in batches, half a second apart. */
const QUIET_MS = 10_000
/** A call's record is written when its last span is, but comes another way, and may wait there for minutes. */
const RETRY_MS = 15_000
/** Each after twice the time: eight minutes. Some calls have no record. */
const MAX_RETRIES = 5
const AT_ONCE = 200
const MAX_WAITING = 10_000
/** Characters of words that may wait for a record. */
const MAX_WAITING_WORDS = 50_000_000
/** A record's time is of another machine's clock than the first span's. */
const NEAR_MS = 300_000
/** Span of records that are read together: InfluxDB reads all of them. */
const TOGETHER_MS = 3_600_000

type Waiting = { arrival: Arrival; talk: Talk; retries: number; until: number }

export type KeeperOptions = {
  arrivals: Arrivals
  calls: Pick<CallStore, 'ofTraces'>
  voice: Pick<VoiceStore, 'keep'>
  versionsOf?: VersionsOf
  now?: () => number
}

/**
 * Keeps the figures of conversations, some seconds after the last span of a call, and again if more spans come. The
 * call's record tells the owner: a figure counts the calls that the list behind it shows.
 */
export function keepVoice({
  arrivals,
  calls,
  voice,
  versionsOf = async (calls) => calls.map(() => undefined),
  now = Date.now,
}: KeeperOptions) {
  /** Traces whose record has not come yet. */
  const waiting = new Map<string, Waiting>()
  const trouble = failureLog('Figures of conversations')

  async function run() {
    while (await round()) {}
    trouble.worked()
  }

  /** Stores what is due. True if there may be more to do now. */
  async function round(): Promise<boolean> {
    const time = now()
    const due = await arrivals.due(time - QUIET_MS, AT_ONCE, [...waiting.keys()])
    const over = due.filter(({ has_root }) => has_root)
    const talks = over.length > 0 ? await arrivals.talks(over.map(({ trace_id }) => trace_id)) : {}
    const found = over.flatMap((arrival) => {
      const talk = talks[arrival.trace_id]
      return talk && (talk.counts.length > 0 || talk.words)
        ? [{ arrival, talk, retries: 0, until: 0 }]
        : []
    })
    const retried = [...waiting.values()].filter(({ until }) => until <= time)
    const asked = [...found, ...retried]
    const records = await recordsOf(asked)
    const isHere = ({ arrival }: Waiting) => records.has(arrival.trace_id)
    const here = asked
      .filter(isHere)
      .map((one) => ({ one, call: records.get(one.arrival.trace_id)! }))
    const split = here.map(({ one, call }) => ({ call, tag: one.talk.tag }))
    const versions = split.length > 0 ? await versionsOf(split) : []
    const ready = here.map(({ one, call }, i) => voiceCall(one, call, versions[i]))
    if (ready.length > 0) await voice.keep(ready)
    const held = waiting.values().reduce((sum, { talk }) => sum + talk.words.length, 0)
    const isAwaited = (one: Waiting) =>
      !isHere(one) &&
      one.retries < MAX_RETRIES &&
      waiting.size < MAX_WAITING &&
      held < MAX_WAITING_WORDS
    for (const one of asked) {
      const { arrival, retries } = one
      const until = time + RETRY_MS * 2 ** retries
      if (isAwaited(one)) waiting.set(arrival.trace_id, { ...one, retries: retries + 1, until })
      else waiting.delete(arrival.trace_id)
    }
    const isWaiting = ({ trace_id }: Arrival) => waiting.has(trace_id)
    const done = [...due, ...retried.map(({ arrival }) => arrival)].filter((one) => !isWaiting(one))
    if (done.length > 0) await arrivals.done(done)
    return due.length >= AT_ONCE
  }

  /** The records of these calls, by trace. */
  async function recordsOf(asked: readonly Waiting[]): Promise<Map<string, Call>> {
    const found = new Map<string, Call>()
    if (asked.length === 0) return found
    const wanted = new Map(asked.map(({ arrival, talk }) => [arrival.trace_id, talk.call_sid]))
    const records: Call[] = []
    for (const group of nearEachOther(asked)) {
      const trace_ids = group.map(({ arrival }) => arrival.trace_id)
      const from = group[0]!.talk.began - NEAR_MS
      const to = group.at(-1)!.talk.began + NEAR_MS
      records.push(...(await calls.ofTraces(trace_ids, { from, to })))
    }
    // the legs of a call may have its trace too
    const isOwn = ({ trace_id, call_sid }: Call) =>
      call_sid !== null && wanted.get(trace_id ?? '') === call_sid
    const byTime = (a: Call, b: Call) => (a.attempted_at < b.attempted_at ? -1 : 1)
    for (const call of records.toSorted(byTime)) {
      const { trace_id } = call
      if (trace_id !== null && (!found.has(trace_id) || isOwn(call))) found.set(trace_id, call)
    }
    return found
  }

  const rounds = every(EVERY_MS, run, { onError: trouble.failed })
  return { now: run, stop: rounds.stop }
}

/** In groups whose times are read together: a trace's time may be anything. */
function nearEachOther(asked: readonly Waiting[]): Waiting[][] {
  const groups: Waiting[][] = []
  for (const one of asked.toSorted((a, b) => a.talk.began - b.talk.began)) {
    const last = groups.at(-1)
    if (last && one.talk.began - last[0]!.talk.began <= TOGETHER_MS) last.push(one)
    else groups.push([one])
  }
  return groups
}

function voiceCall(
  { arrival: { trace_id, at: came }, talk: { counts, words } }: Waiting,
  call: Call,
  version: string | undefined,
): VoiceCall {
  const application = call.application_sid ?? ''
  const ofApplication = counts
    .filter(({ by, measure }) => by === 'all' && OF_APPLICATION.has(measure))
    .map((count): Count => ({ ...count, by: 'application', key: application }))
  const ofVersion =
    version === undefined
      ? []
      : counts
          .filter(({ by, measure }) => by === 'all' && !measure.startsWith('spent_on_'))
          .map((count): Count => ({ ...count, by: 'version', key: keyOf(application, version) }))
  return { trace_id, call, counts: [...counts, ...ofApplication, ...ofVersion], words, came }
}

const OF_APPLICATION = new Set<Count['measure']>([
  'calls',
  'turns',
  'not_understood',
  'timed_out',
  'failed',
  'hung_up',
  'response',
  'answer',
  'barge_ins',
  'barge_in_known',
  'talk_over',
  'silence_before',
  'talk_known',
  'caller_talk',
  'application_talk',
])
