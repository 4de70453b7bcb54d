import { t } from '@switchroom/contract'
import { Failure } from './failure.ts'

/** Whose work waits: a person who is signed in, or a network of strangers. */
export type Lane = { signedIn: string } | { network: string }

export type FairQueue = <T>(lane: Lane, work: () => Promise<T>) => Promise<T>

type Waiting = { start: () => void; refuse: (failure: Failure) => void }

type Limits = {
  /** What the server is busy with: "checking passwords". */
  doing: string
  atOnce: number
  /** How many may wait in one lane, and in all lanes of strangers together. */
  perLane: number
  inAll: number
  longest_ms: number
}

/** Lanes that are served in turn, one piece of work each. */
function lanes() {
  const all = new Map<string, Waiting[]>()
  return {
    size: () => [...all.values()].reduce((n, lane) => n + lane.length, 0),
    length: (name: string) => all.get(name)?.length ?? 0,
    add: (name: string, one: Waiting) => void all.set(name, [...(all.get(name) ?? []), one]),
    remove(name: string, one: Waiting) {
      const rest = all.get(name)?.filter((w) => w !== one) ?? []
      if (rest.length > 0) all.set(name, rest)
      else all.delete(name)
    },
    next() {
      const [first] = all
      if (!first) return undefined
      const [name, [one, ...rest]] = first
      // to the end of the line of lanes
      all.delete(name)
      if (rest.length > 0) all.set(name, rest)
      return one
    },
    /** The last of the longest lane, if that is longer than `than`. */
    lastOfLongest(than: number) {
      const [name, lane] = [...all].reduce((a, b) => (b[1].length > a[1].length ? b : a))
      return lane.length > than ? { name, one: lane.at(-1)! } : undefined
    },
  }
}

/**
 * Runs expensive work, a few pieces at once. The rest waits for a bounded time, in a bounded number: people
 * who are signed in go first, networks of strangers take turns, and a network that fills the queue gives way
 * to one that does not. Throws 429 if the lane is full, and 503 if all are, or if it takes too long.
 */
export function fairQueue({ doing, atOnce, perLane, inAll, longest_ms }: Limits): FairQueue {
  const people = lanes()
  const strangers = lanes()
  let running = 0
  const retry_after = Math.ceil(longest_ms / 1000)
  const busy = (code: 'too_many' | 'unavailable', seconds: number) =>
    new Failure(code, t('The server is busy {doing}. Please try again in a moment.', { doing }), {
      retry_after: seconds,
    })

  const advance = () => {
    running -= 1
    const next = people.next() ?? strangers.next()
    next?.start()
  }

  function turn(lane: Lane) {
    const [line, name] =
      'signedIn' in lane ? [people, lane.signedIn] : ([strangers, lane.network] as const)
    if (running < atOnce) {
      running += 1
      return Promise.resolve()
    }
    const before = line.length(name)
    if (before >= perLane) throw busy('too_many', 1)
    if (line === strangers && line.size() >= inAll) {
      const last = line.lastOfLongest(before + 1)
      if (!last) throw busy('unavailable', retry_after)
      line.remove(last.name, last.one)
      last.one.refuse(busy('unavailable', retry_after))
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const one: Waiting = {
      start() {
        running += 1
        clearTimeout(timer)
        resolve()
      },
      refuse(failure) {
        clearTimeout(timer)
        reject(failure)
      },
    }
    const timer = setTimeout(() => {
      line.remove(name, one)
      reject(busy('unavailable', retry_after))
    }, longest_ms)
    line.add(name, one)
    return promise
  }

  return async (lane, work) => {
    await turn(lane)
    try {
      return await work()
    } finally {
      advance()
    }
  }
}
