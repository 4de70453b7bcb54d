import { plural, t } from '@switchroom/contract'
import { Failure } from './failure.ts'

/** The owner of waiting work: a person or tenant that is signed in, or a network of strangers. */
export type Lane = { signedIn: string } | { network: string }

/** Work of one lane in a queue. */
export type Load = { lane: Lane; running: number; waiting: number }

type Run = <T>(lane: Lane, work: () => Promise<T>, left?: AbortSignal) => Promise<T>
export type FairQueue = Run & {
  /** Lanes with work that runs or waits. */
  load: () => Load[]
  /** Number of refusals. */
  refused: () => number
}

type Waiting = { start: () => void; refuse: (failure: Failure) => void }

export type Limits = {
  /** Activity for messages: "checking passwords". */
  doing: string
  atOnce: number
  /** Pieces of one lane that run at once. As many as of all, if missing. */
  atOncePerLane?: number
  /** Pieces that may wait in one lane, and in all lanes of strangers together. */
  perLane: number
  inAll: number
  longest_ms: number
}

/** Lanes that are served in turn, one piece of work each. */
function lanes(atOnce: number) {
  const all = new Map<string, Waiting[]>()
  const running = new Map<string, number>()
  const isFree = (name: string) => (running.get(name) ?? 0) < atOnce
  return {
    isFree,
    size: () => [...all.values()].reduce((n, lane) => n + lane.length, 0),
    length: (name: string) => all.get(name)?.length ?? 0,
    load: () =>
      [...new Set([...running.keys(), ...all.keys()])].map((name) => ({
        name,
        running: running.get(name) ?? 0,
        waiting: all.get(name)?.length ?? 0,
      })),
    begin: (name: string) => void running.set(name, (running.get(name) ?? 0) + 1),
    end(name: string) {
      const others = running.get(name)! - 1
      if (others > 0) running.set(name, others)
      else running.delete(name)
    },
    add: (name: string, one: Waiting) => void all.set(name, [...(all.get(name) ?? []), one]),
    remove(name: string, one: Waiting) {
      const rest = all.get(name)?.filter((w) => w !== one) ?? []
      if (rest.length > 0) all.set(name, rest)
      else all.delete(name)
    },
    next() {
      for (const [name, [one, ...rest]] of all) {
        if (!isFree(name)) continue
        // to the end of the line of lanes
        all.delete(name)
        if (rest.length > 0) all.set(name, rest)
        return one
      }
      return undefined
    },
    /** The last of the longest lane, if that is longer than `than`. */
    lastOfLongest(than: number) {
      const [name, lane] = [...all].reduce((a, b) => (b[1].length > a[1].length ? b : a))
      return lane.length > than ? { name, one: lane.at(-1)! } : undefined
    },
  }
}

/** Weight of the latest duration in the average. */
const SHARE = 0.2

/**
 * Runs expensive work, a few pieces at once. The rest waits for a bounded time, in a bounded number: people who are
 * signed in go first, networks of strangers take turns, and a network that fills the queue gives way to one that does
 * not. Throws 429 if the lane is full, and 503 if all are, or if it takes too long. A caller who leaves while waiting
 * loses the turn.
 */
export function fairQueue({
  doing,
  atOnce,
  atOncePerLane,
  perLane,
  inAll,
  longest_ms,
}: Limits): FairQueue {
  const people = lanes(atOncePerLane ?? atOnce)
  const strangers = lanes(atOncePerLane ?? atOnce)
  let running = 0
  let refused = 0
  /** Average time of the latest pieces of work. */
  let average_ms = 0
  const longest = Math.ceil(longest_ms / 1000)
  const refusal = (code: 'too_many' | 'unavailable', message: string, retry_after: number) => {
    refused++
    return new Failure(code, message, { retry_after })
  }
  const BUSY = t('The server is busy {doing}. Please try again in a moment.', { doing })
  const busy = () => refusal('unavailable', BUSY, longest)
  /** For a lane that has asked for too much. By the time it names, one of its places may be free. */
  const tooMany = () => {
    if (atOncePerLane === undefined) return refusal('too_many', BUSY, 1)
    const seconds = Math.min(longest, Math.max(1, Math.ceil(average_ms / atOncePerLane / 1000)))
    const message = plural(
      seconds,
      'The server is still busy {doing} for you. Please try again in 1 second.|The server is still busy {doing} for you. Please try again in {n} seconds.',
      { doing },
    )
    return refusal('too_many', message, seconds)
  }

  function turn(lane: Lane, left: AbortSignal | undefined) {
    const [line, name] =
      'signedIn' in lane ? [people, lane.signedIn] : ([strangers, lane.network] as const)
    const begin = () => {
      running += 1
      line.begin(name)
    }
    const end = () => {
      running -= 1
      line.end(name)
      const next = people.next() ?? strangers.next()
      next?.start()
    }
    if (running < atOnce && line.isFree(name)) {
      begin()
      return Promise.resolve(end)
    }
    const before = line.length(name)
    if (before >= perLane) throw tooMany()
    if (line === strangers && line.size() >= inAll) {
      const last = line.lastOfLongest(before + 1)
      if (!last) throw busy()
      line.remove(last.name, last.one)
      last.one.refuse(busy())
    }
    /** True if it waits for work of its own lane, not of others. */
    const isOwnWork = () => running < atOnce && !line.isFree(name)
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const stopWaiting = () => {
      clearTimeout(timer)
      left?.removeEventListener('abort', leave)
    }
    const one: Waiting = {
      start() {
        stopWaiting()
        begin()
        resolve(end)
      },
      refuse(failure) {
        stopWaiting()
        line.remove(name, one)
        reject(failure)
      },
    }
    const leave = () => one.refuse(busy())
    left?.addEventListener('abort', leave)
    const timer = setTimeout(() => one.refuse(isOwnWork() ? tooMany() : busy()), longest_ms)
    line.add(name, one)
    return promise
  }

  const run: Run = async (lane, work, left) => {
    const end = await turn(lane, left)
    const began = performance.now()
    try {
      return await work()
    } finally {
      average_ms += SHARE * (performance.now() - began - average_ms)
      end()
    }
  }
  return Object.assign(run, {
    load: () => [
      ...people.load().map(({ name, ...load }) => ({ lane: { signedIn: name }, ...load })),
      ...strangers.load().map(({ name, ...load }) => ({ lane: { network: name }, ...load })),
    ],
    refused: () => refused,
  })
}
