import type { ResponsePart, ResponseTime } from '@switchroom/contract'
import type { Gathering } from './heard.ts'
import { promptsOf, saidOf } from './said.ts'
import {
  type CallSpan,
  firstFrom,
  isGather,
  isNestedGather,
  isRedirectHook,
  isSaid,
  isVerb,
  textOf,
  verbOf,
} from './spans.ts'

/** Verbs that take no time of the caller's, or run beside what is said. */
const PASSED = new Set([
  'config',
  'tag',
  'alert',
  'answer',
  'message',
  'dtmf',
  'listen',
  'transcribe',
  'redirect',
])

/** The platform writes 0 to 3 when the transcript came while somebody still spoke. */
const MIN_LATENCY_MS = 4

/** What comes from a verb on. */
type Following = {
  /** The verb that answers. */
  next: CallSpan | undefined
  /** The first of all but `config`. */
  first: CallSpan | undefined
  /** How long the pauses before it take. */
  paused: number
  /** When the webhook of a redirect before it had answered. */
  redirected: number | undefined
}
const NOTHING: Following = {
  next: undefined,
  first: undefined,
  paused: 0,
  redirected: undefined,
}

/** What follows from each verb on, with that one. */
function followingEach(verbs: readonly CallSpan[]): Following[] {
  const each: Following[] = []
  let following = NOTHING
  for (const verb of verbs.toReversed()) {
    const name = verbOf(verb)
    const first = name === 'config' ? following.first : verb
    if (name === 'pause')
      following = { ...following, first, paused: following.paused + verb.end - verb.start }
    else if (PASSED.has(name))
      following = {
        ...following,
        first,
        redirected: following.redirected ?? verb.children.find(isRedirectHook)?.end,
      }
    else following = { ...NOTHING, next: verb, first }
    each.push(following)
  }
  return each.reverse()
}

type Moments = {
  /** With the gathers of a bot, of which each answers what came before. */
  verbs: readonly CallSpan[]
  positions: ReadonlyMap<CallSpan, number>
  following: readonly Following[]
  keys: readonly CallSpan[]
  ended: number | undefined
}

export function momentsOf(
  all: readonly CallSpan[],
  keys: readonly CallSpan[],
  ended: number | undefined,
): Moments {
  const verbs = all.filter((span) => isVerb(span) || isNestedGather(span))
  const positions = new Map(verbs.map((verb, i) => [verb, i]))
  return { verbs, positions, following: followingEach(verbs), keys, ended }
}

/** When the caller had finished, if the trace shows it. */
function finished({ span, resolved, heard }: Gathering, keys: readonly CallSpan[]) {
  const unknown = { since: 'result', began: resolved } as const
  if (heard.outcome === 'digits') {
    const last = keys[firstFrom(keys, resolved + 1) - 1]
    if (last && last.start >= span.start) return { since: 'key', began: last.start } as const
    return heard.ended_by === 'pause' ? unknown : ({ since: 'key', began: resolved } as const)
  }
  if (heard.outcome !== 'speech' && heard.outcome !== 'low_confidence') return unknown
  // of several transcripts the platform waited for more after the last, and no one knows for how long
  const latency = Number(textOf(span, 'stt.latency_ms') ?? Number.NaN)
  return latency >= MIN_LATENCY_MS && latency <= resolved - span.start
    ? ({ since: 'speech', began: resolved - latency } as const)
    : unknown
}

/** What answered, and the first audio of it. */
function answerOf(verb: CallSpan) {
  if (isSaid(verb)) return { begins: verb.start, ...voiced(saidOf(verb, null).voice_ms) }
  const [prompt] = isGather(verb) ? promptsOf(verb, verb.end, false) : []
  if (prompt) return { begins: prompt.at, ...voiced(prompt.voice_ms) }
  return { begins: verb.start, until: 'verb', voice: null } as const
}
const voiced = (voice: number | null) =>
  ({ until: voice === null ? 'unknown' : 'voice', voice }) as const

/**
 * How long the caller waited after a gather. Null if there was nothing to wait for: nothing was heard because the
 * gather was ended, or the call was over.
 */
export function responseTo(gathering: Gathering, moments: Moments): ResponseTime | null {
  const { span, resolved, hook, heard } = gathering
  const { verbs, positions, following, keys, ended } = moments
  if (heard.side === 'called' || heard.outcome === 'stopped') return null
  if (ended !== undefined && ended <= resolved) return null
  const { since, began } = finished(gathering, keys)
  const parts: ResponseTime['parts'] = []
  let at = began
  /** Adds a part until a moment, or until the call ended. Whether it was over before. */
  const spend = (part: ResponsePart, until: number) => {
    const isOver = ended !== undefined && ended < until
    const to = Math.max(at, isOver ? ended : until)
    parts.push({ part, ms: to - at })
    at = to
    return isOver
  }
  const done = (until: ResponseTime['until']): ResponseTime => ({
    since,
    began,
    parts,
    until,
    ms: until === 'unknown' ? null : at - began,
  })
  if (resolved > began) spend(heard.outcome === 'digits' ? 'digits' : 'recognition', resolved)

  // one that resolved as it started does not answer itself
  const from = Math.max(firstFrom(verbs, resolved), (positions.get(span) ?? -1) + 1)
  const { next, first, paused, redirected } = following[from] ?? NOTHING
  const answered = Math.max(hook?.end ?? 0, redirected ?? 0)
  const waits = first?.start ?? ended
  if (answered > 0) {
    // a websocket's webhook ends with the verbs it brings, or after them
    if (spend('webhook', Math.min(answered, next?.start ?? answered))) return done('hangup')
  } else if (waits === undefined) return done('unknown')
  else if (spend('application', waits)) return done('hangup')

  if (!next) {
    if (ended === undefined) return done('unknown')
    if (ended > at) spend('hand_over', ended)
    return done('hangup')
  }
  const { begins, until, voice } = answerOf(next)
  if (spend('hand_over', Math.max(at, begins - paused))) return done('hangup')
  if (paused > 0 && spend('pause', Math.max(at, begins))) return done('hangup')
  if (voice === null) return done(until)
  if (spend('voice', begins + voice)) return done('hangup')
  return done('voice')
}
